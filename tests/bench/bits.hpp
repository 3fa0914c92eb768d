#pragma once
// Bit sets of at most 64 members in a word.

#include <array>
#include <bit>
#include <cstdint>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace zug::by_hand {

using Set = std::uint64_t;

constexpr std::uint32_t count(Set set) { return static_cast<std::uint32_t>(std::popcount(set)); }

// The member `n` of a set, counted from 0, as a set of one; none if it has no more than n. `n` is taken modulo 64.
inline Set nth(Set set, std::uint32_t n) {
    n %= 64;
#ifdef __BMI2__
    return _pdep_u64(Set{1} << n, set);
#else
    for (; n > 0 && set != 0; --n) set &= set - 1;
    return set & (0 - set);
#endif
}

// Calls f(member as a set of one) for each, lowest first.
template <class F>
void each(Set set, F&& f) {
    for (; set != 0; set &= set - 1) f(set & (0 - set));
}

// Four sets at once; GCC and Clang make vector instructions of them, or plain ones where there are none.
using Four = Set __attribute__((vector_size(32)));

constexpr Four four(const std::array<Set, 4>& sets) { return Four{sets[0], sets[1], sets[2], sets[3]}; }
constexpr Four all_four(Set set) { return Four{set, set, set, set}; }
// The union of the four sets; and that union in all four.
inline Set any_of_four(Four sets) {
    const Four pairs = sets | __builtin_shufflevector(sets, sets, 2, 3, 0, 1);
    return pairs[0] | pairs[1];
}
inline Four everywhere(Four sets) {
    const Four pairs = sets | __builtin_shufflevector(sets, sets, 2, 3, 0, 1);
    return pairs | __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2);
}
// The number of members of each set.
inline Four members(Four sets) {
#if defined(__AVX512VPOPCNTDQ__) && defined(__AVX512VL__)
    return reinterpret_cast<Four>(_mm256_popcnt_epi64(reinterpret_cast<__m256i>(sets)));
#else
    return Four{count(sets[0]), count(sets[1]), count(sets[2]), count(sets[3])};
#endif
}

// A set shifted up, or down where `by` is negative.
template <int by>
constexpr Set shift(Set set) {
    if constexpr (by >= 0)
        return set << by;
    else
        return set >> -by;
}

} // namespace zug::by_hand
