#pragma once
// Relabellings of a game's positions that may be symmetries; symmetry.hpp says where they come from. They follow from
// the boards and the types alone, and each maps the start to itself.

#include "solve/symmetry/symmetry.hpp"

namespace zug::solve {

// The identity is not among them. `start`: the slots of the first position.
std::vector<Symmetry> symmetry_candidates(const ir::Program& program, std::span<const std::uint32_t> start);

} // namespace zug::solve
