#pragma once
// Loops that assign one value along the lines from a site: over numbers of steps, over directions.
//
//   for d in compass, k in 1..6: if at[c.d^(k + 1)] = me and all j in 1..k: at[c.d^j] = foe:
//     for j in 1..k: at[c.d^j] := me
//
// becomes one assignment to a set. To set a site twice is a fault, so that a loop is kept unless no two of its rounds
// can set the same.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Returns how many loops it has replaced.
std::uint64_t assign_along_rays(ir::Program& program);

} // namespace zug::run
