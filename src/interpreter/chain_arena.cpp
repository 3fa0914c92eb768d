#include "interpreter/chain_arena.hpp"

#include "executor/hash.hpp"

#include <utility>

namespace zug::run {
namespace {

constexpr std::size_t most_mixed = 128; // words: XXH3 is faster for more

} // namespace

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

// The pairs of words are multiplied independently, so that the products overlap in the pipeline. Equal hashes prove
// nothing: MetNodes compares the words.
std::uint64_t ChainArena::hash(Node n) const {
    const auto all = words(n);
    if (all.size() > most_mixed) return long_words_hash(all);
    std::uint64_t sum = 0, a = 0xA0761D6478BD642FULL, b = 0xE7037ED1A0B428DBULL;
    std::size_t k = 0;
    for (; k + 1 < all.size(); k += 2) {
        sum += multiply_mix(all[k] ^ a, all[k + 1] ^ b);
        a += 0x9E3779B97F4A7C15ULL;
        b += 0xD1B54A32D192ED03ULL;
    }
    if (k < all.size()) sum += multiply_mix(all[k] ^ a, b);
    return combine_hashes(sum, a);
}

void MetNodes::clear() {
    members_.clear();
    table_.clear();
}

bool MetNodes::insert(const ChainArena& arena, ChainArena::Node n) {
    if (members_.size() < most_unhashed) {
        for (const Member& m : members_)
            if (arena.equal(m.node, n)) return false;
        members_.push_back({0, n});
        return true;
    }
    if (members_.size() == most_unhashed)
        for (Member& m : members_) m.hash = arena.hash(m.node);
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
