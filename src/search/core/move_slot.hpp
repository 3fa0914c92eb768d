#pragma once
// Move ids can be any 64-bit numbers; tables of bounded size take a hash of them.

#include <cstddef>
#include <cstdint>

namespace zug::search {

// A number of so many bits. Moves that share one share what is kept there, which may be no more than a hint.
inline std::size_t move_slot(std::uint64_t move, unsigned bits) {
    return static_cast<std::size_t>((move + 1) * 0x9E3779B97F4A7C15ULL >> (64 - bits));
}

} // namespace zug::search
