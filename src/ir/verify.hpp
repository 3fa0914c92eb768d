#pragma once
// Checks that a program is well formed: ids in range, arities, types that fit. The output of the checker always is: a
// finding is a bug in zug, never an error in a rule file. Linear in the size of the program.

#include "ir/program.hpp"

#include <string>
#include <vector>

namespace zug::ir {

// The findings, one sentence each, at most 100; empty if the program is well formed.
std::vector<std::string> verify(const Program& program);

} // namespace zug::ir
