#pragma once
// A potential function: a number that no move lowers, such as the number of pieces on a board that fills up. It divides
// a game into tiers, which are solved one by one, last tier first. If every move raises it, the game has no cycles.
//
// It has a weight for each value of each slot (ir/program.hpp); a position's potential is the sum of its weights. Which
// variables to count is guessed from random games. The enumeration checks the potential at every move, so a wrong guess
// costs time but never makes a value wrong.

#include "game/game.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace zug::solve {

struct TierPotential {
    // By slot and ordinal; empty: every potential is 0.
    std::vector<std::vector<std::int32_t>> weights;
    std::int32_t least = 0, greatest = 0; // of any position
    bool rises = false;                   // at every move

    bool constant() const { return weights.empty(); }
    // Whether there is a weight for each value of slots of these sizes, and every potential is below 2^30. The weights
    // may come from a file.
    bool fits(std::span<const std::uint64_t> sizes) const;
    // Sets least and greatest from the weights.
    void find_range();
};

// A potential function that held in 300 random games from `start`, or a constant one.
TierPotential guess_potential(game::Game& game, const game::State& start);

} // namespace zug::solve
