#pragma once
// A static evaluation that takes the place of the rule file's: src/learn makes some.

#include "executor/executor.hpp"

#include <memory>
#include <span>

namespace zug::game {

// Used by one thread at a time; may keep what it found out about the last position, since positions that are evaluated
// one after the other tend to be alike.
class Evaluator {
public:
    virtual ~Evaluator() = default;
    // Another for the same game, for another thread. What never changes is shared.
    virtual std::unique_ptr<Evaluator> clone() const = 0;
    // An estimate of each player's utility. The executor is of the game that the evaluator was made for, or of its
    // search form.
    virtual void evaluate(const run::Executor& executor, run::PositionBuffer& here, std::span<double> out) = 0;
};

} // namespace zug::game
