#pragma once
// A game's evaluation by a model that is being learned.

#include "executor/position_buffer.hpp"
#include "game/game.hpp"
#include "learn/model/learner.hpp"

#include <memory>
#include <span>
#include <vector>

namespace zug::learn {

class LiveEvaluator final : public game::Evaluator {
public:
    // The learner must outlive it, and its clones, which are of the same thread.
    LiveEvaluator(Learner& learner, const game::Game& game)
        : learner_(learner), slots_(game.program().total_slots()), estimate_(learner.width()) {}

    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<LiveEvaluator>(*this); }

    void evaluate(const run::Executor& executor, run::PositionBuffer& here, std::span<double> out) override {
        executor.read_slots(here, slots_);
        learner_.estimate(slots_, estimate_);
        for (std::uint32_t p = 0; p < out.size(); ++p) out[p] = learner_.utility(estimate_, p);
    }

private:
    Learner& learner_;
    std::vector<std::uint32_t> slots_;
    std::vector<float> estimate_;
};

} // namespace zug::learn
