#include "search/table.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace zug::search {

namespace {
constexpr std::size_t bucket_size = 2;
}

Table::Table(std::size_t bytes) {
    std::size_t buckets = std::bit_floor(std::max<std::size_t>(1, bytes / (bucket_size * sizeof(TableEntry))));
    for (;; buckets /= 2) {
        entries_ = ZeroedArray<TableEntry>(buckets * bucket_size);
        if (entries_.size() != 0) break;
        if (buckets == 1) throw std::bad_alloc();
    }
    mask_ = buckets - 1;
}

void Table::forget() {
    entries_ = ZeroedArray<TableEntry>(); // give the old block back before asking for the new one
    *this = Table((mask_ + 1) * bucket_size * sizeof(TableEntry));
}

std::size_t Table::bucket(std::uint64_t key) const {
    // Some hashes have weak low bits; the multiplication brings the high ones in.
    return ((key * 0x9E3779B97F4A7C15ULL) >> 20 & mask_) * bucket_size;
}

const TableEntry* Table::find(std::uint64_t key) const {
    const TableEntry* entry = &entries_[bucket(key)];
    for (std::size_t i = 0; i < bucket_size; ++i)
        if (entry[i].key == key && entry[i].generation != 0) return entry + i;
    return nullptr;
}

std::size_t Table::victim(std::uint64_t key, int depth) const {
    const std::size_t first = bucket(key);
    for (std::size_t i = first; i < first + bucket_size; ++i)
        if (entries_[i].key == key && entries_[i].generation != 0) return i;
    const TableEntry& deep = entries_[first];
    return deep.generation != generation_ || depth >= deep.depth ? first : first + 1;
}

std::optional<std::size_t> Table::store(std::uint64_t key, int depth, const Claim& claim,
                                        std::optional<std::uint64_t> move) {
    const std::size_t at = victim(key, depth);
    TableEntry& entry = entries_[at];
    if (entry.generation != 0 && entry.key == key) {
        const bool final = proven(entry.lower) && proven(entry.upper);
        if (final && !claim.proven()) return std::nullopt;
        if (!move) move = entry.hint();
    }
    entry = {key,         claim.value, move.value_or(0), static_cast<std::uint16_t>(depth),
             claim.lower, claim.upper, generation_,      move.has_value()};
    return at;
}

} // namespace zug::search
