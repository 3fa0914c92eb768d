#pragma once

#include <cstdint>
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace zug::run {

// Which of eight words differ from those of another block: bit i of the result for word i.
inline unsigned differing_words(const std::uint64_t* a, const std::uint64_t* b) {
#if defined(__AVX512F__)
    return _mm512_cmpneq_epu64_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
#elif defined(__AVX2__)
    const auto equal = [&](int at) {
        const __m256i left = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + at));
        const __m256i right = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + at));
        return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(left, right))));
    };
    return 0xFFU ^ (equal(0) | equal(4) << 4);
#else
    unsigned differing = 0;
    for (unsigned i = 0; i < 8; ++i) differing |= static_cast<unsigned>(a[i] != b[i]) << i;
    return differing;
#endif
}

} // namespace zug::run
