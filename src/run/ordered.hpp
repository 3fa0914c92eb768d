#pragma once
// Reals as words that compare as integers do, and whose negative is the word of the negative: what routines work with
// where values are only compared.

#include <bit>
#include <cstdint>
#include <limits>

namespace zug::run {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// Not for NaN; -0 and 0 are one.
constexpr std::uint64_t word_of(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t size = bits & (UINT64_MAX >> 1);
    return bits == size ? size : 0 - size;
}
constexpr double real_of(std::uint64_t word) {
    const bool negative = static_cast<std::int64_t>(word) < 0;
    const double size = std::bit_cast<double>(negative ? 0 - word : word);
    return negative ? -size : size;
}

} // namespace zug::run
