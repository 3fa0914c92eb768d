#pragma once
// The values of successor tiers: in hash tables while memory lasts, else in files.
//
// Queries to files are sorted and joined with the sorted keys and values (sort-merge join), so each file is read
// sequentially and once for all queries of a call. Larger batches cost less a query.

#include "solve/encoding/outcomes.hpp"
#include "solve/storage/column_file.hpp"
#include "solve/storage/key_set.hpp"

#include <map>

namespace zug::solve {

struct SolvedTiersState {
    struct TierState {
        std::uint32_t number = 0;
        KeysState keys;
        ColumnState results;
    };
    std::vector<TierState> tiers;
};

// Value: a Result, or an expected utility.
template <class Value>
class SolvedTiers {
public:
    using Buffer = std::vector<KeyQuery>; // a thread's queries

    explicit SolvedTiers(const PositionCode& code, std::uint64_t table_bytes = UINT64_MAX)
        : code_(code), table_bytes_(table_bytes) {}

    // Whether a table for a tier of this size fits into memory; if not, its column should be in a file.
    bool has_room(std::size_t size) const;
    void add(std::uint32_t tier, PackedKeys keys, ColumnFile<Value> results);
    // Frees tiers above this one: no query will ask for them.
    void forget_above(std::uint32_t tier) { tiers_.erase(tiers_.upper_bound(tier), tiers_.end()); }
    bool in_memory() const;      // everything
    std::uint64_t bytes() const; // of the tables

    // results[i] becomes the value of keys[i], each of which was added.
    void find(std::span<const Key> keys, std::vector<Value>& results, Buffer& buffer) const;

    // Writes everything that is in no file yet to this one; the tables stay.
    void move_to(const std::shared_ptr<WorkFile>& file);
    SolvedTiersState state() const; // after move_to()
    bool restore(const Work& work, const SolvedTiersState& state);

private:
    struct Tier {
        PackedKeys keys;
        ColumnFile<Value> results; // empty where there is a table, before move_to()
        ResultTable<Value> table;  // empty: the column is in a file
    };
    void add_table(Tier& tier);
    void find_in_files(Buffer& buffer, std::vector<Value>& results) const;

    const PositionCode& code_;
    const std::uint64_t table_bytes_; // at most
    std::map<std::uint32_t, Tier> tiers_;
};

extern template class SolvedTiers<Result>;
extern template class SolvedTiers<double>;

} // namespace zug::solve
