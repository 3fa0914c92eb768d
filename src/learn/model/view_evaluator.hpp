#pragma once
// The evaluator of a learned model: what all of them have in common.

#include "executor/position_buffer.hpp"
#include "game/evaluator.hpp"
#include "learn/model/viewpoint.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace zug::learn {

// Values is made from a Net, which has a viewpoint and `outputs`, and keeps what it found out about the last position:
// look(view, out) sets the utility by output, with those of an exchanged view for the players as they are.
template <class Net, class Values>
class ViewEvaluator final : public game::Evaluator {
public:
    // The net must outlive it; `owner` is kept until then.
    ViewEvaluator(const Net& net, std::shared_ptr<const void> owner)
        : owner_(std::move(owner)), net_(net), values_(net) {}

    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<ViewEvaluator>(net_, owner_); }

    void evaluate(const run::Executor& executor, run::PositionBuffer& here, std::span<double> out) override {
        const ir::Program& program = executor.program();
        if (!viewer_) {
            viewer_.emplace(net_.viewpoint, program.slot_count);
            slots_.resize(program.total_slots());
        }
        executor.read_slots(here, slots_);
        values_.look(viewer_->of(slots_), out);
        if (net_.outputs > 1) return;
        for (std::size_t p = 1; p < out.size(); ++p)
            out[p] = program.team_of(static_cast<std::uint32_t>(p)) == 0 ? out[0] : -out[0];
    }

private:
    std::shared_ptr<const void> owner_;
    const Net& net_;
    Values values_;
    std::optional<Viewer> viewer_;
    std::vector<std::uint32_t> slots_;
};

} // namespace zug::learn
