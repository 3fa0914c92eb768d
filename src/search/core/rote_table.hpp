#pragma once
// Rote learning (Samuel, "Some studies in machine learning using the game of checkers", 1959): positions of earlier
// games with the values that searches have backed up to them. A search that comes to such a position, at its depth
// limit or above it, takes that value for its own, and so sees as much farther as the earlier search saw.
//
// Flat and read-only, but for the marks of those that were of use, so threads share it without locks. Cost of a look:
// about one cache miss.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace zug::search {

struct RoteEntry {
    std::uint64_t key = 0;   // game::SearchForm::position_hash
    double value = 0;        // the first player's utility
    std::uint16_t depth = 0; // of the search that found it, in plies; at least 1
};

class RoteTable {
public:
    RoteTable() : RoteTable(std::vector<RoteEntry>()) {}
    // Of different keys.
    explicit RoteTable(std::vector<RoteEntry> entries)
        : entries_(std::move(entries)), used_(entries_.size()), mask_(std::bit_ceil(2 * entries_.size() + 1) - 1),
          slots_(mask_ + 1) {
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            std::size_t at = slot(entries_[i].key);
            while (slots_[at] != 0) at = (at + 1) & mask_;
            slots_[at] = static_cast<std::uint32_t>(i + 1);
        }
    }

    // The entry of the position, if it stands for a search of at least so many plies. It is marked as used.
    const RoteEntry* find(std::uint64_t key, int depth) const {
        for (std::size_t at = slot(key); slots_[at] != 0; at = (at + 1) & mask_) {
            const std::size_t i = slots_[at] - 1;
            if (entries_[i].key != key) continue;
            if (entries_[i].depth < depth) return nullptr;
            __atomic_store_n(&used_[i], std::uint8_t{1}, __ATOMIC_RELAXED);
            return &entries_[i];
        }
        return nullptr;
    }
    // Whether the i-th of the given entries was found.
    bool was_used(std::size_t i) const { return __atomic_load_n(&used_[i], __ATOMIC_RELAXED) != 0; }

private:
    std::size_t slot(std::uint64_t key) const { return (key * 0x9E3779B97F4A7C15ULL) >> 32 & mask_; }

    std::vector<RoteEntry> entries_;
    mutable std::vector<std::uint8_t> used_;
    std::size_t mask_;
    std::vector<std::uint32_t> slots_; // one more than the number of an entry; 0: free
};

} // namespace zug::search
