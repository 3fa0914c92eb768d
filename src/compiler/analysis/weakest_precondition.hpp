#pragma once
// What can follow the first step of a turn, as conditions on the state before that step.
//
// Why: drawing a turn of two steps needs to know after which first steps a second one is possible. Testing that in the
// states after them means making every first step. Instead, the effects of the first step are substituted into the
// conditions of the second (E. W. Dijkstra, Guarded Commands, Nondeterminacy and Formal Derivation of Programs, 1975:
// the weakest precondition of an assignment). What results is a condition on the present state that names the
// parameters of both steps, and is lifted over all first steps at once like any other.

#include "ir/program.hpp"

#include <optional>
#include <vector>

namespace zug::run {

// A rule as the first step of a turn, in one case of a condition on the state alone: with that decided, its conditions
// are simpler.
struct FirstStep {
    ir::ExprId given = none_id<ir::ExprId>; // the condition; none_id: there is one case only
    bool holds = true;                      // the value of `given` in this case
    std::vector<ir::ExprId> possible;       // conditions on the state alone; `rule` no longer has them
    ir::Rule rule;
};

// A step that can follow a first one.
struct Continuation {
    std::vector<ir::ExprId> gate; // conditions that name parameters of the first step only
    // The other conditions. Its parameters are new variables; one that the conditions determine is substituted, and no
    // parameter any more. `apart`: the conditions name no parameter of the first step.
    ir::Rule rule;
    bool apart = true;
};

// Both add expressions and variables to the program. `local_start`: assume that local variables have their initial
// values when the turn begins.
std::vector<FirstStep> first_steps(ir::Program& program, ir::RuleId rule, bool local_start);
// The step `next` of player `me` after a step `first`. nullopt: its conditions read something of which the effects of
// `first` don't tell the value, or `next` has an `ensure`.
std::optional<Continuation> continuation_after(ir::Program& program, ir::RuleId first, ir::RuleId next, std::int64_t me,
                                               bool local_start);

} // namespace zug::run
