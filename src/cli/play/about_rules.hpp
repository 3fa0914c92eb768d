#pragma once
// What a rule file says in words, and which of its rules ended a game.

#include "diag/diagnostic.hpp"
#include "game/game.hpp"

#include <string>

namespace zug::cli {

// The comment at the beginning of the file and of those that it extends, the values of its parameters, and what is
// written about its declarations.
std::string rules_text(const ir::Program& program, const diag::Sources& sources);

// "by the rule `me wins when line(3, at.me)` (tic-tac-toe.zug:15)" of a position where the game is over; empty
// where that is not known.
std::string end_words(game::Game& game, const game::State& state, const diag::Sources& sources);

} // namespace zug::cli
