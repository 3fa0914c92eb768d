#pragma once
// The transposition table of proof-number search: two numbers per position, in a table of bounded size keyed by the
// full 64-bit hash. As in table.hpp, two positions with the same hash are not distinguished.
//
// Buckets of four, a cache line each. The entry with the least work behind it gives way.

#include "search/proof/bucket_array.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>

namespace zug::search {

// Proof and disproof number: the least number of positions still to be proven to prove, or to disprove, the question.
// Proven: 0 and `never`; disproven: `never` and 0. Numbers saturate at never - 1.
struct ProofNumbers {
    static constexpr std::uint32_t never = (1U << 28) - 1;

    std::uint32_t proof = 1, disproof = 1;

    bool proven() const { return proof == 0; }
    bool disproven() const { return disproof == 0; }
    bool solved() const { return proven() || disproven(); }
};
inline constexpr ProofNumbers is_proven{0, ProofNumbers::never}, is_disproven{ProofNumbers::never, 0};

struct ProofEntry {
    static constexpr int farthest = 255;

    ProofNumbers numbers;
    int depth = 0; // the least ply at which the position was met, or `farthest`
};

class ProofTable {
public:
    // At most so many bytes, which become resident as they are used.
    explicit ProofTable(std::size_t bytes) : buckets_(bytes) {}

    // Prefetches the bucket of a key that find() will be called with soon.
    void prefetch(std::uint64_t key) const { __builtin_prefetch(&buckets_.of(key)); }

    std::optional<ProofEntry> find(std::uint64_t key) const {
        for (const Slot& slot : buckets_.of(key).slots)
            if (slot.used() && slot.is(key)) return slot.entry();
        return std::nullopt;
    }

    // `work`: the number of nodes that the result took.
    void store(std::uint64_t key, const ProofEntry& entry, std::uint64_t work) {
        Bucket& in = buckets_.of(key);
        Slot* target = &in.slots[0];
        for (Slot& slot : in.slots) {
            if (!slot.used()) buckets_.fill_slot(std::size(in.slots));
            if (!slot.used() || slot.is(key)) {
                target = &slot;
                break;
            }
            if (slot.work() < target->work()) target = &slot;
        }
        *target = {(key & ~work_bits) | static_cast<std::uint64_t>(std::bit_width(work)), packed(entry)};
    }

private:
    // The lowest byte of a key follows from its bucket; those bits hold the logarithm of the work.
    static constexpr std::uint64_t work_bits = 0xFF;

    static std::uint64_t packed(const ProofEntry& entry) {
        return std::uint64_t{entry.numbers.proof} | std::uint64_t{entry.numbers.disproof} << 28 |
               static_cast<std::uint64_t>(std::min(entry.depth, ProofEntry::farthest)) << 56;
    }

    struct Slot {
        std::uint64_t key, data;

        bool used() const { return data << 8 != 0; } // the numbers are not both 0
        bool is(std::uint64_t other) const { return ((key ^ other) & ~work_bits) == 0; }
        std::uint64_t work() const { return key & work_bits; }
        ProofEntry entry() const {
            const auto number = [](std::uint64_t bits) {
                return static_cast<std::uint32_t>(bits & ProofNumbers::never);
            };
            return {{number(data), number(data >> 28)}, static_cast<int>(data >> 56)};
        }
    };
    struct Bucket {
        Slot slots[4];
    };
    static_assert(sizeof(Bucket) == 64);
    static_assert(work_bits >> BucketArray<Bucket>::known_bits == 0);

    BucketArray<Bucket> buckets_;
};

} // namespace zug::search
