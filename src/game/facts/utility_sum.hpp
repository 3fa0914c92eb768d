#pragma once
// What the players' utilities add up to.

#include "ir/program.hpp"

namespace zug::game {

// No end of the game gives all players together more: the sum of the bounds of their payoffs, which is the sum itself
// where the end clauses state numbers. 0 for a game without end clauses.
double greatest_utility_sum(const ir::Program& program);

} // namespace zug::game
