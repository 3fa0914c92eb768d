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

#include "ir/program.hpp"

#include <span>

namespace zug::run {

struct Distinct {
    bool proved = false;
    bool from_initial_locals = false; // only if the turn begins with the initial values of all local variables
};

// Of all chains that begin with `steps.front()` and go on with any number of the others, each once, in order.
Distinct distinct_results(const ir::Program& program, std::span<const ir::RuleId> steps);

} // namespace zug::run
