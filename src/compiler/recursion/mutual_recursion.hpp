#pragma once
// Definitions that call each other in a cycle: `ends(c, d) = c in at.foe and more(c.d, d)` and
// `more(c, d) = c in at.me or ends(c, d)`. Where all cycles lead through one of them, the others are written out in
// it, so that it alone is recursive, by calls of itself, as the other passes expect.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// The number of calls that were written out. Cost: the size of the program, and of what is written out, at most 5,000
// expressions for each definition.
std::uint64_t write_out_mutual_recursion(ir::Program& program);

} // namespace zug::run
