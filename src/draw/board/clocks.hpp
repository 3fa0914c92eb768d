#pragma once
// Numbers that only count towards an end, such as plies without a capture: no part of what players look at.

#include "ir/program.hpp"

#include <cstdint>
#include <vector>

namespace zug::draw::board {

// Towards which ends: draws, or any end, as passes in a row do.
enum class Towards : std::uint8_t { Draws, Ends };

// By StateId: whether nothing reads the variable but its own updates and the conditions of such ends. A walk of all
// expressions.
std::vector<bool> clocks_of(const ir::Program& program, Towards towards = Towards::Draws);

} // namespace zug::draw::board
