#pragma once
// The keys of positions that are found and not yet expanded, of the tier under way and of those to come.
//
// New keys go into a hash set for each tier. When the sets have no room any more they are emptied into sorted rows in a
// file, and a tier's rows are merged when its turn comes, which drops what was found twice (delayed duplicate
// detection: R. Korf, Best-first frontier search with delayed duplicate detection, 2004). The tier under way, if moves
// can stay in it, has rows of all its known keys: what is found of it is new when it is in none of them.

#include "solve/parallel/walker_pool.hpp"
#include "solve/storage/key_merge.hpp"
#include "solve/storage/key_set.hpp"
#include "solve/storage/memory_budget.hpp"

#include <deque>
#include <map>
#include <span>

namespace zug::solve {

class Frontier {
public:
    struct RowsState {
        std::uint32_t tier = 0;
        std::vector<KeysState> rows;
    };
    struct State {
        std::uint32_t tier = 0; // under way
        std::vector<KeysState> known, pending;
        std::vector<RowsState> solved_tiers;
    };

    // rises: no move stays in a tier.
    Frontier(WalkerPool& pool, const Budget& budget, Work& work, bool rises)
        : pool_(pool), budget_(budget), work_(work), rises_(rises) {}

    // Keys found: first their tiers, by one thread; then the keys of each part (KeySet), one thread a part.
    void solve_expected(std::uint32_t tier) { solved_tiers_[tier]; }
    void insert(std::uint32_t tier, std::size_t part, std::span<const Key> keys);

    // Goes on to the least tier there is; false: there is none.
    bool open_tier();
    std::uint32_t tier() const { return tier_; }
    // What is to be expanded next of the tier, until next() is called. Null: nothing.
    const PackedKeys* pending();
    void next() { pending_.pop_front(); }
    // All keys of the tier, when nothing is pending. They count as kept in memory unless they are in a file.
    PackedKeys close_tier();
    void move_to_file(PackedKeys& closed);

    // Keys that are found, at least, beyond the closed tiers.
    std::uint64_t size() const;
    // The sets take more than they may.
    bool is_full() const;
    // Moves all but the closed tiers into files.
    void spill();

    // After spill().
    State state() const;
    bool restore(const State& state);

private:
    using Rows = std::vector<std::shared_ptr<PackedKeys>>;
    struct SolvedTiers {
        KeySet set;
        Rows rows;
    };

    // A file for keys that memory has no room for, or null.
    std::shared_ptr<WorkFile> file_for(std::uint64_t keys);
    const std::shared_ptr<WorkFile>& file_of_closed();
    std::vector<KeyReader> sorted(std::vector<Key>& keys);
    static PackedKeys merged(std::vector<KeyReader> rows, std::shared_ptr<WorkFile> file);
    static PackedKeys merged(const Rows& rows, std::shared_ptr<WorkFile> file);
    std::vector<Key> take_fresh();
    void add_known(PackedKeys keys);
    void find_fresh(const std::shared_ptr<WorkFile>& file);
    void spill_tier(const std::shared_ptr<WorkFile>& file);
    void join_if_many(Rows& rows);
    static std::uint64_t total(const Rows& rows);

    WalkerPool& pool_;
    const Budget& budget_;
    Work& work_;
    const bool rises_;
    std::map<std::uint32_t, SolvedTiers> solved_tiers_; // and the tier under way
    std::uint32_t tier_ = 0;
    bool is_open_ = false;
    // The tier's set holds all that is known of it. Else the rows do, and the set what may be new.
    bool is_complete_ = false;
    Rows known_;
    std::deque<std::shared_ptr<PackedKeys>> pending_;
    std::array<std::vector<Key>, KeySet::parts> fresh_; // of the tier, where its set is complete
    std::uint64_t closed_bytes_ = 0;                    // of memory
    std::shared_ptr<WorkFile> closed_file_;
};

} // namespace zug::solve
