#pragma once
// Sharing out the time of a game.

#include "search/core/limits.hpp"

#include <cstdint>

namespace zug::match {

// What a player's clock shows before a move, in seconds.
struct GameClock {
    double left = 0, increment = 0; // the increment comes after each move
    std::uint32_t moves_to_go = 0;  // for which `left` has to last; 0: the rest of the game
};

// Sets `seconds` and `enough_seconds` for one move.
void share_time(const GameClock& clock, search::Limits& limits);

} // namespace zug::match
