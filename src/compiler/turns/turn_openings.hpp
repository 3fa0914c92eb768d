#pragma once
// The opening steps of a turn plan: which rules can begin a turn, where that decides which alternative is played.

#include "bytecode/turn_opening.hpp"
#include "compiler/analysis/move_injectivity.hpp"
#include "compiler/passes.hpp"

#include <vector>

namespace zug::run {

// In the order in which they are tried: the first one that has an instance begins the turn, and if none has, there is
// no chain with a step. Empty where the plan is not of that kind, or the pass is switched off.
std::vector<TurnOpening> turn_openings(const ir::Program& program, Passes& passes);

} // namespace zug::run
