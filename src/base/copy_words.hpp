#pragma once
// Copies of a few words.

#include <cstddef>
#include <cstdint>

namespace zug {

// From one block to another that does not overlap it. A state has two to some twenty words, for which a call of memcpy,
// which compilers make of such a loop unless something stands in it, takes longer than the copy.
inline void copy_words(const std::uint64_t* from, std::size_t count, std::uint64_t* to) {
    for (std::size_t i = 0; i < count; ++i) {
        to[i] = from[i];
        __asm__ volatile("");
    }
}

} // namespace zug
