#include "interpreter/chain_arena.hpp"

#include <utility>

namespace zug::run {

ChainArena::ChainArena(std::size_t words) : width_(words) {
    std::uint64_t key = 0x9E3779B97F4A7C15ULL;
    for (std::size_t k = 0; k <= width_; ++k) keys_.push_back(key = combine_hashes(key, k));
}

ChainArena::Node ChainArena::add_root(std::span<const std::uint64_t> first) {
    if (width_ > room_) grow();
    std::ranges::copy(first, words_.get());
    std::fill(words_.get() + first.size(), words_.get() + width_, 0);
    entries_.push_back({0, 0, none, 0});
    return Node{};
}

void ChainArena::grow() {
    const std::size_t room = std::max(64 * width_, room_ * 2);
    auto words = std::make_unique_for_overwrite<std::uint64_t[]>(room);
    std::copy_n(words_.get(), entries_.size() * width_, words.get());
    words_ = std::move(words);
    room_ = room;
}

void ChainArena::steps(Node n, std::vector<StepCode>& out) const {
    out.resize(length(n));
    for (std::size_t i = out.size(); i > 0; --i) {
        out[i - 1] = entries_[position(n)].step;
        n = entries_[position(n)].parent;
    }
}

void MetNodes::clear() {
    members_.clear();
    table_.clear();
}

bool MetNodes::insert(const ChainArena& arena, ChainArena::Node n) {
    const std::uint64_t hash = arena.hash(n);
    if (table_.empty()) {
        for (const Member& m : members_)
            if (m.hash == hash && arena.equal(m.node, n)) return false;
        members_.push_back({hash, n});
        if (members_.size() > most_few) grow(arena);
        return true;
    }
    members_.push_back({hash, n});
    if (!insert_hashed(arena, members_.size() - 1)) {
        members_.pop_back();
        return false;
    }
    if (members_.size() * 2 > table_.size()) grow(arena);
    return true;
}

bool MetNodes::insert_hashed(const ChainArena& arena, std::size_t member) {
    const Member& own = members_[member];
    const std::size_t mask = table_.size() - 1;
    std::size_t at = static_cast<std::size_t>(own.hash) & mask;
    for (; table_[at] != 0; at = (at + 1) & mask) {
        const Member& other = members_[table_[at] - 1];
        if (other.hash == own.hash && arena.equal(other.node, own.node)) return false;
    }
    table_[at] = static_cast<std::uint32_t>(member + 1);
    return true;
}

void MetNodes::grow(const ChainArena& arena) {
    const std::size_t size = std::max<std::size_t>(64, table_.size() * 4);
    table_.assign(size, 0);
    for (std::size_t m = 0; m < members_.size(); ++m) insert_hashed(arena, m);
}

} // namespace zug::run
