#pragma once
// Interval analysis of terms.

#include "game/facts/terms.hpp"

namespace zug::game {

struct Interval {
    double lo = 0, hi = 0;
};

// The interval assumed for an unknown real.
inline constexpr Interval unbounded{.lo = -0x1p40, .hi = 0x1p40};

Interval hull(const Interval& a, const Interval& b);

// Bounds of a number that hold in every state, derived from its type and its operands.
Interval bounds(const Terms& terms, TermId id);

} // namespace zug::game
