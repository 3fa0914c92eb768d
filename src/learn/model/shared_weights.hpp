#pragma once
// Weights that several threads learn, each on a copy of its own, so that one thread learns the same each time.

#include <cstdint>
#include <vector>

namespace zug::learn {

// After how many games a thread adds what it has learned to the common weights.
inline constexpr std::uint32_t games_until_shared = 8;

// Adds the change of `own` since `base`, when it was last shared, to the common weights, which then are own and base.
// What no other thread has changed is taken as it is, without another rounding.
inline void share_weights(std::vector<float>& common, std::vector<float>& own, std::vector<float>& base) {
    for (std::size_t i = 0; i < common.size(); ++i)
        base[i] = own[i] = common[i] = common[i] == base[i] ? own[i] : common[i] + (own[i] - base[i]);
}

} // namespace zug::learn
