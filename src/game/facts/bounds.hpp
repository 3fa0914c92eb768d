#pragma once
// Interval analysis of terms.

#include "game/facts/terms.hpp"

namespace zug::game {

struct Interval {
    double lo = 0, hi = 0;
};

// What an unknown real is taken to lie in.
inline constexpr Interval unbounded{.lo = -0x1p40, .hi = 0x1p40};

Interval hull(const Interval& a, const Interval& b);

// Bounds of a number's value in every state, from its type and its parts.
Interval bounds(const Terms& terms, TermId id);

} // namespace zug::game
