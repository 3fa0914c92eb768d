#include "solve/encoding/tuple_set.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace zug::solve {

namespace {

constexpr std::size_t fewest_slots = 16;

} // namespace

std::size_t TupleSet::bytes() const {
    return words_.capacity() * sizeof(std::uint64_t) + slots_.capacity() * sizeof(Slot);
}

std::uint64_t TupleSet::hash(const std::uint64_t* tuple) const {
    static const std::uint64_t seed = std::random_device()();
    return XXH64(tuple, width_ * sizeof *tuple, seed);
}

std::size_t TupleSet::slot_of(const std::uint64_t* tuple, std::uint64_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
        const auto [number, tag] = slots_[slot];
        if (number == none || (tag == tag_of(hash) && std::equal(tuple, tuple + width_, (*this)[number]))) return slot;
    }
}

bool TupleSet::insert(const std::uint64_t* tuple) {
    // At most three quarters of the slots are used.
    if (slots_.size() - slots_.size() / 4 <= size_) rehash(std::max(fewest_slots, 2 * slots_.size()));
    const std::uint64_t own_hash = hash(tuple);
    Slot& slot = slots_[slot_of(tuple, own_hash)];
    if (slot.number != none) return false;
    slot = {size_++, tag_of(own_hash)};
    words_.insert(words_.end(), tuple, tuple + width_);
    return true;
}

void TupleSet::rehash(std::size_t slots) {
    slots_.assign(slots, Slot());
    for (std::uint32_t number = 0; number < size_; ++number) {
        const std::uint64_t own_hash = hash((*this)[number]);
        slots_[slot_of((*this)[number], own_hash)] = {number, tag_of(own_hash)};
    }
}

void TupleSet::sort() {
    std::vector<std::uint32_t> order(size_);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return std::lexicographical_compare((*this)[a], (*this)[a] + width_, (*this)[b], (*this)[b] + width_);
    });
    if (std::ranges::is_sorted(order)) return;
    std::vector<std::uint64_t> words;
    words.reserve(words_.size());
    for (const std::uint32_t number : order) words.insert(words.end(), (*this)[number], (*this)[number] + width_);
    words_ = std::move(words);
    rehash(slots_.size());
}

} // namespace zug::solve
