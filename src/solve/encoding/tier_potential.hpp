#pragma once
// A measure of positions that no move lowers, such as the number of men on a board that fills: it cuts a game into
// tiers, which are solved one by one, the last first. Where every move raises it the game has no cycles.
//
// A measure is a weight for each value of each slot (ir/program.hpp); a position's measure is the sum. Which variables
// to count is guessed from random games; that it holds is found out at every move of the enumeration, so a wrong guess
// costs time and never a wrong value.

#include "game/game.hpp"

#include <cstdint>
#include <vector>

namespace zug::solve {

struct TierPotential {
    // By slot and ordinal; empty: every position measures 0.
    std::vector<std::vector<std::int32_t>> weights;
    std::int32_t least = 0, greatest = 0; // of any position
    bool rises = false;                   // at every move

    bool constant() const { return weights.empty(); }
    // least and greatest, from the weights.
    void find_range();
};

// The number of values of each slot, the turn's and the last mover's included; 1 for those that no rule changes.
std::vector<std::uint64_t> slot_sizes(const ir::Program& program);

// A measure that held in some hundreds of random games from `start`, or a constant one.
TierPotential guess_potential(game::Game& game, const game::State& start);

} // namespace zug::solve
