#pragma once
// Relabellings of a game's positions that may be symmetries: where they come from is said in symmetry.hpp. Nothing but
// the board and the types is looked at here, and the start, which each of them leaves as it is.

#include "solve/symmetry/symmetry.hpp"

namespace zug::solve {

// Without the identity. `start`: slots.
std::vector<Symmetry> symmetry_candidates(const ir::Program& program, std::span<const std::uint32_t> start);

} // namespace zug::solve
