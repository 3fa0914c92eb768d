#pragma once
// A rank for each of many positions, in bounded memory, keyed by the full 64-bit hash of the position (see
// core/table.hpp for what that means).
//
// Buckets of two: the entry of greater weight stays, the other gives way.

#include "base/zeroed_array.hpp"
#include "search/one_player/rank.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace zug::search {

class RankTable {
public:
    // At most so many bytes; 0: nothing is kept.
    explicit RankTable(std::size_t bytes) {
        if (bytes >= 2 * sizeof(Entry)) entries_ = ZeroedArray<Entry>(std::bit_floor(bytes / sizeof(Entry)));
        mask_ = entries_.size() == 0 ? 0 : entries_.size() / 2 - 1;
    }
    bool keeps() const { return entries_.size() != 0; }

    const Rank* find(std::uint64_t key) const {
        if (!keeps()) return nullptr;
        const Entry* bucket = bucket_of(key);
        for (int i = 0; i < 2; ++i)
            if (bucket[i].key == key && bucket[i].generation == generation_) return &bucket[i].rank;
        return nullptr;
    }
    void store(std::uint64_t key, const Rank& rank, std::uint32_t weight) {
        if (!keeps()) return;
        Entry* bucket = bucket_of(key);
        Entry* into = &bucket[1];
        if (bucket[0].key == key || bucket[0].generation != generation_ || bucket[0].weight <= weight) into = bucket;
        if (into == bucket && bucket[0].key != key && bucket[0].generation == generation_) bucket[1] = bucket[0];
        *into = {key, rank, weight, generation_};
    }
    // Forgets all entries.
    void clear() { ++generation_; }

private:
    struct Entry {
        std::uint64_t key;
        Rank rank;
        std::uint32_t weight, generation; // 0: empty
    };
    Entry* bucket_of(std::uint64_t key) { return &entries_[mixed(key) * 2]; }
    const Entry* bucket_of(std::uint64_t key) const { return &entries_[mixed(key) * 2]; }
    // Some hashes have weak low bits; the multiplication brings the high ones in.
    std::size_t mixed(std::uint64_t key) const { return (key * 0x9E3779B97F4A7C15ULL) >> 24 & mask_; }

    ZeroedArray<Entry> entries_;
    std::size_t mask_ = 0;
    std::uint32_t generation_ = 1;
};

} // namespace zug::search
