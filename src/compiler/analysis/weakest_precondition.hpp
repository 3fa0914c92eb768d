#pragma once
// What can follow the first step of a turn, as conditions on the state before that step.
//
// Why: to draw a turn of two steps, one has to know after which first steps a second one is possible. To test that in
// the states after them, every first step would have to be applied. Instead, the effects of the first step are
// substituted into the conditions of the second (the weakest precondition of an assignment: E. W. Dijkstra, Guarded
// Commands, Nondeterminacy and Formal Derivation of Programs, 1975). The result is a condition on the present state and
// the parameters of both steps, which is lifted over all first steps at once like any other.

#include "ir/program.hpp"

#include <optional>
#include <vector>

namespace zug::run {

// A rule as the first step of a turn, in one case of a condition on the state alone, which simplifies the others.
struct FirstStep {
    ir::ExprId given = none_id<ir::ExprId>; // the condition; none_id: there is one case only
    bool holds = true;                      // the value of `given` in this case
    std::vector<ir::ExprId> possible;       // conditions on the state alone; `rule` no longer has them
    ir::Rule rule;
};

// A step that can follow a first one.
struct Continuation {
    std::vector<ir::ExprId> gate; // conditions in which only parameters of the first step occur
    // The second step's rule with the other conditions. Its parameters are new variables; those that the conditions
    // determine are substituted and removed.
    ir::Rule rule;
    bool independent = true; // no parameter of the first step occurs in the conditions of `rule`
};

// Both add expressions and variables to the program. `local_start`: assume that local variables have their initial
// values when the turn begins.
std::vector<FirstStep> first_steps(ir::Program& program, ir::RuleId rule, bool local_start);
// The step `next` of player `me` after a step `first`. nullopt: `next` has an `ensure`, or its conditions read
// something whose value after `first` cannot be expressed.
std::optional<Continuation> continuation_after(ir::Program& program, ir::RuleId first, ir::RuleId next, std::int64_t me,
                                               bool local_start);

} // namespace zug::run
