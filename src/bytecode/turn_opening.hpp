#pragma once
// How a turn of a plan can begin.

#include "ir/program.hpp"

namespace zug::run {

// The steps of this rule come first: where it has instances, they begin every chain of the turn.
struct TurnOpening {
    ir::RuleId rule{};
    // Such a step is all of the turn, and different steps lead to different states (if, with `from_initial_locals`, the
    // turn begins with the initial values of all local variables): the instances are the moves.
    bool whole = false;
    // The same, but for one step of this rule that comes after it where it can be made; none: no such rule.
    ir::RuleId then = none_id<ir::RuleId>;
    bool from_initial_locals = false;
    // Such a step is all of the turn as for `whole`, but only where no step of this rule can follow it; none: no such
    // rule.
    ir::RuleId unless = none_id<ir::RuleId>;
};

} // namespace zug::run
