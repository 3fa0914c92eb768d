#pragma once
// Numbers that only count towards a draw, such as plies without a capture: no part of what players look at.

#include "ir/program.hpp"

#include <vector>

namespace zug::draw::board {

// By StateId: whether nothing reads the variable but its own updates and the conditions of draws. A walk of all
// expressions.
std::vector<bool> clocks_of(const ir::Program& program);

} // namespace zug::draw::board
