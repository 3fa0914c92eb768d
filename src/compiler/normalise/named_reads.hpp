#pragma once
// Comparisons of what is computed from names and from variables of the state, as `abs(x(t) - x(here)) = 2` is: the
// variables get names, so that the comparison has a table by the values of all of them.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// The number of comparisons in which variables have got names. Cost: linear in the size of the program.
std::uint64_t name_reads(ir::Program& program);

} // namespace zug::run
