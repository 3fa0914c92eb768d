#pragma once
// Facts about a game that are derived from its program alone, without playing it.

#include "ir/program.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace zug::game {

// Whether rules about earlier positions allow a game to be solved position by position: see history.hpp.
enum class HistoryKind : std::uint8_t { None, RepetitionDraw, PathDependent };

inline constexpr std::size_t max_players = 16; // of the language

// The facts by which searchers choose a method. The bounds hold for every reachable end.
struct Traits {
    std::uint32_t players = 0;
    bool chance = false;   // has chance rules
    bool zero_sum = false; // two players whose utilities always add up to zero, proved from the end clauses
    double min_utility = -1, max_utility = 1;
    // The utilities that ends may have for the first player, ascending; empty if they are computed from the state.
    std::vector<double> utilities = {};
    bool has_eval = false;
    bool has_loud = false; // says of some moves that they are loud: those to search until the position is quiet
    bool has_bound = false;
    bool has_history = false; // reads earlier positions, if only in an evaluation
    HistoryKind history = HistoryKind::None;
    bool has_chains = false;
};

Traits find_traits(const ir::Program& program);

} // namespace zug::game
