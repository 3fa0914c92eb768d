#pragma once
// The one source of randomness: xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators",
// 2018), seeded by splitmix64. Equal seeds give equal streams on every machine, so every run can be repeated.

#include <array>
#include <bit>
#include <cstdint>

namespace zug {

// One splitmix64 step: advances `x` and returns a mixed value. Also used to mix hashes.
constexpr std::uint64_t splitmix64(std::uint64_t& x) {
    x += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = x;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

class Random {
public:
    explicit constexpr Random(std::uint64_t seed = 1) {
        for (auto& word : words_) word = splitmix64(seed);
    }

    constexpr std::uint64_t next() {
        const std::uint64_t result = std::rotl(words_[1] * 5, 7) * 9;
        const std::uint64_t shifted = words_[1] << 17;
        words_[2] ^= words_[0];
        words_[3] ^= words_[1];
        words_[1] ^= words_[2];
        words_[0] ^= words_[3];
        words_[2] ^= shifted;
        words_[3] = std::rotl(words_[3], 45);
        return result;
    }

    // Uniform over 0..n-1 for n > 0, without bias (Lemire, "Fast random integer generation in an interval", 2019).
    constexpr std::uint32_t below(std::uint32_t n) {
        std::uint64_t product = (next() >> 32) * n;
        auto low = static_cast<std::uint32_t>(product);
        if (low < n) {
            const std::uint32_t threshold = (0U - n) % n;
            while (low < threshold) {
                product = (next() >> 32) * n;
                low = static_cast<std::uint32_t>(product);
            }
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

    // Uniform over [0, 1) in steps of 2^-53.
    constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

private:
    std::array<std::uint64_t, 4> words_{};
};

} // namespace zug
