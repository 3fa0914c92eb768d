#pragma once
// What stands between two sites, as lines: where a set that does not depend on the state tells which sites lie between
// two others, such as {c | y(c) = y(f) = y(t), x(f) < x(c) < x(t)}, and those are the sites that steps of the board
// pass on the way from the one to the other, then `some between(f, t) & S` asks whether t is out of reach of lines from
// f that run through sites outside of S. Lowering has rays for such lines (compiler/lower/paths.cpp).
//
// Cost: the set is evaluated for each pair of sites, within a limit.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Replaces such conditions in the program. Expressions keep their numbers and meanings. Returns how many were replaced.
std::uint64_t follow_lines_between(ir::Program& program);

} // namespace zug::run
