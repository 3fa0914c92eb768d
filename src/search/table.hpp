#pragma once
// The transposition table: what earlier visits of a state found out. Fixed size, keyed by the full 64-bit hash of the
// state.
//
// Buckets of two: one entry is kept for its depth, the other is always replaced (Breuker, Uiterwijk and van den Herik,
// "Replacement schemes for transposition tables", 1994). Two states of equal 64-bit hash would be taken for one: a
// probe of a table of n entries errs once in 2^64 / n times, which for a million entries and 10^9 probes is one search
// in 17,000.
//
// An entry may answer for its own depth, and for another one only as far as its bounds are proven (claim.hpp).

#include "search/claim.hpp"
#include "search/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace zug::search {

struct TableEntry {
    std::uint64_t key;
    double value; // as its player to move sees it
    std::uint64_t move;
    std::uint16_t depth;
    Reason lower, upper;
    std::uint8_t generation; // 0: empty
    std::uint8_t has_move;

    // What the entry says at this remaining depth.
    Claim at(int remaining) const {
        return {value, holds(lower, remaining) ? lower : unknown, holds(upper, remaining) ? upper : unknown};
    }
    // The same if it settles a search with this window.
    std::optional<Claim> settles(int remaining, Window window) const {
        const Claim claim = at(remaining);
        const bool high = claim.lower != unknown && value >= window.beta;
        const bool low = claim.upper != unknown && value <= window.alpha;
        if (claim.exact() || high || low) return claim;
        return std::nullopt;
    }
    std::optional<std::uint64_t> hint() const { return has_move != 0 ? std::optional(move) : std::nullopt; }

private:
    bool holds(Reason reason, int remaining) const {
        return proven(reason) ? remaining >= reason : reason == at_depth && remaining == depth;
    }
};
static_assert(sizeof(TableEntry) == 32);

class Table {
public:
    // The largest power of two of buckets that fits, at least one.
    explicit Table(std::size_t bytes);

    const TableEntry* find(std::uint64_t key) const;
    // Returns the entry's slot, or empty if the entry there is worth more and stays. Without a move the old one is
    // kept.
    std::optional<std::size_t> store(std::uint64_t key, int depth, const Claim& claim,
                                     std::optional<std::uint64_t> move);

    std::size_t slots() const { return entries_.size(); }
    std::size_t slot(const TableEntry& entry) const { return static_cast<std::size_t>(&entry - &entries_[0]); }
    // Entries of earlier searches give way first.
    void new_search() {
        generation_ = generation_ == UINT8_MAX ? std::uint8_t{1} : static_cast<std::uint8_t>(generation_ + 1);
    }
    void forget();

private:
    std::size_t bucket(std::uint64_t key) const;
    std::size_t victim(std::uint64_t key, int depth) const;

    ZeroedArray<TableEntry> entries_;
    std::size_t mask_ = 0;
    std::uint8_t generation_ = 1;
};

} // namespace zug::search
