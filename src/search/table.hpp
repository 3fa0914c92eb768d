#pragma once
// The transposition table: the results of earlier visits of a state. Bounded in size, keyed by the full 64-bit hash of
// the state.
//
// Buckets of two: the deeper entry stays, the other gives way (scheme TwoBig of Breuker, Uiterwijk and van den Herik,
// "Replacement schemes for transposition tables", 1994, with depth for size). Two states with the same 64-bit hash
// are not distinguished: a probe of a table of n entries errs once in 2^64 / n times, which for a million entries and
// 10^9 probes is one search in 17,000.
//
// An entry may answer for its own depth, and for another one only as far as its bounds are proven (claim.hpp).

#include "search/claim.hpp"
#include "search/zeroed_array.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace zug::search {

struct TableEntry {
    std::uint64_t key;
    double value; // as its player to move sees it
    std::uint64_t move;
    std::uint16_t depth;
    Reason lower, upper;
    std::uint8_t generation; // 0: empty
    std::uint8_t has_move;

    // What the entry claims at this remaining depth.
    Claim at(int remaining) const {
        return {value, holds(lower, remaining) ? lower : unknown, holds(upper, remaining) ? upper : unknown};
    }
    // The same, if it decides a search with this window.
    std::optional<Claim> cutoff(int remaining, Window window) const {
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
    // At most so many bytes. The table starts small and grows fourfold as it fills, so that a short search touches
    // little memory. `extra` numbers are kept with each entry, for methods whose values are vectors.
    explicit Table(std::size_t bytes, std::size_t extra = 0);

    const TableEntry* find(std::uint64_t key) const;
    // The extra numbers of an entry that find() gave.
    std::span<const double> extra(const TableEntry& entry) const;
    // Does nothing if the entry to be replaced is worth more. If no move is given, that of an earlier entry of the same
    // state is kept.
    void store(std::uint64_t key, int depth, const Claim& claim, std::optional<std::uint64_t> move,
               std::span<const double> extra = {});

    std::size_t slots() const { return entries_.size(); }
    // Starts a new generation: entries of earlier searches are replaced first.
    void new_search();
    void forget();

private:
    void allocate(std::size_t buckets);
    void grow();
    std::size_t bucket(std::uint64_t key) const;
    std::optional<std::size_t> slot_of(std::uint64_t key) const;
    std::size_t make_room(std::uint64_t key, int depth);

    ZeroedArray<TableEntry> entries_;
    ZeroedArray<double> extras_; // extra_ for each slot
    std::size_t extra_, max_buckets_;
    std::size_t mask_ = 0, used_ = 0;
    std::uint8_t generation_ = 1;
};

} // namespace zug::search
