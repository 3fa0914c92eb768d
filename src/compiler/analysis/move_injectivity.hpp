#pragma once
// Whether different steps lead to different states, proved from the rules alone.
//
// Why it is asked: two chains that lead to one state are one move. Where that can't happen, moves are counted and drawn
// as instances of rules, without making them.
//
// How it is proved. Take a map of the state, say `at`, and the values that its places have before a turn and after it.
// An assignment at[i] := v of a step turns a value that i can have (as far as the step's conditions tell) into one that
// v can have. If no other effect of the turn, those of the plan's `then` included, can make such a change anywhere,
// then i can be read off the states before and after. Where that gives every parameter of every step (itself, or as the
// direction from a known site to a known neighbour), steps that differ lead to states that differ.

#include "compiler/passes.hpp"
#include "ir/program.hpp"

#include <span>

namespace zug::run {

struct Distinct {
    bool proved = false;
    bool from_initial_locals = false; // only if the turn begins with the initial values of all local variables
};

// Of all chains that begin with `steps.front()` and go on with any number of the others, each once, in order.
Distinct distinct_results(const ir::Program& program, std::span<const ir::RuleId> steps, Passes& passes);

// A step that begins a turn of player `me`, from what its conditions say. `local_start`: the turn begins with the
// initial values of all local variables.
struct FirstStepOf {
    const ir::Program& program;
    const ir::Rule& rule;
    std::int64_t me = 0;
    bool local_start = false;
};
// Whether an assignment to one place of a map leaves `condition` as it was, where the expression `place` in it, a
// variable, stands for that place. It must read nothing else that the step changes.
bool keeps_truth(const FirstStepOf& first, const ir::Effect& assignment, ir::ExprId condition, ir::ExprId place);
// Whether this can't be none.
bool is_some_place(const FirstStepOf& first, ir::ExprId place);

} // namespace zug::run
