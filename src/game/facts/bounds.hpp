#pragma once
// Interval analysis of terms.

#include "game/facts/terms.hpp"

#include <limits>
#include <optional>

namespace zug::game {

struct Interval {
    double lo = 0, hi = 0;
};

// Of a real of which nothing is known.
inline constexpr Interval unbounded{.lo = -std::numeric_limits<double>::infinity(),
                                    .hi = std::numeric_limits<double>::infinity()};

Interval hull(const Interval& a, const Interval& b);

// Bounds of a number that hold in every state, derived from its type and its operands.
Interval bounds(const Terms& terms, TermId id);
// The same of a payoff, which run::max_payoff bounds too; no term: by that alone.
Interval payoff_bounds(const Terms& terms, std::optional<TermId> payoff);

} // namespace zug::game
