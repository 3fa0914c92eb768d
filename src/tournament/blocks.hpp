#pragma once
// The results that ratings and tests are computed from.
//
// Two players are compared in every game that both play: the one with the greater utility scores a point, equal
// utilities score half a point each. A game of two players has one comparison, a game of three has three. In games of a
// single player, the games that different players play from the same opening are compared.
//
// A block is the set of games in which the same players play the same opening, once in each assignment of seats. The
// opening favours somebody, so the games of a block are not independent of each other; blocks are. With two players a
// block is a pair of games with five possible scores, and the counts of these are called pentanomial.

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace zug::tournament {

// Of two players a < b within a block.
struct PairScore {
    std::uint16_t a = 0, b = 0;
    std::uint16_t comparisons = 0, half_points = 0; // half_points: of a, from 0 to 2 * comparisons

    auto operator<=>(const PairScore&) const = default;
};

// The scores of all pairs that were compared in a block, ordered by players.
using BlockResult = std::vector<PairScore>;
// How often each result occurred: few numbers, however many games there were.
using BlockCounts = std::map<BlockResult, std::uint64_t>;

} // namespace zug::tournament
