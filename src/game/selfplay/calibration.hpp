#pragma once
// Finds the scale of a game's evaluation (EvalScale) from the ends of quick games that it plays against itself.
//
// In each game the players make that one of eight moves after which their evaluation is best, or one move in eight at
// random: so games of blocking and hitting come to an end, too. What the evaluation says of each position on the way is
// set against how the game ended, and the scale is the one with the least squared error.

#include "game/game.hpp"

#include <atomic>
#include <optional>

namespace zug::game {

// Empty: there is no evaluation, or too few games ended, or the evaluation says nothing of how they do. At most about
// 200,000 positions and four seconds; if the time is enough, the same in every call. Or `stop` was set.
std::optional<EvalScale> calibrate(Game& game, const std::atomic<bool>* stop = nullptr);

} // namespace zug::game
