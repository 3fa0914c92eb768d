#pragma once
// Whether different steps make different moves.

#include "compiler/passes.hpp"
#include "compiler/turns/turn_variants.hpp"
#include "ir/program.hpp"

#include <vector>

namespace zug::run {

// A copy of the program in which the steps of each variant are of different rules: of a rule that a variant has twice
// there is a copy, under other names. Returns which rule each is a copy of, itself for all others; empty: a rule cannot
// be copied.
std::vector<ir::RuleId> tell_steps_apart(ir::Program& program, std::vector<TurnVariant>& variants);

// Writes a path from one site to one site that is added to a set, or taken out of it, as that site: `s | f.d` as
// `s | {f.d}`, whose member tells the step.
void name_single_members(ir::Program& program);

// Which steps of a variant can be exchanged with the one before, and are in ascending order.
using Ascending = std::vector<bool>;

// By variant: whether its turns are known to be other moves than all other turns that are possible in the same
// position. `local_start`: a turn begins with the initial values of local variables. The program is as
// tell_steps_apart() left it; `ascending` is by variant, as many for each as it has steps.
std::vector<bool> distinct_turns(const ir::Program& program, const std::vector<TurnVariant>& variants,
                                 const std::vector<Ascending>& ascending, bool local_start, Passes& passes);

} // namespace zug::run
