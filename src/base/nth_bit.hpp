#pragma once
// Selecting a member of a word by its rank.

#include <bit>
#include <cstdint>

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace zug {

// The position of member `n`, counted from 0, of a word that has more than n.
inline std::uint32_t nth_bit(std::uint64_t word, std::uint32_t n) {
#ifdef __BMI2__
    word = _pdep_u64(std::uint64_t{1} << n, word);
#else
    for (; n > 0; --n) word &= word - 1;
#endif
    return static_cast<std::uint32_t>(std::countr_zero(word));
}

} // namespace zug
