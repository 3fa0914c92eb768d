#pragma once
// Sizes in narrower types.

#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <source_location>
#include <utility>

namespace zug {

// The checker refuses what is too large for the type, so a size that does not fit is our own mistake: the program ends
// with a message, in every build, before memory is written that isn't there.
template <std::integral To, std::integral From>
constexpr To narrow(From value, std::source_location at = std::source_location::current()) {
    if (!std::in_range<To>(value)) [[unlikely]] {
        std::fprintf(stderr, "zug: %s:%u: a size does not fit: this is a mistake in zug\n", at.file_name(), at.line());
        std::abort();
    }
    return static_cast<To>(value);
}

// A size that a later check refuses if it is too large for the type, or has refused already: the largest value then,
// which nobody uses.
template <std::unsigned_integral To, std::unsigned_integral From>
constexpr To saturated(From value) {
    return std::in_range<To>(value) ? static_cast<To>(value) : std::numeric_limits<To>::max();
}

} // namespace zug
