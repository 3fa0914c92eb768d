#pragma once
// What moves change in one direction only: the men that have been captured, how far those have come that never go back.
//
// A measure has a weight for each value of each slot (ir/program.hpp); a position's measure is their sum. Its terms are
// guessed: the numbers of entries of a map that hold a value, and their sums of coordinates, as far as these never fell
// in some random games. So a move may yet lower it, and whoever relies on it has to look.

#include "game/game.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace zug::game {

class OneWayMeasure {
public:
    // Of the variables that `counts` names, maps of a few values each. Time: that of a thousand random moves, at most.
    OneWayMeasure(Game& game, const std::function<bool(ir::StateId)>& counts);

    // Whether there is nothing to measure.
    bool empty() const { return terms_.empty(); }
    std::int64_t of(std::span<const std::uint32_t> slots) const;

private:
    struct Term {
        std::uint32_t slot = 0;
        std::vector<std::int32_t> weights; // by ordinal
    };
    std::vector<Term> terms_;
};

} // namespace zug::game
