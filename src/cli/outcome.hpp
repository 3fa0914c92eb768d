#pragma once
// How a finished game is told to people.

#include <span>
#include <string>

namespace zug::game {
class Game;
}

namespace zug::cli {

// "X wins", "draw", "White wins (White 12, Black -12)", "Solver gets 0.5".
std::string outcome_text(const game::Game& game, std::span<const double> payoffs);

} // namespace zug::cli
