#pragma once
// Words, and sets of several words, as the virtual machine's operations see them. For the machine's own files.

#include "bytecode/bytecode.hpp"

#include <cstring>

namespace zug::run {

using Word = std::uint64_t;

// The width in words of an instruction's sets: K, or Instr::w if K is 0.
template <int K>
inline unsigned width(const Instr& i) {
    return K > 0 ? static_cast<unsigned>(K) : i.w;
}

// Whether element i is in the set; false for i outside of 0..bits - 1.
inline bool has(const Word* set, std::int64_t i, std::int32_t bits) {
    return static_cast<Word>(i) < static_cast<Word>(bits) && (set[i >> 6] >> (i & 63) & 1) != 0;
}
inline void put(Word* set, std::int64_t i) { set[i >> 6] |= Word{1} << (i & 63); }
inline void drop(Word* set, std::int64_t i) { set[i >> 6] &= ~(Word{1} << (i & 63)); }

// Word k of a set shifted by `n` bits towards higher (n > 0) numbers.
template <int K>
inline Word shifted_left(const Word* a, unsigned k, unsigned n) {
    if constexpr (K == 1) return a[0] << n;
    const unsigned skip = n >> 6, bits = n & 63;
    if (k < skip) return 0;
    const Word low = a[k - skip] << bits;
    return bits != 0 && k > skip ? low | a[k - skip - 1] >> (64 - bits) : low;
}
template <int K>
inline Word shifted_right(const Word* a, unsigned k, unsigned n, unsigned w) {
    if constexpr (K == 1) return a[0] >> n;
    const unsigned skip = n >> 6, bits = n & 63;
    if (k + skip >= w) return 0;
    const Word low = a[k + skip] >> bits;
    return bits != 0 && k + skip + 1 < w ? low | a[k + skip + 1] << (64 - bits) : low;
}
template <int K>
inline Word shifted(const Word* a, unsigned k, std::int32_t n, unsigned w) {
    return n >= 0 ? shifted_left<K>(a, k, static_cast<unsigned>(n))
                  : shifted_right<K>(a, k, static_cast<unsigned>(-n), w);
}

// A whole set shifted by `n` bits. A step to a neighbouring site is shorter than a word, which is the fast path.
template <int K>
inline void shift_words(Word* out, const Word* in, std::int32_t n, unsigned w) {
    if constexpr (K == 1) {
        out[0] = n >= 0 ? in[0] << n : in[0] >> -n;
    } else if (n > 0 && n < 64) {
        out[0] = in[0] << n;
        for (unsigned k = 1; k < w; ++k) out[k] = in[k] << n | in[k - 1] >> (64 - n);
    } else if (n < 0 && n > -64) {
        for (unsigned k = 0; k + 1 < w; ++k) out[k] = in[k] >> -n | in[k + 1] << (64 + n);
        out[w - 1] = in[w - 1] >> -n;
    } else {
        for (unsigned k = 0; k < w; ++k) out[k] = shifted<K>(in, k, n, w);
    }
}

// No set is wider: boards have at most 4096 sites, and larger element types are rejected.
constexpr unsigned max_words = 1024;

// Few words are copied one by one, since they have usually just been written: a vector load that spans several recent
// stores has to wait until all of them have reached the cache. `volatile` keeps the compiler from merging the loads.
[[gnu::noinline]] inline void copy_block(Word* to, const Word* from, unsigned n) {
    constexpr unsigned few = 12;
    if (n > few) {
        std::memcpy(to, from, n * sizeof(Word));
    } else {
        for (unsigned k = 0; k < n; ++k) to[k] = static_cast<const volatile Word&>(from[k]);
    }
}

} // namespace zug::run
