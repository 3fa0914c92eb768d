#pragma once
// How the memory limit of a solution is divided. What exceeds its share goes into files (work.hpp), so a small limit
// costs time, not the solution.
//
// Threads, walkers and minimal buffers take a few megabytes besides, and the index of key blocks some 0.1 bytes a
// position.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace zug::solve {

struct Budget {
    std::uint64_t bytes = UINT64_MAX;

    // Keys in the sets of unfinished tiers; the worst case is that a set has just doubled and is being sorted.
    std::uint64_t set_keys() const { return bytes / 5 * 3 / 30; }
    // Keys that a thread gathers before they go into the sets.
    std::size_t harvest_keys(std::size_t threads) const { return within(bytes / 10 / (32 * threads), 256, 1 << 18); }
    // Bytes of the packed keys of all tiers.
    std::uint64_t packed() const { return bytes / 5; }
    // Bytes of the tables of successor results.
    std::uint64_t tables() const { return bytes / 2; }
    // Bytes of combinations that are numbered, and as many again while more of them are found.
    std::uint64_t combinations() const { return bytes / 4; }
    // Successors that a thread looks up in one batch if their results are in files: 40 bytes each.
    std::size_t queries(std::size_t threads) const { return within(bytes / 5 / (40 * threads), 1024, 1 << 22); }
    // Bytes of scratch memory for a tier with moves inside it, beside tables of this size.
    std::uint64_t scratch(std::uint64_t tables) const { return bytes / 5 * 4 - std::min(bytes / 5 * 4, tables); }
    // Bytes left for tables beside such a tier, which asks for `tier` bytes.
    std::uint64_t tables_beside(std::uint64_t tier) const { return scratch(std::min(tier, bytes / 5 * 2)); }

private:
    static std::size_t within(std::uint64_t number, std::size_t least, std::size_t most) {
        return static_cast<std::size_t>(std::clamp<std::uint64_t>(number, least, most));
    }
};

} // namespace zug::solve
