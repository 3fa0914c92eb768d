#pragma once
// What an evaluation says of single values, for people to see what was learned.

#include "game/game.hpp"

#include <string>
#include <vector>

namespace zug::learn {

// What a value adds to the first player's utility, wherever it may stand.
struct Worth {
    std::string title = {};              // `at = X`, `one more: n`, `in captured[White]`
    std::vector<std::string> names = {}; // of the places
    const ir::Board* board = nullptr;    // whose sites they are, in order; null: they are not, or it has no rows
    std::vector<double> percent = {};    // by place, of half the range of utilities
};

// Compares positions in which a slot has the value with the same positions where it has its first one (of numbers: one
// more with as many as there are): means over positions of random games, the same in every call. Such positions may be
// impossible; evaluations need not mind. Cost: some dozen evaluations for each value of each slot.
std::vector<Worth> find_worths(game::Game& game);

} // namespace zug::learn
