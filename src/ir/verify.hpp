#pragma once
// Checks that a program is well formed: ids in range, arities, types that fit. The checker's output always is; a
// finding is a mistake of ours, never of a rule file. Cost: one look at every node.

#include "ir/program.hpp"

#include <string>
#include <vector>

namespace zug::ir {

// What is wrong, a sentence each; empty if nothing is.
std::vector<std::string> verify(const Program& program);

} // namespace zug::ir
