#pragma once
// What a search for a proof is asked, and what it may answer.

#include <cstdint>

namespace zug::search {

struct Question {
    std::uint32_t player = 0;
    double at_least = 0; // of that player's utility
};

enum class Verdict : std::uint8_t {
    Proven,
    Disproven,
    Unless, // disproven, provided that repeated positions do not reach the goal
    Open,   // a limit, or a failure, stopped the search
};

} // namespace zug::search
