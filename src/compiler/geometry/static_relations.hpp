#pragma once
// Conditions on two sites that do not depend on the state, such as `abs(x(t) - x(f)) = 1 and y(t) = y(f) + 2`, as paths
// of the board. Lowering follows paths by shifts and tables, whatever way the rules put it; a condition on coordinates
// would have to be asked of each pair of sites.
//
// A relation becomes a union of partial maps, one for each difference of coordinates (on boards without coordinates: as
// many as a site has partners). If that takes more than 64 maps, but its complement does not, it is the complement's
// negation; else it stays as it is.
//
// A site that depends on another alone, such as `if x(c) = 8: cell(1, y(c)) else c.E`, becomes one step of the board.
//
// Cost: the condition is evaluated for each pair of sites, and a site for each other, within a limit.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Replaces such conditions in the program. Expressions keep their numbers and meanings, and boards their steps, to
// which others are added. Returns how many were replaced.
std::uint64_t relate_by_paths(ir::Program& program);

} // namespace zug::run
