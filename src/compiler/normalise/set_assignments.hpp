#pragma once
// Loops that assign the same value at each member of a set, `for n in S: at[n] := v`, as assignments to the set,
// `at[S] := v`, which are one operation. Those under a condition are to the members that satisfy it.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Replaces them in all effects of the program. Returns how many loops were replaced.
std::uint64_t assign_by_sets(ir::Program& program);

} // namespace zug::run
