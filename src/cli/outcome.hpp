#pragma once
// Texts for the outcome of a game.

#include <optional>
#include <span>
#include <string>

namespace zug::game {
class Game;
}

namespace zug::cli {

// "X wins", "North and South win", "draw", "White wins (White 12, Black -12)", "Solver gets 0.5".
std::string outcome_text(const game::Game& game, std::span<const double> payoffs);

// Expected utilities: "X wins with probability 0.530592725", "A expects 0.25", "A 0.3, B 0.7".
std::string expected_text(const game::Game& game, std::span<const double> values,
                          std::optional<double> win_probability);

} // namespace zug::cli
