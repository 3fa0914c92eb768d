#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace zug {

// Copies between blocks that do not overlap. Most states have two to some twenty words, for which a call of memcpy
// takes longer than the copy; the empty asm statement keeps compilers from turning the loop into one.
inline void copy_words(const std::uint64_t* from, std::size_t count, std::uint64_t* to) {
    constexpr std::size_t worth_a_call = 24;
    if (count > worth_a_call) {
        std::copy_n(from, count, to);
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        to[i] = from[i];
        __asm__ volatile("");
    }
}

} // namespace zug
