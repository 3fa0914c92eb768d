#pragma once
// Positions to learn from: those of random games.

#include "game/game.hpp"

#include <functional>

namespace zug::game {

// Plays so many games of at most 200 moves from `start`, each move drawn uniformly (at chance nodes too), and calls
// visit(state, ply) for every position, the start and the last one included, until it returns false or after a run-time
// fault, which is cleared. The games are the same in every call.
void play_random_games(Game& game, const State& start, std::uint64_t games,
                       const std::function<bool(const State&, std::uint32_t)>& visit);

} // namespace zug::game
