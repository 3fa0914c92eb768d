#pragma once
// Injectivity of moves: whether different steps lead to different states, proved from the rules alone.
//
// Why: chains of steps that lead to the same state count as one move. Where that cannot happen, moves are counted and
// drawn as instances of rules, without applying them.
//
// Proof. Take a map of the state that the turn does not forget, say `at`, and the transitions of its sites over a turn:
// a value before and a value after. An assignment at[i] := v of a step makes transitions from the values that at[i] can
// have (as far as the step's conditions tell) to the values that v can have. If no other effect of the turn, those of
// the plan's `then` included, can make such a transition at any site, then i can be read off the states before and
// after; and so can v, if nothing changes the slot again. Where that determines every parameter of every step (as a
// site or value, or as the direction from a known site to a known neighbour), steps that differ lead to states that
// differ. Steps in ascending order may make the same transitions: their slots can be read off as a set, which tells the
// parameters of each step if one slot tells all of them. A variable of any type that one effect of the turn changes,
// and always changes, tells its indices and its value in the same way.

#include "compiler/passes.hpp"
#include "ir/program.hpp"

#include <cstdint>
#include <vector>

namespace zug::run {

struct Distinct {
    bool proved = false;
    bool from_initial_locals = false; // the proof assumes that local variables have their initial values
};

// Different rules in an order, and whether every turn has the step; each turn has the first.
struct TurnSteps {
    std::vector<ir::RuleId> rules;
    std::vector<bool> always; // as many
    // As many, or none: the first parameter is greater than that of the step before, which makes the same transitions
    // and would do so after this one.
    std::vector<bool> ascending = {};
    // As many, or none: which kinds of turns have the step, as bits.
    std::vector<std::uint32_t> kinds = {};
};

// About all turns that are made of some of these steps, each at most once and in this order.
Distinct distinct_results(const ir::Program& program, const TurnSteps& steps, Passes& passes);

// A step that begins a turn of player `me`. `local_start`: assume that local variables have their initial values.
struct FirstStepOf {
    const ir::Program& program;
    const ir::Rule& rule;
    std::int64_t me = 0;
    bool local_start = false;
};
// Whether an assignment to one site of a map leaves `condition` unchanged, where the variable `site` in it stands for
// that site. The condition must read nothing else that the step changes.
bool keeps_truth(const FirstStepOf& first, const ir::Effect& assignment, ir::ExprId condition, ir::ExprId site);
// Whether two sites, indices of one map, always differ where the rule's conditions hold: they allow no value of some
// map at both. Of sites that only names and the board determine, whatever the effects have changed since.
bool never_same(const FirstStepOf& first, ir::ExprId a, ir::ExprId b);
// Whether this value of an optional type is never none where the rule's conditions hold.
bool never_none(const FirstStepOf& first, ir::ExprId site);

} // namespace zug::run
