#pragma once
// What random games from a position are like.

#include "game/game.hpp"

#include <cstdint>
#include <functional>

namespace zug::game {

struct Shape {
    double moves = 0;          // of a position, on the average
    double plies = 0;          // of a game, or up to 200 of it, on the average
    std::uint32_t longest = 0; // the plies of the longest
    double payoff = 0;         // the first player's, on the average of the games that ended; 0: none did
    bool complete = false;     // not cut short
};

// Plays so many random games (random_games.hpp), until `goes_on`, asked at every position, says no. The same in every
// call that is not cut short. A rule that fails ends the last of the games.
Shape shape_of(Game& game, const State& start, std::uint64_t games, const std::function<bool()>& goes_on);

} // namespace zug::game
