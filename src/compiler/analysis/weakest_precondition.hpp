#pragma once
// What can follow the first step of a turn, told from the state before that step.
//
// Why: to draw a turn of two steps, one must know after which first steps a second is possible. Asked after each of
// them in turn, that means to make them all. Instead, what the first step's effects say is put in for what the second
// one's conditions read (as weakest preconditions are found), so that these become conditions on the state as it
// stands, with the parameters of both steps, and are lifted over all first steps at once like any others.

#include "ir/program.hpp"

#include <optional>
#include <vector>

namespace zug::run {

// A rule as the first step of a turn, where a condition on the state alone has been decided, so that simpler
// conditions are left.
struct FirstStep {
    ir::ExprId given = none_id<ir::ExprId>; // holds, or does not: `holds`. None: nothing was decided
    bool holds = true;
    std::vector<ir::ExprId> possible; // conditions on the state alone, left out of the rule's
    ir::Rule rule;
};

// A step that follows.
struct Continuation {
    std::vector<ir::ExprId> gate; // conditions that name parameters of the first step only
    // The other conditions, with parameters of its own (new variables; one whose value the conditions tell is left
    // out). `apart`: they name no others.
    ir::Rule rule;
    bool apart = true;
};

// Both add to the program's expressions and variables. Local variables are taken to have their initial values when the
// turn begins, if `local_start`.
std::vector<FirstStep> first_steps(ir::Program& program, ir::RuleId rule, bool local_start);
// Of player `me`, after the effects of `first`. nullopt: it reads something of which this can't be told.
std::optional<Continuation> continuation_after(ir::Program& program, ir::RuleId first, ir::RuleId next, std::int64_t me,
                                               bool local_start);

} // namespace zug::run
