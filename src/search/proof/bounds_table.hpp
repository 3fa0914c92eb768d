#pragma once
// The transposition table of depth-first proofs: between which of the game's utilities a position's value lies, which
// move showed it, and how deep it has been searched in vain. Bounded in size, keyed by the full 64-bit hash. As in
// core/table.hpp, two positions with the same hash are not distinguished.
//
// Buckets of four, a cache line each. The entry with the least work behind it gives way, but a new one always finds
// room. Threads share the table without locks, as they do core/table.hpp: a slot's first word is its key xored with the
// second, so that what two writers have mixed is the entry of no position.

#include "search/proof/bucket_array.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>

namespace zug::search {

struct KnownBounds {
    std::uint8_t low = 0, high = UINT8_MAX; // indices into Traits::utilities, of the first player's utility
    std::uint8_t asked = 0;                 // the question that was searched in vain: whether it is at least this index
    std::uint16_t depth = 0;                // and how deep; 0: none was
    std::uint32_t move = 0;                 // BoundsTable::short_id() of the move to try first; 0: none
};

class BoundsTable {
public:
    static constexpr int greatest_depth = (1 << 11) - 1;

    // At most so many bytes, which become resident as they are used.
    explicit BoundsTable(std::size_t bytes) : buckets_(bytes) {}

    // A move's id in 28 bits, never 0. Moves that share one only share a hint.
    static std::uint32_t short_id(std::uint64_t move) {
        return static_cast<std::uint32_t>((move + 1) * 0x9E3779B97F4A7C15ULL >> (64 - move_bits)) | 1U;
    }

    // Prefetches the bucket of a key that find() will be called with soon.
    void prefetch(std::uint64_t key) const { __builtin_prefetch(&buckets_.of(key)); }

    std::optional<KnownBounds> find(std::uint64_t key) const {
        for (const Slot& slot : buckets_.of(key).slots) {
            const std::uint64_t data = load(slot.data);
            if (data != 0 && ((load(slot.check) ^ data ^ key) & ~work_bits) == 0) return unpacked(data);
        }
        return std::nullopt;
    }

    // `work`: the number of nodes that the result took.
    void store(std::uint64_t key, const KnownBounds& bounds, std::uint64_t work) {
        Bucket& in = buckets_.of(key);
        Slot* target = nullptr;
        std::uint64_t least = work_bits + 1;
        for (Slot& slot : in.slots) {
            const std::uint64_t data = load(slot.data), there = load(slot.check) ^ data;
            if (data == 0) buckets_.fill_slot(std::size(in.slots));
            if (data == 0 || ((there ^ key) & ~work_bits) == 0) {
                target = &slot;
                break;
            }
            if ((there & work_bits) >= least) continue;
            least = there & work_bits;
            target = &slot;
        }
        const std::uint64_t data = packed(bounds);
        const std::uint64_t named = (key & ~work_bits) | static_cast<std::uint64_t>(std::bit_width(work));
        __atomic_store_n(&target->check, named ^ data, __ATOMIC_RELAXED);
        __atomic_store_n(&target->data, data, __ATOMIC_RELAXED);
    }

private:
    // The lowest byte of a key follows from its bucket; those bits hold the logarithm of the work.
    static constexpr std::uint64_t work_bits = 0xFF;
    static constexpr unsigned move_bits = 28;
    static constexpr std::uint64_t used = std::uint64_t{1} << 63;

    struct Slot {
        std::uint64_t check, data; // data is 0 until there is an entry
    };
    struct Bucket {
        Slot slots[4];
    };
    static_assert(sizeof(Bucket) == 64);
    static_assert(work_bits >> BucketArray<Bucket>::known_bits == 0);

    static std::uint64_t load(const std::uint64_t& word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }
    static std::uint64_t packed(const KnownBounds& b) {
        return std::uint64_t{b.low} | std::uint64_t{b.high} << 8 | std::uint64_t{b.asked} << 16 |
               std::uint64_t{b.depth} << 24 | std::uint64_t{b.move} << 35 | used;
    }
    static KnownBounds unpacked(std::uint64_t data) {
        return {.low = static_cast<std::uint8_t>(data),
                .high = static_cast<std::uint8_t>(data >> 8),
                .asked = static_cast<std::uint8_t>(data >> 16),
                .depth = static_cast<std::uint16_t>(data >> 24 & greatest_depth),
                .move = static_cast<std::uint32_t>(data >> 35 & ((1U << move_bits) - 1))};
    }

    BucketArray<Bucket> buckets_;
};

} // namespace zug::search
