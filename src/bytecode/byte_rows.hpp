#pragma once
// Rows of signed bytes in words, eight to a word from the low bits up, whatever the machine's order of bytes is. The
// operations on eight bytes at once are those of H. S. Warren, Hacker's Delight (2012), chapter 2.

#include "base/narrow.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace zug::run {

constexpr std::uint16_t bytes_to_words(std::uint64_t bytes) { return narrow<std::uint16_t>((bytes + 7) / 8); }

inline std::int64_t byte_at(const std::uint64_t* row, std::uint64_t entry) {
    return static_cast<std::int8_t>(row[entry / 8] >> (entry % 8 * 8));
}
inline void set_byte(std::uint64_t* row, std::uint64_t entry, std::int64_t value) {
    const std::uint64_t shift = entry % 8 * 8;
    std::uint64_t& word = row[entry / 8];
    word = (word & ~(std::uint64_t{0xFF} << shift)) | (static_cast<std::uint64_t>(value) & 0xFF) << shift;
}
inline std::int64_t clamped_to_byte(std::int64_t value) {
    return std::clamp<std::int64_t>(value, std::numeric_limits<std::int8_t>::min(),
                                    std::numeric_limits<std::int8_t>::max());
}

constexpr std::uint64_t each_byte = 0x0101010101010101; // times a byte: eight of it
constexpr std::uint64_t high_bits = 0x80 * each_byte;
constexpr std::uint64_t gather_high_bits = 0x0002040810204081; // times high bits: they are the highest eight

// The bytes of a word that are greater than the bound, as eight bits.
inline std::uint64_t bytes_above(std::uint64_t word, std::int64_t bound) {
    // As unsigned numbers that are at least the next one.
    const std::int64_t least = std::clamp<std::int64_t>(bound, -129, 127) + 129;
    if (least == 256) return 0;
    const std::uint64_t x = word ^ high_bits, y = static_cast<std::uint64_t>(least) * each_byte;
    const std::uint64_t low = (x | high_bits) - (y & ~high_bits); // without borrows between bytes
    const std::uint64_t at_least = ((x & ~y) | (~(x ^ y) & low)) & high_bits;
    return at_least * gather_high_bits >> 56;
}

} // namespace zug::run
