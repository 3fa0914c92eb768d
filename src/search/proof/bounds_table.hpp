#pragma once
// The transposition table of depth-first proofs: between which of the game's utilities a position's value lies, which
// move showed it, and how deep it has been searched in vain.

#include "search/core/move_slot.hpp"
#include "search/proof/work_table.hpp"

#include <optional>

namespace zug::search {

struct KnownBounds {
    std::uint8_t low = 0, high = UINT8_MAX; // indices into Traits::utilities, of the first player's utility
    std::uint8_t asked = 0;                 // the question that was searched in vain: whether it is at least this index
    std::uint16_t depth = 0;                // and how deep, up to BoundsTable::greatest_depth; 0: none was
    std::uint32_t move = 0;                 // BoundsTable::short_id() of the move to try first; 0: none
};

class BoundsTable {
public:
    static constexpr int greatest_depth = (1 << 11) - 1;

    explicit BoundsTable(std::size_t bytes) : words_(bytes) {}

    // A move's id in 28 bits, never 0. Moves that share one only share a hint.
    static std::uint32_t short_id(std::uint64_t move) {
        return static_cast<std::uint32_t>(move_slot(move, move_bits)) | 1U;
    }

    void prefetch(std::uint64_t key) const { words_.prefetch(key); }
    std::optional<KnownBounds> find(std::uint64_t key) const {
        const std::uint64_t word = words_.find(key);
        return word != 0 ? std::optional(unpacked(word)) : std::nullopt;
    }
    // `work`: the number of nodes that the result took.
    void store(std::uint64_t key, const KnownBounds& bounds, std::uint64_t work) {
        words_.store(key, packed(bounds), work);
    }

private:
    static constexpr unsigned move_bits = 28;
    static constexpr std::uint64_t used = std::uint64_t{1} << 63; // since all else may be 0

    static std::uint64_t packed(const KnownBounds& b) {
        return std::uint64_t{b.low} | std::uint64_t{b.high} << 8 | std::uint64_t{b.asked} << 16 |
               std::uint64_t{b.depth} << 24 | std::uint64_t{b.move} << 35 | used;
    }
    static KnownBounds unpacked(std::uint64_t word) {
        return {.low = static_cast<std::uint8_t>(word),
                .high = static_cast<std::uint8_t>(word >> 8),
                .asked = static_cast<std::uint8_t>(word >> 16),
                .depth = static_cast<std::uint16_t>(word >> 24 & greatest_depth),
                .move = static_cast<std::uint32_t>(word >> 35 & ((1U << move_bits) - 1))};
    }

    WorkTable words_;
};

} // namespace zug::search
