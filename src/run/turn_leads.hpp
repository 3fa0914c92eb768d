#pragma once
// How the turns of a plan can begin, where that decides which alternative is played.

#include "run/distinct.hpp"

#include <vector>

namespace zug::run {

// The steps of this rule come first: where it has instances, they begin every chain of the turn.
struct TurnLead {
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

// In the order in which they are tried; if none of them has an instance, there is no chain of a step. Empty where the
// plan isn't of that kind.
std::vector<TurnLead> turn_leads(const ir::Program& program);

} // namespace zug::run
