#pragma once
// What happens in random games, for all that is learned of a game by looking on.

#include "game/game.hpp"

#include <cstddef>
#include <functional>

namespace zug::draw::board {

// A position of such a game, and the move that is made in it.
struct Sight {
    game::Game& game;
    const game::State& state;
    game::NodeKind kind;
    const game::MoveList& moves; // empty where the game is over
    const game::State* next;     // null: no move is made
};

// Shows up to `positions` positions of games from the start, of 150 plies at most. The same each time.
void watch_random_games(const game::Game& game, std::size_t positions, const std::function<void(const Sight&)>& see);

} // namespace zug::draw::board
