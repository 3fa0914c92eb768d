#pragma once
// How the turns of a plan can begin, where that decides which alternative is played.

#include "bytecode/turn_opening.hpp"
#include "compiler/analysis/move_injectivity.hpp"
#include "compiler/passes.hpp"

#include <vector>

namespace zug::run {

// In the order in which they are tried; if none of them has an instance, there is no chain of a step. Empty where the
// plan isn't of that kind.
std::vector<TurnOpening> turn_openings(const ir::Program& program, Passes& passes);

} // namespace zug::run
