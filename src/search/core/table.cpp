#include "search/core/table.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace zug::search {

namespace {
constexpr std::size_t bucket_size = 2;
constexpr std::size_t least_buckets = 1024; // of a table that grows
constexpr std::size_t growth = 4;
} // namespace

Table::Table(std::size_t bytes, std::size_t extra, Sharing sharing) : extra_(extra) {
    const std::size_t each = bucket_size * (sizeof(Slot) + extra * sizeof(double));
    max_buckets_ = std::bit_floor(std::max<std::size_t>(1, bytes / each));
    first_buckets_ = sharing == Sharing::Shared ? max_buckets_ : std::min(least_buckets, max_buckets_);
    allocate(first_buckets_);
    if (slots_.size() == 0) throw std::bad_alloc();
}

// -- entries as words

std::uint64_t Table::rest_of(const TableEntry& entry) {
    return std::uint64_t{entry.depth} | std::uint64_t{entry.lower} << 16 | std::uint64_t{entry.upper} << 32 |
           std::uint64_t{entry.generation} << 48 | std::uint64_t{entry.has_move} << 56;
}

Table::Slot Table::read(std::size_t at) const {
    const Slot& slot = slots_[at];
    return {load(slot.check), load(slot.value), load(slot.move), load(slot.rest)};
}

TableEntry Table::unpack(const Slot& slot) {
    TableEntry entry;
    entry.value = std::bit_cast<double>(slot.value);
    entry.move = slot.move;
    entry.depth = static_cast<std::uint16_t>(slot.rest);
    entry.lower = static_cast<Reason>(slot.rest >> 16);
    entry.upper = static_cast<Reason>(slot.rest >> 32);
    entry.generation = static_cast<std::uint8_t>(slot.rest >> 48);
    entry.has_move = (slot.rest >> 56 & 1) != 0;
    return entry;
}

void Table::write(std::size_t at, std::uint64_t key, const TableEntry& entry) {
    const std::uint64_t value = std::bit_cast<std::uint64_t>(entry.value), rest = rest_of(entry);
    Slot& slot = slots_[at];
    __atomic_store_n(&slot.check, key ^ value ^ entry.move ^ rest, __ATOMIC_RELAXED);
    __atomic_store_n(&slot.value, value, __ATOMIC_RELAXED);
    __atomic_store_n(&slot.move, entry.move, __ATOMIC_RELAXED);
    __atomic_store_n(&slot.rest, rest, __ATOMIC_RELAXED);
}

std::uint64_t Table::key_at(std::size_t at) const {
    const Slot slot = read(at);
    return slot.check ^ slot.value ^ slot.move ^ slot.rest;
}

// -- buckets

// Leaves slots_ empty if there is no memory.
void Table::allocate(std::size_t buckets) {
    slots_ = ZeroedArray<Slot>(buckets * bucket_size);
    extras_ = ZeroedArray<double>(buckets * bucket_size * extra_);
    if (extra_ != 0 && extras_.size() == 0) slots_ = {};
    mask_ = buckets - 1;
    used_ = 0;
}

void Table::forget() {
    allocate(first_buckets_);
    if (slots_.size() == 0) throw std::bad_alloc();
}

double Table::share_used() const {
    constexpr std::size_t most = 1000;
    const std::size_t count = std::min(most, slots_.size());
    std::size_t used = 0;
    for (std::size_t i = 0; i < count; ++i) used += unpack(read(i)).generation == generation_ ? 1 : 0;
    const double filled = static_cast<double>(used) / static_cast<double>(std::max<std::size_t>(1, count));
    return filled * static_cast<double>(mask_ + 1) / static_cast<double>(max_buckets_);
}

void Table::new_search() {
    generation_ = generation_ == UINT8_MAX ? std::uint8_t{1} : static_cast<std::uint8_t>(generation_ + 1);
}

// A bucket's number is the low bits of a mixed key, so the entries of a new bucket all come from one old bucket, and
// there is room for them.
void Table::grow() {
    const std::size_t buckets = mask_ + 1;
    const ZeroedArray<Slot> old = std::move(slots_);
    const ZeroedArray<double> old_extras = std::move(extras_);
    allocate(std::min(buckets * growth, max_buckets_));
    if (slots_.size() == 0) {
        max_buckets_ = buckets; // no memory: the table grows no further
        allocate(buckets);
        if (slots_.size() == 0) throw std::bad_alloc();
    }
    for (std::size_t i = 0; i < old.size(); ++i) {
        const TableEntry entry = unpack(old[i]);
        if (entry.generation == 0) continue;
        const std::uint64_t key = old[i].check ^ old[i].value ^ old[i].move ^ old[i].rest;
        std::size_t at = bucket(key);
        if (slots_[at].rest != 0) ++at;
        slots_[at] = old[i];
        for (std::size_t k = 0; k < extra_; ++k) extras_[at * extra_ + k] = old_extras[i * extra_ + k];
        ++used_;
    }
}

std::size_t Table::bucket(std::uint64_t key) const {
    // Some hashes have weak low bits; the multiplication brings the high ones in.
    return ((key * 0x9E3779B97F4A7C15ULL) >> 32 & mask_) * bucket_size;
}

std::optional<TableEntry> Table::find(std::uint64_t key) const {
    const std::size_t first = bucket(key);
    for (std::size_t i = first; i < first + bucket_size; ++i) {
        const Slot slot = read(i);
        if ((slot.check ^ slot.value ^ slot.move ^ slot.rest) != key || slot.rest == 0) continue;
        TableEntry entry = unpack(slot);
        entry.slot = i;
        return entry;
    }
    return std::nullopt;
}

// The slot in the bucket for an entry of this depth. An entry that is deep enough for the first slot moves the one
// there to the second, unless that one is of an earlier search.
std::size_t Table::make_room(std::uint64_t key, int depth) {
    const std::size_t first = bucket(key), second = first + 1;
    const TableEntry there = unpack(read(first));
    const bool current = there.generation == generation_;
    if (grows() && load(slots_[current ? second : first].rest) == 0) ++used_;
    if (!current) return first;
    if (depth < there.depth) return second;
    write(second, key_at(first), there);
    for (std::size_t k = 0; k < extra_; ++k) extras_[second * extra_ + k] = extras_[first * extra_ + k];
    return first;
}

void Table::store(std::uint64_t key, int depth, const Claim& claim, std::optional<std::uint64_t> move,
                  std::span<const double> extra) {
    if (grows() && used_ * 3 > slots()) grow();
    const auto old = find(key);
    if (old) {
        const bool final = proven(old->lower) && proven(old->upper);
        if (final && !claim.proven()) return;
        if (!move) move = old->hint();
    }
    const std::size_t at = old ? old->slot : make_room(key, depth);
    TableEntry entry;
    entry.value = claim.value;
    entry.move = move.value_or(0);
    entry.depth = static_cast<std::uint16_t>(depth);
    entry.lower = claim.lower;
    entry.upper = claim.upper;
    entry.generation = generation_;
    entry.has_move = move.has_value();
    write(at, key, entry);
    for (std::size_t k = 0; k < extra_; ++k) extras_[at * extra_ + k] = extra[k];
}

} // namespace zug::search
