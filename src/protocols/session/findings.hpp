#pragma once
// What a player has found out about a position, as protocols tell it.

#include "game/game.hpp"
#include "search/search.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace zug::protocols {

// Best play from a position, as far as it was found out.
struct Line {
    std::vector<std::uint64_t> ids;
    std::vector<std::string> moves; // the same as texts
    std::vector<double> value;      // by player
    int depth = 0;
    bool exact = false; // the value is proven
    bool ends = false;  // the game is over after the last move
};

struct Findings {
    std::vector<Line> lines; // the best first; empty: the player does not search, or has not found one yet
    std::uint64_t nodes = 0;
    double seconds = 0;
    int deepest = 0;         // see search::Result
    double table_share = -1; // the same
};

// The line of a search from `root`. Cost: makes its moves and writes their texts.
Line line_of(game::Game& game, const game::State& root, search::Result result);

} // namespace zug::protocols
