#pragma once
// Looks for positions where a file's `bound` promises too little.

#include "game/game.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace zug::game {

struct BoundFault {
    ir::ExprId bound{}; // the expression that is wrong
    std::string text;   // the position, what the bound says of it, and a line of play that shows otherwise
};

struct BoundReport {
    std::uint64_t positions = 0; // that were looked at
    bool whole = false;          // all that can be reached
    std::optional<BoundFault> fault;
};

// Looks at the positions that can be reached from `start`, the nearest first, at most so many. What is known of a
// position is what play among these leads to, so a fault is always one, while a wrong bound may go unnoticed where they
// are not all. Of several faults the one nearest to an end is told. Only for games of one player without chance. Time
// and memory are linear in the number of positions and moves. A fault of the rules ends the search early.
BoundReport check_bound(Game& game, const State& start, std::uint64_t most_positions,
                        const std::function<bool()>& stop);

} // namespace zug::game
