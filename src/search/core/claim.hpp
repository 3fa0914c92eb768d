#pragma once
// A claim: a bound, or two, on the value of a searched node, and for which depths of search it holds.
//
// Write m(n, r) for the minimax value of node n at remaining depth r, in the view of the player to move. A bound on it
// ("m is at least v") holds for the depth at which it was found. It may also be proven: its reasons are ends of the
// game and not evaluations, and then it holds for every remaining depth from its height on, to the end of the game. So
// a bound carries one number:
//
//   a height h   proven: holds for every r >= h (0 at an end of the game)
//   at_depth     holds for the depth of the search only
//   unknown      no such bound
//
// Ordered in this way, the reason of a bound that rests on several bounds is the greatest of theirs. This is what lets
// a table entry stand in for a search of another depth without changing any value: an entry of a deeper search serves
// a shallower one only if it is proven, and then only where the shallower search too would see the ends that prove it.

#include <algorithm>
#include <cstdint>
#include <limits>

namespace zug::search {

using Reason = std::uint16_t;
inline constexpr Reason at_depth = 0xFFFE;
inline constexpr Reason unknown = 0xFFFF;

constexpr bool proven(Reason reason) { return reason < at_depth; }

// The reason of the same bound one ply further from the leaves.
constexpr Reason above(Reason reason) { return proven(reason) ? static_cast<Reason>(reason + 1) : reason; }

struct Claim {
    double value = 0;
    Reason lower = unknown; // m >= value
    Reason upper = unknown; // m <= value

    bool exact() const { return lower != unknown && upper != unknown; }
    bool proven() const { return search::proven(lower) && search::proven(upper); }
    // The same claim in the view of the other side.
    Claim flipped() const { return {-value, upper, lower}; }
    // The claim that it gives its parent.
    Claim raised() const { return {value, above(lower), above(upper)}; }
};

struct Window {
    double alpha, beta;
    Window flipped() const { return {-beta, -alpha}; }
};
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Window full_window{-infinity, infinity};

} // namespace zug::search
