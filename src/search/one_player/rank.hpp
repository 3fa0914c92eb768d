#pragma once
// What a single player prefers: a greater utility, and of ways to the same utility above 0 the shortest. It is the
// order in which a solver prefers them too (remoteness), so that both find the same value and the same length.
//
// Ranks also bound what can be reached (game::Estimate): no play from there leads to anything better.

#include "game/game.hpp"

#include <algorithm>
#include <cstdint>

namespace zug::search {

struct Rank {
    double utility = 0;
    std::uint32_t plies = 0; // from the root; 0 where the utility is not above 0, where length does not matter

    friend bool operator==(const Rank&, const Rank&) = default;
};

constexpr bool better(const Rank& a, const Rank& b) {
    return a.utility != b.utility ? a.utility > b.utility : a.plies < b.plies;
}
constexpr const Rank& worse_of(const Rank& a, const Rank& b) { return better(a, b) ? b : a; }
constexpr const Rank& better_of(const Rank& a, const Rank& b) { return better(b, a) ? b : a; }

// Of an end with that utility, so many plies from the root.
constexpr Rank end_rank(double utility, std::uint32_t plies) { return {utility, utility > 0 ? plies : 0}; }

// The best that can come of a position so many plies from the root.
constexpr Rank open_rank(const game::Estimate& estimate, std::uint32_t plies) {
    return end_rank(estimate.utility, plies + estimate.plies);
}

// A line that never ends: it is worth 0.
inline constexpr Rank endless{};

} // namespace zug::search
