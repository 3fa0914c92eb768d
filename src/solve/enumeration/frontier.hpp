#pragma once
// The frontier of the enumeration: keys that were found and not yet expanded, of the current tier and of future ones.
//
// New keys go into a hash set for each tier. When memory is full, the sets are flushed into sorted runs in a file; a
// tier's runs are merged when its turn comes, which drops duplicates (delayed duplicate detection: R. Korf, Best-first
// frontier search with delayed duplicate detection, 2004). The current tier, if moves can stay in it, has runs of all
// its known keys: a key found for it is new if none of them holds it.

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
    struct RunsState {
        std::uint32_t tier = 0;
        std::vector<KeysState> runs;
    };
    struct State {
        std::uint32_t tier = 0; // the current one
        std::vector<KeysState> known, pending;
        std::vector<RunsState> future_tiers;
    };

    // rises: no move stays inside a tier.
    Frontier(WalkerPool& pool, const Budget& budget, Work& work, bool rises)
        : pool_(pool), budget_(budget), work_(work), rises_(rises) {}

    // Adds keys in two steps: reserve() of their tiers, by one thread; then the keys of each part (KeySet), one thread
    // a part.
    void reserve(std::uint32_t tier) { future_tiers_[tier]; }
    void insert(std::uint32_t tier, std::size_t part, std::span<const Key> keys);

    // Moves on to the lowest tier; false: there is none.
    bool open_tier();
    std::uint32_t tier() const { return tier_; }
    // The keys of the tier to expand next, valid until next() is called. Null: none are left.
    const PackedKeys* pending();
    void next() { pending_.pop_front(); }
    // All keys of the tier, once nothing is pending. They count towards memory unless they are in a file.
    PackedKeys close_tier();
    void move_to_file(PackedKeys& closed);

    // A lower bound on the keys found beyond the closed tiers.
    std::uint64_t size() const;
    // Whether the sets exceed their share of memory.
    bool is_full() const;
    // Flushes everything but the closed tiers into files.
    void spill();

    // After spill().
    State state() const;
    bool restore(const State& state);

private:
    using Runs = std::vector<std::shared_ptr<PackedKeys>>;
    struct FutureTier {
        KeySet set;
        Runs runs;
    };

    // A file for keys that memory has no room for, or null.
    std::shared_ptr<WorkFile> file_for(std::uint64_t keys);
    const std::shared_ptr<WorkFile>& file_of_closed();
    std::vector<KeyReader> sorted(std::vector<Key>& keys);
    static PackedKeys merged(std::vector<KeyReader> runs, std::shared_ptr<WorkFile> file);
    static PackedKeys merged(const Runs& runs, std::shared_ptr<WorkFile> file);
    std::vector<Key> take_fresh();
    void find_fresh(const std::shared_ptr<WorkFile>& file);
    void spill_tier(const std::shared_ptr<WorkFile>& file);
    void join_if_many(Runs& runs);
    static std::uint64_t total(const Runs& runs);

    WalkerPool& pool_;
    const Budget& budget_;
    Work& work_;
    const bool rises_;
    std::map<std::uint32_t, FutureTier> future_tiers_; // including the current tier
    std::uint32_t tier_ = 0;
    bool is_open_ = false;
    // Whether the current tier's set holds all of its known keys. Else the runs do, and the set holds candidates.
    bool is_complete_ = false;
    Runs known_;
    std::deque<std::shared_ptr<PackedKeys>> pending_;
    std::array<std::vector<Key>, KeySet::parts> fresh_; // of the tier, where its set is complete
    std::uint64_t closed_bytes_ = 0;                    // of memory
    std::shared_ptr<WorkFile> closed_file_;
};

} // namespace zug::solve
