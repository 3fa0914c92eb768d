#include "solve/encoding/tuple_set.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace zug::solve {

namespace {

constexpr std::size_t fewest_slots = 16;

std::uint64_t hash(const std::uint64_t* tuple, std::size_t width) {
    static const std::uint64_t seed = std::random_device()();
    return XXH64(tuple, width * sizeof *tuple, seed);
}

} // namespace

std::size_t TupleSet::slot_of(const std::uint64_t* tuple) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash(tuple, width_) & mask;
    while (slots_[slot] != none && !std::equal(tuple, tuple + width_, (*this)[slots_[slot]])) slot = (slot + 1) & mask;
    return slot;
}

bool TupleSet::insert(const std::uint64_t* tuple) {
    // At most three quarters of the slots are used.
    if (slots_.size() - slots_.size() / 4 <= size_) rehash(std::max(fewest_slots, 2 * slots_.size()));
    std::uint32_t& number = slots_[slot_of(tuple)];
    if (number != none) return false;
    number = size_++;
    words_.insert(words_.end(), tuple, tuple + width_);
    return true;
}

void TupleSet::rehash(std::size_t slots) {
    slots_.assign(slots, none);
    for (std::uint32_t number = 0; number < size_; ++number) slots_[slot_of((*this)[number])] = number;
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
