#include "executor/hash.hpp"

#ifdef __AVX512F__
#define XXH_VECTOR XXH_AVX2 // GCC 12 warns of the other one
#endif
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace zug::run {
namespace {

constexpr std::size_t most_combined = 32; // words: XXH3 is faster for more

} // namespace

std::uint64_t slots_hash(std::span<const std::uint32_t> slots) {
    std::uint64_t hash = 0x8EBC6AF09C88C6E3ULL ^ slots.size();
    for (std::size_t i = 0; i < slots.size(); i += 2) {
        const std::uint64_t high = i + 1 < slots.size() ? slots[i + 1] : 0;
        hash = combine_hashes(slots[i] | high << 32, hash);
    }
    return combine_hashes(hash, 0x589965CC75374CC3ULL);
}

WordsHash words_hash(std::span<const std::uint64_t> words) {
    if (words.size() > most_combined) {
        const XXH128_hash_t hash = XXH3_128bits(words.data(), words.size_bytes());
        return {hash.low64, hash.high64};
    }
    WordsHash hash = {0x8EBC6AF09C88C6E3ULL ^ words.size(), 0x1D8E4E27C47D124FULL};
    for (auto word : words)
        hash = {combine_hashes(word, hash[0]), combine_hashes(hash[1], word + 0x589965CC75374CC3ULL)};
    return {combine_hashes(hash[0], hash[1]), combine_hashes(hash[1], hash[0] + 1)};
}

std::uint64_t long_words_hash(std::span<const std::uint64_t> words) {
    return XXH3_64bits(words.data(), words.size_bytes());
}

} // namespace zug::run
