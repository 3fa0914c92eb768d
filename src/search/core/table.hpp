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
//
// Threads may share a table of fixed size without locks: an entry is four words, the first of which is the key xored
// with the others, so that an entry torn by two writers has no key that anybody looks for (Hyatt and Mann, "A lock-less
// transposition table implementation for parallel search", 2002).

#include "base/zeroed_array.hpp"
#include "search/core/claim.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace zug::search {

struct TableEntry {
    double value = 0; // as its player to move sees it
    std::uint64_t move = 0;
    std::uint16_t depth = 0;
    Reason lower = unknown, upper = unknown;
    std::uint8_t generation = 0; // 0: empty
    bool has_move = false;
    std::size_t slot = 0; // where it was found

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
    std::optional<std::uint64_t> hint() const { return has_move ? std::optional(move) : std::nullopt; }

private:
    bool holds(Reason reason, int remaining) const {
        return proven(reason) ? remaining >= reason : reason == at_depth && remaining == depth;
    }
};

class Table {
public:
    enum class Sharing : std::uint8_t { Alone, Shared };

    // At most so many bytes. A table that one thread has alone starts small and grows fourfold as it fills, so that a
    // short search touches little memory; a shared one has its size from the start. `extra` numbers are kept with each
    // entry, for methods whose values are vectors; they are not for sharing.
    explicit Table(std::size_t bytes, std::size_t extra = 0, Sharing sharing = Sharing::Alone);

    std::optional<TableEntry> find(std::uint64_t key) const;
    // The extra numbers of an entry that find() gave.
    std::span<const double> extra(const TableEntry& entry) const {
        return {extras_.data() + entry.slot * extra_, extra_};
    }
    // Does nothing if the entry to be replaced is worth more. If no move is given, that of an earlier entry of the same
    // state is kept.
    void store(std::uint64_t key, int depth, const Claim& claim, std::optional<std::uint64_t> move,
               std::span<const double> extra = {});

    std::size_t slots() const { return slots_.size(); }
    // The share of the entries that this search has stored, of all that the table may have; of the first 1000.
    double share_used() const;
    static constexpr std::size_t slot_bytes = 32;
    // Starts a new generation: entries of earlier searches are replaced first.
    void new_search();
    void forget();

private:
    // Read and written word by word with relaxed atomic accesses.
    struct Slot {
        std::uint64_t check, value, move, rest;
    };
    static_assert(sizeof(Slot) == slot_bytes);

    static std::uint64_t load(const std::uint64_t& word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }
    static std::uint64_t rest_of(const TableEntry& entry);
    Slot read(std::size_t at) const;
    static TableEntry unpack(const Slot& slot);
    void write(std::size_t at, std::uint64_t key, const TableEntry& entry);
    std::uint64_t key_at(std::size_t at) const;

    bool grows() const { return mask_ + 1 < max_buckets_; }
    void allocate(std::size_t buckets);
    void grow();
    std::size_t bucket(std::uint64_t key) const;
    std::size_t make_room(std::uint64_t key, int depth);

    ZeroedArray<Slot> slots_;
    ZeroedArray<double> extras_; // extra_ for each slot
    std::size_t extra_, max_buckets_, first_buckets_;
    std::size_t mask_ = 0, used_ = 0;
    std::uint8_t generation_ = 1;
};

} // namespace zug::search
