// The evaluator of a learned evaluation. Positions that are evaluated one after the other differ in few slots, so the
// sum of weights is brought up to date by these.

#include "learn/net.hpp"

#include "executor/position_buffer.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace zug::learn {

namespace {

class NetEvaluator final : public game::Evaluator {
public:
    explicit NetEvaluator(std::shared_ptr<const Net> net)
        : net_(std::move(net)), body_(net_->body), selection_(body_.inputs), slots_(body_.inputs.shifts.size()) {}

    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<NetEvaluator>(net_); }

    void evaluate(const run::Executor& executor, run::PositionBuffer& here, std::span<double> out) override {
        executor.read_slots(here, slots_);
        const std::uint32_t stage = body_.stages > 1 ? slots_[executor.program().slot_count] : 0;
        const std::int16_t* const weights =
            body_.weights.data() + std::size_t{stage} * body_.inputs.weights * body_.outputs;
        if (stage == stage_) {
            selection_.update(slots_, [&](std::uint32_t, std::uint32_t before, std::uint32_t after) {
                for (std::uint32_t o = 0; o < body_.outputs; ++o)
                    sums_[o] += weights[after * body_.outputs + o] - weights[before * body_.outputs + o];
            });
        } else {
            selection_.update(slots_);
            add_up(weights);
            stage_ = stage;
        }
        for (std::uint32_t o = 0; o < body_.outputs; ++o)
            out[o] = body_.scale.utility(body_.unit * static_cast<double>(sums_[o]));
        if (body_.outputs == 1)
            for (std::size_t p = 1; p < out.size(); ++p)
                out[p] = executor.program().team_of(static_cast<std::uint32_t>(p)) == 0 ? out[0] : -out[0];
    }

private:
    static constexpr std::uint32_t none = ~0U;

    void add_up(const std::int16_t* weights) {
        sums_.fill(0);
        for (const std::uint32_t weight : selection_.weights())
            for (std::uint32_t o = 0; o < body_.outputs; ++o) sums_[o] += weights[weight * body_.outputs + o];
    }

    std::shared_ptr<const Net> net_;
    const NetBody& body_;
    Selection selection_;
    std::vector<std::uint32_t> slots_;
    std::uint32_t stage_ = none; // of the last position
    std::array<std::int32_t, game::max_players> sums_{};
};

} // namespace

double OutputScale::expected(double sum) const { return bounded ? std::tanh(sum) : sum; }
double OutputScale::utility(double sum) const { return middle + half * expected(sum); }

std::unique_ptr<game::Evaluator> make_evaluator(std::shared_ptr<const Net> net) {
    return std::make_unique<NetEvaluator>(std::move(net));
}

} // namespace zug::learn
