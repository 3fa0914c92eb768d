#pragma once
// Facts about a game that are derived from its program alone, without playing it.

#include "ir/program.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace zug::game {

// Whether rules about earlier positions allow a game to be solved position by position: see history.hpp.
enum class HistoryKind : std::uint8_t { None, RepetitionDraw, PathDependent };

inline constexpr std::size_t max_players = 16; // of the language

// The team of each player where nobody plays together.
inline constexpr auto each_alone = [] {
    std::array<std::uint8_t, max_players> team{};
    for (std::uint8_t p = 0; p < max_players; ++p) team[p] = p;
    return team;
}();

// The facts by which searchers choose a method. The bounds hold for every reachable end.
struct Traits {
    std::uint32_t players = 0;
    // Who play together have the same utility, and their evaluation is the mean of their own. A player without partners
    // is a team, too. Teams are numbered in the order of their first members.
    std::uint32_t partners = 0;                              // players who are in the team of an earlier one
    std::array<std::uint8_t, max_players> team = each_alone; // of each player
    std::uint32_t first_side = 1;                            // one bit for each player in the first one's team
    std::uint32_t rival = 1;                                 // the first player who is in another team, if there is one
    bool chance = false;                                     // has chance rules
    // Two players, or two teams, whose utilities always add up to zero, proved from the end clauses.
    bool zero_sum = false;
    double min_utility = -1, max_utility = 1;
    // The utilities that ends may have for the first player, ascending; empty if they are computed from the state.
    std::vector<double> utilities = {};
    bool has_eval = false;
    bool has_loud = false; // says of some moves that they are loud: those to search until the position is quiet
    bool has_bound = false;
    bool has_history = false; // reads earlier positions, if only in an evaluation
    HistoryKind history = HistoryKind::None;
    bool has_chains = false;
    double log2_states = 0; // of the number of combinations of the values of all variables, and who is to move

    std::uint32_t teams() const { return players - partners; }
    // One bit a player: those who play together with this one, and the player.
    std::uint32_t allies(std::uint32_t player) const {
        std::uint32_t all = 0;
        for (std::uint32_t p = 0; p < players; ++p) all |= team[p] == team[player] ? 1U << p : 0U;
        return all;
    }
};

Traits find_traits(const ir::Program& program);

} // namespace zug::game
