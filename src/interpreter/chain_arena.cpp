#include "interpreter/chain_arena.hpp"

#include "base/copy_words.hpp"
#include "executor/hash.hpp"

#include <algorithm>

namespace zug::run {

ChainArena::ChainArena(std::size_t words) : width_((words + block - 1) / block * block) {
    std::uint64_t key = 0x9E3779B97F4A7C15ULL;
    for (std::size_t k = 0; k < width_; ++k) keys_.push_back(key = combine_hashes(key, k));
}

ChainArena::Node ChainArena::copy(Node n) {
    const Node to = next();
    draft();
    copy_words(at(n), width_, at(to));
    entries_.push_back(entries_[position(n)]);
    return to;
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
    used_ = 0;
    if (++search_ != 0) return;
    std::ranges::fill(table_, Entry{});
    search_ = 1;
}

ChainArena::Node& MetNodes::member(const ChainArena& arena, ChainArena::Node n, std::uint64_t hash) {
    if (used_ * 2 >= table_.size()) grow(arena);
    const std::size_t mask = table_.size() - 1;
    std::size_t at = static_cast<std::size_t>(hash) & mask;
    for (; table_[at].search == search_; at = (at + 1) & mask) {
        const ChainArena::Node other = table_[at].node;
        if (arena.hash(other) == hash && arena.equal(other, n)) return table_[at].node;
    }
    ++used_;
    table_[at] = {search_, ChainArena::none};
    return table_[at].node;
}

bool MetNodes::insert(const ChainArena& arena, ChainArena::Node n) {
    ChainArena::Node& known = member(arena, n, arena.hash(n));
    if (known != ChainArena::none) return false;
    known = n;
    return true;
}

void MetNodes::grow(const ChainArena& arena) {
    const std::vector<Entry> before = std::move(table_);
    table_.assign(std::max<std::size_t>(64, before.size() * 4), {});
    const std::size_t mask = table_.size() - 1;
    for (const Entry& entry : before) {
        if (entry.search != search_) continue;
        std::size_t at = static_cast<std::size_t>(arena.hash(entry.node)) & mask;
        while (table_[at].search == search_) at = (at + 1) & mask;
        table_[at] = entry;
    }
}

} // namespace zug::run
