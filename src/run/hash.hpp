#pragma once
// Hashes that executors share: ids of chains must be the same whichever executor lists them.
//
// 64 bits at a time through a widening multiplication (the mixing step of wyhash by Wang Yi). Not meant to stand
// against someone who looks for collisions.

#include <array>
#include <cstdint>
#include <span>

namespace zug::run {

// The high and low half of a 128-bit product, xored.
inline std::uint64_t multiply_mix(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t combine_hashes(std::uint64_t a, std::uint64_t b) {
    return multiply_mix(a ^ 0xA0761D6478BD642FULL, b ^ 0xE7037ED1A0B428DBULL);
}

// Of a position's canonical slots (ir/program.hpp).
std::uint64_t slots_hash(std::span<const std::uint32_t> slots);

// 128 bits, for keys of the history, which are compared by their hash alone.
std::array<std::uint64_t, 2> words_hash(std::span<const std::uint64_t> words);

} // namespace zug::run
