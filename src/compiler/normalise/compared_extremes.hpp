#pragma once
// Comparisons with the least or greatest of some numbers, where only the set that they are of depends on the state:
// `y(c) = min d in S: y(d)` holds if no d in S has y(d) < y(c), and some d has y(d) = y(c). What is asked of c and d is
// known at compile time then, and can become a path.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Replaces them in all expressions of the program, which keep their numbers and meanings. Returns how many.
// Cost: linear in the program.
std::uint64_t compare_each(ir::Program& program);

} // namespace zug::run
