#pragma once
// The transposition tables of proofs: an entry a position, packed into a word, in a table of bounded size keyed by the
// full 64-bit hash. As in core/table.hpp, two positions with the same hash are not distinguished.
//
// Buckets of four, a cache line each. The entry with the least work behind it gives way, but a new one always finds
// room. Threads share the table without locks, as they do core/table.hpp: a slot's first word is its key xored with the
// second, so that what two writers have mixed is the entry of no position.
//
// A part of the memory is used at first, and four times as much whenever half of it is full, so that a small search
// touches little. Entries stay where they are when it grows; a quarter of them is still found then. The work that made
// the others is small beside what is to come.

#include "base/zeroed_array.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>

namespace zug::search {

// An entry has `std::uint64_t packed() const`, which is never 0, and `static Entry unpacked(std::uint64_t)`.
template <class Entry>
class WorkTable {
public:
    // At most so many bytes, which become resident as they are used; at least 256 buckets, so that the lowest byte of a
    // key need not be stored. Fewer bytes if there is no memory for them.
    explicit WorkTable(std::size_t bytes) {
        std::size_t buckets = least_buckets;
        while (buckets * 2 * sizeof(Bucket) <= bytes) buckets *= 2;
        buckets_ = ZeroedArray<Bucket>(buckets);
        while (buckets_.size() == 0 && buckets > least_buckets) buckets_ = ZeroedArray<Bucket>(buckets /= 2);
        used_buckets_ = std::min(buckets_.size(), first_buckets);
    }

    // Prefetches the bucket of a key that find() will be called with soon.
    void prefetch(std::uint64_t key) const { __builtin_prefetch(&buckets_[bucket(key)]); }

    std::optional<Entry> find(std::uint64_t key) const {
        for (const Slot& slot : buckets_[bucket(key)].slots) {
            const std::uint64_t word = load(slot.word);
            if (word != 0 && same(load(slot.check) ^ word, key)) return Entry::unpacked(word);
        }
        return std::nullopt;
    }

    // `work`: the number of nodes that the result took.
    void store(std::uint64_t key, const Entry& entry, std::uint64_t work) {
        const std::uint64_t word = entry.packed();
        Bucket& in = buckets_[bucket(key)];
        Slot* target = nullptr;
        std::uint64_t least = work_bits + 1;
        for (Slot& slot : in.slots) {
            const std::uint64_t there = load(slot.word), named = load(slot.check) ^ there;
            if (there == 0) fill_slot();
            if (there == 0 || same(named, key)) {
                target = &slot;
                break;
            }
            if ((named & work_bits) >= least) continue;
            least = named & work_bits;
            target = &slot;
        }
        const std::uint64_t named = (key & ~work_bits) | static_cast<std::uint64_t>(std::bit_width(work));
        __atomic_store_n(&target->check, named ^ word, __ATOMIC_RELAXED);
        __atomic_store_n(&target->word, word, __ATOMIC_RELAXED);
    }

private:
    // The lowest byte of a key follows from its bucket; those bits hold the logarithm of the work.
    static constexpr std::uint64_t work_bits = 0xFF;
    static constexpr std::size_t least_buckets = work_bits + 1, first_buckets = std::size_t{1} << 16, growth = 4;

    struct Slot {
        std::uint64_t check, word; // `word` is 0 until there is an entry
    };
    struct Bucket {
        Slot slots[4];
    };
    static_assert(sizeof(Bucket) == 64);

    static std::uint64_t load(const std::uint64_t& word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }
    static bool same(std::uint64_t named, std::uint64_t key) { return ((named ^ key) & ~work_bits) == 0; }

    std::size_t bucket(std::uint64_t key) const {
        return static_cast<std::size_t>(key) & (used_buckets_.load(std::memory_order_relaxed) - 1);
    }
    void fill_slot() {
        const std::size_t buckets = used_buckets_.load(std::memory_order_relaxed);
        if (buckets == buckets_.size()) return;
        const std::size_t full = full_slots_.fetch_add(1, std::memory_order_relaxed);
        if (full < buckets * std::size(Bucket{}.slots) / 2) return;
        used_buckets_.store(std::min(buckets * growth, buckets_.size()), std::memory_order_relaxed);
    }

    ZeroedArray<Bucket> buckets_;
    std::atomic<std::size_t> used_buckets_ = 0, full_slots_ = 0;
};

} // namespace zug::search
