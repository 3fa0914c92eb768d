#pragma once
// The transposition table of depth-first proofs: between which of the game's utilities a position's value lies, which
// move showed it, and how deep it has been searched in vain.

#include "search/core/move_slot.hpp"
#include "search/proof/work_table.hpp"

namespace zug::search {

struct KnownBounds {
    static constexpr int greatest_depth = (1 << 11) - 1;

    std::uint8_t low = 0, high = UINT8_MAX; // indices into Traits::utilities, of the first player's utility
    std::uint8_t asked = 0;                 // the question that was searched in vain: whether it is at least this index
    std::uint16_t depth = 0;                // and how deep, up to greatest_depth; 0: none was
    std::uint32_t move = 0;                 // short_id() of the move to try first; 0: none

    // A move's id in 28 bits, never 0. Moves that share one only share a hint.
    static std::uint32_t short_id(std::uint64_t id) {
        return static_cast<std::uint32_t>(move_slot(id, move_bits)) | 1U;
    }

    std::uint64_t packed() const {
        return std::uint64_t{low} | std::uint64_t{high} << 8 | std::uint64_t{asked} << 16 | std::uint64_t{depth} << 24 |
               std::uint64_t{move} << 35 | used;
    }
    static KnownBounds unpacked(std::uint64_t word) {
        return {.low = static_cast<std::uint8_t>(word),
                .high = static_cast<std::uint8_t>(word >> 8),
                .asked = static_cast<std::uint8_t>(word >> 16),
                .depth = static_cast<std::uint16_t>(word >> 24 & greatest_depth),
                .move = static_cast<std::uint32_t>(word >> 35 & ((1U << move_bits) - 1))};
    }

private:
    static constexpr unsigned move_bits = 28;
    static constexpr std::uint64_t used = std::uint64_t{1} << 63; // since all else may be 0
};

using BoundsTable = WorkTable<KnownBounds>;

} // namespace zug::search
