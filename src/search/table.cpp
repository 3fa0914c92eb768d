#include "search/table.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace zug::search {

namespace {
constexpr std::size_t bucket_size = 2;
constexpr std::size_t first_buckets = 1024;
constexpr std::size_t growth = 4;
} // namespace

Table::Table(std::size_t bytes, std::size_t extra) : extra_(extra) {
    const std::size_t each = bucket_size * (sizeof(TableEntry) + extra * sizeof(double));
    max_buckets_ = std::bit_floor(std::max<std::size_t>(1, bytes / each));
    allocate(std::min(first_buckets, max_buckets_));
    if (entries_.size() == 0) throw std::bad_alloc();
}

// Leaves entries_ empty if there is no memory.
void Table::allocate(std::size_t buckets) {
    entries_ = ZeroedArray<TableEntry>(buckets * bucket_size);
    extras_ = ZeroedArray<double>(buckets * bucket_size * extra_);
    if (extra_ != 0 && extras_.size() == 0) entries_ = {};
    mask_ = buckets - 1;
    used_ = 0;
}

void Table::forget() {
    allocate(std::min(first_buckets, max_buckets_));
    if (entries_.size() == 0) throw std::bad_alloc();
}

void Table::new_search() {
    generation_ = generation_ == UINT8_MAX ? std::uint8_t{1} : static_cast<std::uint8_t>(generation_ + 1);
}

// A bucket's number is the low bits of a mixed key, so the entries of a new bucket all come from one old bucket, and
// there is room for them.
void Table::grow() {
    const std::size_t buckets = mask_ + 1;
    const ZeroedArray<TableEntry> old = std::move(entries_);
    const ZeroedArray<double> old_extras = std::move(extras_);
    std::size_t bigger = std::min(buckets * growth, max_buckets_);
    allocate(bigger);
    if (entries_.size() == 0) {
        max_buckets_ = buckets; // no memory: the table grows no further
        allocate(buckets);
        if (entries_.size() == 0) throw std::bad_alloc();
    }
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (old[i].generation == 0) continue;
        std::size_t at = bucket(old[i].key);
        if (entries_[at].generation != 0) ++at;
        entries_[at] = old[i];
        for (std::size_t k = 0; k < extra_; ++k) extras_[at * extra_ + k] = old_extras[i * extra_ + k];
        ++used_;
    }
}

std::size_t Table::bucket(std::uint64_t key) const {
    // Some hashes have weak low bits; the multiplication brings the high ones in.
    return ((key * 0x9E3779B97F4A7C15ULL) >> 32 & mask_) * bucket_size;
}

const TableEntry* Table::find(std::uint64_t key) const {
    const auto at = slot_of(key);
    return at ? &entries_[*at] : nullptr;
}

std::span<const double> Table::extra(const TableEntry& entry) const {
    const auto slot = static_cast<std::size_t>(&entry - entries_.data());
    return {extras_.data() + slot * extra_, extra_};
}

std::optional<std::size_t> Table::slot_of(std::uint64_t key) const {
    const std::size_t first = bucket(key);
    for (std::size_t i = first; i < first + bucket_size; ++i)
        if (entries_[i].key == key && entries_[i].generation != 0) return i;
    return std::nullopt;
}

// The slot in the bucket for an entry of this depth. An entry that is deep enough for the first slot moves the one
// there to the second, unless that one is of an earlier search.
std::size_t Table::make_room(std::uint64_t key, int depth) {
    const std::size_t first = bucket(key), second = first + 1;
    const bool current = entries_[first].generation == generation_;
    if (entries_[current ? second : first].generation == 0) ++used_;
    if (!current) return first;
    if (depth < entries_[first].depth) return second;
    entries_[second] = entries_[first];
    for (std::size_t k = 0; k < extra_; ++k) extras_[second * extra_ + k] = extras_[first * extra_ + k];
    return first;
}

void Table::store(std::uint64_t key, int depth, const Claim& claim, std::optional<std::uint64_t> move,
                  std::span<const double> extra) {
    if (used_ * 3 > slots() && mask_ + 1 < max_buckets_) grow();
    const auto known = slot_of(key);
    if (known) {
        const TableEntry& old = entries_[*known];
        const bool final = proven(old.lower) && proven(old.upper);
        if (final && !claim.proven()) return;
        if (!move) move = old.hint();
    }
    const std::size_t at = known ? *known : make_room(key, depth);
    entries_[at] = {key,         claim.value, move.value_or(0), static_cast<std::uint16_t>(depth),
                    claim.lower, claim.upper, generation_,      move.has_value()};
    for (std::size_t k = 0; k < extra_; ++k) extras_[at * extra_ + k] = extra[k];
}

} // namespace zug::search
