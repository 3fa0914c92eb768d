#include "learn/tuples/tuple_net.hpp"

#include "executor/position_buffer.hpp"
#include "learn/tuples/selected_sum.hpp"

#include <cmath>
#include <utility>

namespace zug::learn {

namespace {

class TupleEvaluator final : public game::Evaluator {
public:
    TupleEvaluator(const TupleNet& net, std::shared_ptr<const void> owner)
        : owner_(std::move(owner)), net_(net), sum_(net.inputs, net.outputs), slots_(net.inputs.shifts.size()) {}

    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<TupleEvaluator>(net_, owner_); }

    void evaluate(const run::Executor& executor, run::PositionBuffer& here, std::span<double> out) override {
        const ir::Program& program = executor.program();
        if (!viewer_) viewer_.emplace(net_.viewpoint, program.slot_count);
        executor.read_slots(here, slots_);
        const Viewer::View view = viewer_->of(slots_);
        sum_.update(view.slots, view.stage, [&](std::size_t i) { return static_cast<std::int32_t>(net_.weights[i]); });
        const double unit = view.exchanged ? -net_.unit : net_.unit;
        for (std::uint32_t o = 0; o < net_.outputs; ++o)
            out[o] = net_.scale.utility(unit * static_cast<double>(sum_[o]));
        if (net_.outputs > 1) return;
        for (std::size_t p = 1; p < out.size(); ++p)
            out[p] = program.team_of(static_cast<std::uint32_t>(p)) == 0 ? out[0] : -out[0];
    }

private:
    std::shared_ptr<const void> owner_;
    const TupleNet& net_;
    SelectedSum<std::int32_t> sum_;
    std::vector<std::uint32_t> slots_;
    std::optional<Viewer> viewer_;
};

bool fits(const Pattern& pattern, const Inputs& inputs, std::span<const std::uint64_t> sizes) {
    if (pattern.slots.size() != pattern.strides.size()) return false;
    std::uint64_t last = pattern.first;
    for (std::size_t i = 0; i < pattern.slots.size(); ++i) {
        const std::uint32_t slot = pattern.slots[i];
        if (slot >= sizes.size() || sizes[slot] < 2 || inputs.shifts[slot] > 31) return false;
        const std::uint64_t most = (sizes[slot] - 1) >> inputs.shifts[slot];
        if (most > inputs.weights) return false;
        last += most * pattern.strides[i];
    }
    return last < inputs.weights;
}

} // namespace

bool fits(const TupleNet& net, const game::Game& game) {
    const Inputs& inputs = net.inputs;
    const auto sizes = ir::slot_sizes(game.program());
    if (inputs.shifts.size() != sizes.size() || !fits(net.viewpoint, game)) return false;
    if (net.outputs != 1 && (net.outputs != game.players() || net.viewpoint.exchange)) return false;
    if (std::size_t{inputs.weights} * net.viewpoint.stages * net.outputs != net.weights.size()) return false;
    for (const Pattern& pattern : inputs.patterns)
        if (!fits(pattern, inputs, sizes)) return false;
    return std::isfinite(net.unit) && std::isfinite(net.scale.middle) && std::isfinite(net.scale.half);
}

std::unique_ptr<game::Evaluator> make_evaluator(const TupleNet& net, std::shared_ptr<const void> owner) {
    return std::make_unique<TupleEvaluator>(net, std::move(owner));
}

} // namespace zug::learn
