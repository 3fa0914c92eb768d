#pragma once
// Openings: the first positions and moves of games, from a text with one in each line:
//
//   # a comment
//   e4 e5 Nf3                       moves (and chance events) from the start of the game
//   moves e4 e5 Nf3                 the same
//   position at=3/1X1/3 turn=O      a position, as `zug play` prints it

#include "base/error.hpp"
#include "game/game.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zug::tournament {

struct Opening {
    game::State start;
    std::string from;                // the text of the start, if it is not that of the game
    std::vector<std::uint64_t> line; // the ids of the moves that follow
};

// The error names the line. A game must not be over after its opening, and there must be one.
tl::expected<std::vector<Opening>, Error> parse_openings(std::string_view text, game::Game& game);

// Identifies a list of openings.
std::string openings_digest(const std::vector<Opening>& openings);

} // namespace zug::tournament
