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

    constexpr std::uint64_t next() { return next(words_.data()); }

    // Uniform over 0..n-1 for n > 0, without bias (Lemire, "Fast random integer generation in an interval", 2019).
    constexpr std::uint32_t below(std::uint32_t n) { return below(words_.data(), n); }

    // Uniform over [0, 1) in steps of 2^-53.
    constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    // The state of the generator, for callers that keep it elsewhere (compiled code) and draw with the functions below.
    using Words = std::array<std::uint64_t, 4>;
    constexpr const Words& words() const { return words_; }
    constexpr void set_words(const Words& words) { words_ = words; }

    static constexpr std::uint64_t next(std::uint64_t* words) {
        const std::uint64_t result = std::rotl(words[1] * 5, 7) * 9;
        const std::uint64_t shifted = words[1] << 17;
        words[2] ^= words[0];
        words[3] ^= words[1];
        words[1] ^= words[2];
        words[0] ^= words[3];
        words[2] ^= shifted;
        words[3] = std::rotl(words[3], 45);
        return result;
    }

    static constexpr std::uint32_t below(std::uint64_t* words, std::uint32_t n) {
        std::uint64_t product = (next(words) >> 32) * n;
        auto low = static_cast<std::uint32_t>(product);
        if (low < n) {
            const std::uint32_t threshold = (0U - n) % n;
            while (low < threshold) {
                product = (next(words) >> 32) * n;
                low = static_cast<std::uint32_t>(product);
            }
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

private:
    Words words_{};
};

} // namespace zug
