#pragma once
// Hashes that executors share: ids of chains must be the same whichever executor lists them.
//
// Of few words 64 bits at a time through a widening multiplication (the mixing step of wyhash, by Wang Yi), of many by
// XXH3 (Yann Collet). Not meant to withstand somebody who looks for collisions.

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

// 128 bits, for what is compared by its hash alone, such as the keys of the history.
using WordsHash = std::array<std::uint64_t, 2>;
WordsHash words_hash(std::span<const std::uint64_t> words);
// 64 bits of a hundred words and more.
std::uint64_t long_words_hash(std::span<const std::uint64_t> words);

// The same for words that come one by one; another hash than words_hash gives.
class WordsHasher {
public:
    void add(std::uint64_t word) {
        hash_ = {combine_hashes(word, hash_[0]), combine_hashes(hash_[1], word + 0x589965CC75374CC3ULL)};
        ++count_;
    }
    WordsHash done() const { return {combine_hashes(hash_[0], hash_[1] ^ count_), combine_hashes(hash_[1], hash_[0])}; }

private:
    WordsHash hash_ = {0x8EBC6AF09C88C6E3ULL, 0x1D8E4E27C47D124FULL};
    std::uint64_t count_ = 0;
};

} // namespace zug::run
