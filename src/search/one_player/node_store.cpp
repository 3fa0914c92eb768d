#include "search/one_player/node_store.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace zug::search {

namespace {
constexpr std::size_t first_slots = std::size_t{1} << 13;
} // namespace

void NodeStore::begin(std::size_t words, std::size_t bytes) {
    width_ = words;
    most_bytes_ = bytes;
    size_ = 0;
    nodes_.clear();
    words_.clear();
    index_ = ZeroedArray<Slot>(first_slots);
    if (index_.size() == 0) throw std::bad_alloc();
}

// The slot that holds the position, or the empty one where it belongs.
std::size_t NodeStore::slot_of(std::uint64_t hash, std::span<const std::uint64_t> words) const {
    const std::uint64_t tag = hash >> 32;
    const std::size_t mask = index_.size() - 1;
    for (std::size_t at = tag & mask;; at = (at + 1) & mask) {
        if (index_[at] == 0) return at;
        if (index_[at] >> 32 != tag) continue;
        if (std::ranges::equal(this->words(static_cast<Id>(index_[at]) - 1), words)) return at;
    }
}

std::optional<NodeStore::Id> NodeStore::find(std::uint64_t hash, std::span<const std::uint64_t> words) const {
    const Slot slot = index_[slot_of(hash, words)];
    if (slot == 0) return std::nullopt;
    return static_cast<Id>(slot) - 1;
}

std::optional<NodeStore::Found> NodeStore::insert(std::uint64_t hash, std::span<const std::uint64_t> words) {
    std::size_t at = slot_of(hash, words);
    if (index_[at] != 0) return Found{static_cast<Id>(index_[at]) - 1, false};
    if (size_ * 2 >= index_.size()) {
        if (!grow_index()) return std::nullopt;
        at = slot_of(hash, words);
    }
    if (size_ == nodes_.size() * block_size && !add_block()) return std::nullopt;
    const auto id = static_cast<Id>(size_++);
    index_[at] = hash >> 32 << 32 | (id + 1);
    std::ranges::copy(words, words_[id / block_size].get() + (id % block_size) * width_);
    (*this)[id] = {};
    return Found{id, true};
}

bool NodeStore::add_block() {
    const std::size_t each = block_size * (sizeof(Node) + width_ * sizeof(std::uint64_t));
    if ((nodes_.size() + 1) * each + index_.size() * sizeof(Slot) > most_bytes_) return false;
    nodes_.push_back(std::make_unique<Node[]>(block_size));
    words_.push_back(std::make_unique<std::uint64_t[]>(block_size * width_));
    return true;
}

// Both indices exist while one is copied to the other.
bool NodeStore::grow_index() {
    const std::size_t slots = 2 * index_.size();
    const std::size_t each = sizeof(Node) + width_ * sizeof(std::uint64_t);
    if (nodes_.size() * block_size * each + 3 * index_.size() * sizeof(Slot) > most_bytes_) return false;
    if (slots > std::size_t{1} << 32) return false; // tags have 32 bits
    const ZeroedArray<Slot> old = std::exchange(index_, ZeroedArray<Slot>(slots));
    if (index_.size() == 0) throw std::bad_alloc();
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (old[i] == 0) continue;
        std::size_t at = old[i] >> 32 & (slots - 1);
        while (index_[at] != 0) at = (at + 1) & (slots - 1);
        index_[at] = old[i];
    }
    return true;
}

} // namespace zug::search
