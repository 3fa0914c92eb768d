#include "learn/tuples/tuple_net.hpp"

#include "learn/model/view_evaluator.hpp"
#include "learn/tuples/selected_sum.hpp"

#include <cmath>
#include <utility>

namespace zug::learn {

namespace {

class TupleValues {
public:
    explicit TupleValues(const TupleNet& net) : net_(net), sum_(net.inputs, net.outputs) {}

    void look(const Viewer::View& view, std::span<double> out) {
        sum_.update(view.slots, view.stage, [&](std::size_t i) { return static_cast<std::int32_t>(net_.weights[i]); });
        const double unit = view.exchanged ? -net_.unit : net_.unit;
        for (std::uint32_t o = 0; o < net_.outputs; ++o)
            out[o] = net_.scale.utility(unit * static_cast<double>(sum_[o])) +
                     net_.scale.half * net_.scale.scored(view.slots, o);
    }

private:
    const TupleNet& net_;
    SelectedSum<std::int32_t> sum_;
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
    if (inputs.shifts.size() != sizes.size() || !fits(net.viewpoint, net.outputs, game)) return false;
    if (std::size_t{inputs.weights} * net.viewpoint.stages * net.outputs != net.weights.size()) return false;
    for (const Pattern& pattern : inputs.patterns)
        if (!fits(pattern, inputs, sizes)) return false;
    return std::isfinite(net.unit) && fits(net.scale, net.outputs, game);
}

std::unique_ptr<game::Evaluator> make_evaluator(const TupleNet& net, std::shared_ptr<const void> owner) {
    return std::make_unique<ViewEvaluator<TupleNet, TupleValues>>(net, std::move(owner));
}

} // namespace zug::learn
