#include "match/game_clock.hpp"

#include <algorithm>

namespace zug::match {

// A move's share of the game's time: what would last for so many moves more, and most of what the move adds. A search
// that has not found out all it wants may take several times as much, but never most of what is left.
void share_time(const GameClock& clock, search::Limits& limits) {
    constexpr std::uint32_t usual_moves = 30;
    constexpr double most_shares = 3, most_of_rest = 0.4, least = 0.005;
    const std::uint32_t moves = clock.moves_to_go == 0 ? usual_moves : std::min(usual_moves, clock.moves_to_go);
    const double share = clock.left / moves + 0.8 * clock.increment;
    limits.seconds = std::max(least, std::min(most_shares * share, most_of_rest * clock.left));
    limits.enough_seconds = std::min(0.6 * share, limits.seconds);
}

} // namespace zug::match
