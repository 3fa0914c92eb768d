#pragma once
// How the memory that a solution may take is shared out. What does not fit into a share is in files (work.hpp), so a
// small budget costs time and not the solution.
//
// The threads, the walkers and the least that buffers can be take a few megabytes besides, and what is known of the
// blocks of keys some 0.1 bytes a position.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace zug::solve {

struct Budget {
    std::uint64_t bytes = UINT64_MAX;

    // Keys in the sets of tiers that are not done: at worst a slot set has just doubled, and is sorted.
    std::uint64_t set_keys() const { return bytes / 5 * 3 / 30; }
    // Keys that one of the threads gathers before they go into the sets.
    std::size_t harvest_keys(std::size_t threads) const { return within(bytes / 10 / (32 * threads), 256, 1 << 18); }
    // Bytes of the packed keys of all tiers.
    std::uint64_t packed() const { return bytes / 5; }
    // Bytes of the tables of later results.
    std::uint64_t tables() const { return bytes / 2; }
    // Successors that one of the threads looks up together, where their results are in files: 40 bytes each.
    std::size_t queries(std::size_t threads) const { return within(bytes / 5 / (40 * threads), 1024, 1 << 22); }
    // Bytes for a tier with moves inside it, beside tables that take so many.
    std::uint64_t loops(std::uint64_t tables) const { return bytes / 5 * 4 - std::min(bytes / 5 * 4, tables); }
    // Bytes of tables beside such a tier, which could do with so many.
    std::uint64_t tables_beside(std::uint64_t tier) const { return loops(std::min(tier, bytes / 5 * 2)); }

private:
    static std::size_t within(std::uint64_t number, std::size_t least, std::size_t most) {
        return static_cast<std::size_t>(std::clamp<std::uint64_t>(number, least, most));
    }
};

} // namespace zug::solve
