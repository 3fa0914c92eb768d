#pragma once
// What can be known of a game from its program alone.

#include "ir/program.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace zug::game {

// How what a game asks about earlier positions bears on solving it position by position: see history.hpp.
enum class HistoryKind : std::uint8_t { None, RepetitionDraw, PathDependent };

inline constexpr std::size_t max_players = 16; // of the language

// The facts that searchers choose by. Bounds hold for every reachable end.
struct Traits {
    std::uint32_t players = 0;
    bool chance = false;   // has chance rules
    bool zero_sum = false; // two players whose utilities always add up to zero, proved from the end clauses
    double min_utility = -1, max_utility = 1;
    // The utilities that ends may have for the first player, ascending; empty where they are worked out from the state.
    std::vector<double> utilities = {};
    bool has_eval = false;
    bool has_history = false; // asks about earlier positions, if only in an evaluation
    HistoryKind history = HistoryKind::None;
    bool has_chains = false;
};

Traits find_traits(const ir::Program& program);

} // namespace zug::game
