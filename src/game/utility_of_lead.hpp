#pragma once
// Evaluations as utilities.

#include "game/facts/eval_scale.hpp"
#include "game/facts/traits.hpp"

#include <algorithm>
#include <cmath>

namespace zug::game {

// What a position is worth in which nobody leads: 0 if that lies inside the range of utilities, else the middle.
inline double even_utility(const Traits& traits) {
    const double low = traits.min_utility, high = traits.max_utility;
    return low < 0 && 0 < high ? 0 : (low + high) / 2;
}

// The utility of a lead (Game::lead), strictly inside the range of utilities, so that no estimate looks like a proven
// result. Grows with the lead. The range must not be a single utility.
inline double utility_of_lead(double lead, const EvalScale& scale, const Traits& traits) {
    const double low = traits.min_utility, high = traits.max_utility;
    double value = 0;
    if (scale.slope > 0) {
        value = scale.offset + scale.slope * lead;
    } else {
        const double even = even_utility(traits);
        const double room = lead < 0 ? even - low : high - even;
        const double unit = scale.unit > 0 ? scale.unit : room;
        value = even + room * (lead / (unit + std::abs(lead)));
    }
    return std::clamp(value, std::nextafter(low, high), std::nextafter(high, low));
}

} // namespace zug::game
