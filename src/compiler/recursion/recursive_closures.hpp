#pragma once
// Sets of sites that are defined by themselves and only grow along paths, such as
//
//   def group(c: cell, p: player) = {n: cell | n = c or at[n] = p and some n.ortho & group(c, p)}
//
// are what a path that is repeated leads to: here `c.(ortho & at.p)^*`. The least set X with X = B | X.r is B.r^*, and
// unlike a definition that is grown for each argument by itself, a path can be followed for all arguments at once.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Gives such definitions the path as their body. Returns how many there were.
std::uint64_t close_recursions(ir::Program& program);

} // namespace zug::run
