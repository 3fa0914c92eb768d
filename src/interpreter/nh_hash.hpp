#pragma once
// NH of J. Black et al., UMAC: Fast and Secure Message Authentication (1999), with keys added by exclusive or: each
// word counts by the product of its halves, so that four take one multiplication of vectors.

#include <cstddef>
#include <cstdint>
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace zug::run {

inline constexpr std::size_t nh_block = 4;

// Of whole blocks of words, with as many keys. Equal hashes of different words are as likely as one in 2^32.
inline std::uint64_t nh_hash(const std::uint64_t* words, const std::uint64_t* keys, std::size_t count) {
    std::uint64_t sums[nh_block] = {};
#ifdef __AVX2__
    __m256i sum = _mm256_setzero_si256();
    for (std::size_t k = 0; k < count; k += nh_block) {
        const __m256i word = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + k));
        const __m256i key = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys + k));
        const __m256i mixed = _mm256_xor_si256(word, key);
        sum = _mm256_add_epi64(sum, _mm256_mul_epu32(mixed, _mm256_srli_epi64(mixed, 32)));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums), sum);
#else
    for (std::size_t k = 0; k < count; k += nh_block)
        for (std::size_t i = 0; i < nh_block; ++i) {
            const std::uint64_t mixed = words[k + i] ^ keys[k + i];
            sums[i] += (mixed & UINT32_MAX) * (mixed >> 32);
        }
#endif
    const std::uint64_t sum_of_all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    return sum_of_all ^ sum_of_all >> 32;
}

} // namespace zug::run
