#pragma once
// Sizes in narrower types. The checker refuses what is too large for them, so a size that does not fit is our own
// mistake: the program ends with a message, in every build, before memory is written that isn't there.

#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <utility>

namespace zug {

template <std::integral To, std::integral From>
constexpr To narrow(From value, std::source_location at = std::source_location::current()) {
    if (!std::in_range<To>(value)) [[unlikely]] {
        std::fprintf(stderr, "zug: %s:%u: a size does not fit: this is a mistake in zug\n", at.file_name(), at.line());
        std::abort();
    }
    return static_cast<To>(value);
}

} // namespace zug
