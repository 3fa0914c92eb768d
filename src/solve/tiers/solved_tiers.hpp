#pragma once
// The results of the tiers that positions under way may lead to: in tables while memory lasts, else in files.
//
// What is asked about files is sorted, and keys and results are read side by side with it, so that they are read in
// order and once for all that is asked together (sort-merge join). The more is asked at a time the better.

#include "solve/encoding/outcomes.hpp"
#include "solve/storage/column_file.hpp"
#include "solve/storage/key_set.hpp"

#include <map>

namespace zug::solve {

struct SolvedTiersState {
    struct TierState {
        std::uint32_t number = 0;
        KeysState keys;
        RowState results;
    };
    std::vector<TierState> tiers;
};

// Value: a Result, or an expected utility.
template <class Value>
class SolvedTiers {
public:
    using Room = std::vector<KeyQuery>; // for a thread's questions

    explicit SolvedTiers(const PositionCode& code, std::uint64_t table_bytes = UINT64_MAX)
        : code_(code), table_bytes_(table_bytes) {}

    // Whether memory has room for the table of a tier of this size: else its row should be in a file.
    bool has_room(std::size_t size) const;
    void add(std::uint32_t tier, PackedKeys keys, ColumnFile<Value> results);
    // Tiers above this one are not asked for any more.
    void forget_above(std::uint32_t tier) { tiers_.erase(tiers_.upper_bound(tier), tiers_.end()); }
    bool in_memory() const;      // all of it
    std::uint64_t bytes() const; // of the tables

    // Results of keys that were all added: results[i] is of keys[i].
    void find(std::span<const Key> keys, std::vector<Value>& results, Room& room) const;

    // Moves all that no file has into this one; the tables stay.
    void move_to(const std::shared_ptr<WorkFile>& file);
    SolvedTiersState state() const; // after that
    bool restore(const Work& work, const SolvedTiersState& state);

private:
    struct Tier {
        PackedKeys keys;
        ColumnFile<Value> results; // empty where there is a table, before move_to()
        ResultTable<Value> table;  // empty: the row is in a file
    };
    void add_table(Tier& tier);
    void find_in_files(Room& room, std::vector<Value>& results) const;

    const PositionCode& code_;
    const std::uint64_t table_bytes_; // at most
    std::map<std::uint32_t, Tier> tiers_;
};

extern template class SolvedTiers<Result>;
extern template class SolvedTiers<double>;

} // namespace zug::solve
