#pragma once
// What a model may look at.

#include "game/game.hpp"

#include <cstdint>
#include <vector>

namespace zug::learn {

struct InputVariable {
    const ir::StateVariable* variable = nullptr; // of the game's program
    std::uint64_t values = 0;                    // of each of its slots, at least 2
};

// The variables that rules change, in order, but for counters of the history, by which positions are not told apart.
std::vector<InputVariable> input_variables(const game::Game& game);

// By how many bits numbers below `values` are shifted to leave at most `most` of them.
std::uint8_t group_shift(std::uint64_t values, std::uint64_t most);

} // namespace zug::learn
