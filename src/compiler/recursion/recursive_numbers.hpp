#pragma once
// Definitions by themselves that count: `run(c, d, k) = k = 0 or at[c] = me and run(c.d, d, k - 1)`. A call with a
// number that is known becomes a call of a definition of its own for that number, which calls the one for the next
// number, and so on: none of them is recursive any more. A number of few values that is not known is a choice among
// such calls.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Replaces such calls; the number of them. Cost: the size of a definition for each number that it is asked for, at most
// 64 a call, and a copy of the program for each of at most 256 calls.
std::uint64_t unroll_recursive_numbers(ir::Program& program);

} // namespace zug::run
