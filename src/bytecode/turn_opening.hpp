#pragma once
// How a turn that consists of several steps can begin.

#include "ir/program.hpp"

namespace zug::run {

// A rule that opens a turn: in a state in which it has instances, every chain of steps begins with one of them. With
// the facts that are proved here the executor need not search for all chains.
struct TurnOpening {
    ir::RuleId rule{};
    // Such a step is a whole turn, and different steps lead to different states, so the rule's instances are the moves.
    // With `from_initial_locals` this holds if the turn begins with the initial values of all local variables.
    bool whole = false;
    // The same, except that one step of this rule follows wherever it is possible; none: no such rule.
    ir::RuleId then = none_id<ir::RuleId>;
    bool from_initial_locals = false;
    // Such a step is a whole turn as for `whole` only where no step of this rule can follow it; none: no such rule.
    ir::RuleId unless = none_id<ir::RuleId>;
};

} // namespace zug::run
