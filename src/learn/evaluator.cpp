// The evaluator of a learned evaluation.

#include "learn/net.hpp"
#include "learn/selected_sum.hpp"

#include "executor/position_buffer.hpp"

#include <cmath>

namespace zug::learn {

namespace {

class NetEvaluator final : public game::Evaluator {
public:
    explicit NetEvaluator(std::shared_ptr<const Net> net)
        : net_(std::move(net)), body_(net_->body), sum_(body_.inputs, body_.stages, body_.outputs),
          slots_(body_.inputs.shifts.size()) {}

    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<NetEvaluator>(net_); }

    void evaluate(const run::Executor& executor, run::PositionBuffer& here, std::span<double> out) override {
        executor.read_slots(here, slots_);
        sum_.update(slots_, slots_[executor.program().slot_count],
                    [&](std::size_t i) { return static_cast<std::int32_t>(body_.weights[i]); });
        for (std::uint32_t o = 0; o < body_.outputs; ++o)
            out[o] = body_.scale.utility(body_.unit * static_cast<double>(sum_[o]));
        if (body_.outputs == 1)
            for (std::size_t p = 1; p < out.size(); ++p)
                out[p] = executor.program().team_of(static_cast<std::uint32_t>(p)) == 0 ? out[0] : -out[0];
    }

private:
    std::shared_ptr<const Net> net_;
    const NetBody& body_;
    SelectedSum<std::int32_t> sum_;
    std::vector<std::uint32_t> slots_;
};

} // namespace

double OutputScale::expected(double sum) const { return bounded ? std::tanh(sum) : sum; }
double OutputScale::utility(double sum) const { return middle + half * expected(sum); }

std::unique_ptr<game::Evaluator> make_evaluator(std::shared_ptr<const Net> net) {
    return std::make_unique<NetEvaluator>(std::move(net));
}

} // namespace zug::learn
