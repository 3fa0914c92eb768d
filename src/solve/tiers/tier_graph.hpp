#pragma once
// The moves inside a tier as a graph with forward and reverse edges, and a topological order of it: each position after
// its successors, as far as no cycle prevents it (A. Kahn, Topological sorting of large networks, 1962).
//
// Bytes: 8 a position and 8 a move inside the tier; while the graph is built, 18 a position if that is in memory, and 8
// a move. In files where memory is short (scratch.hpp).

#include "solve/enumeration/space.hpp"
#include "solve/tiers/bucket_queue.hpp"
#include "solve/tiers/tier_task.hpp"

namespace zug::solve {

class TierGraph {
public:
    // An error: a rule's fault, files, or `stopped`.
    static tl::expected<TierGraph, Error> of(const TierTask& task, const Tier& tier);

    std::size_t size() const { return after_.size(); }
    // The successors of a position inside the tier, in the order of its moves.
    std::span<const PositionIndex> after(PositionIndex index) const { return after_.of(index); }
    const AdjacencyLists& before() const { return before_; }

    // Whether TierOrder could not take the position: it is on a cycle, or leads into one.
    bool cycles(PositionIndex index) const { return open_[index] != 0; }
    // Some position on a cycle, if there is one.
    std::optional<PositionIndex> on_cycle() const;

    // The file that holds the graph, for a checkpoint.
    struct State {
        std::string file;
        std::uint64_t after = 0, before = 0; // entries
    };
    // Written on the first call; the file lives as long as the graph.
    State save(Scratch& scratch);
    // An error: files, or `unreadable`.
    static tl::expected<TierGraph, Error> restore(const Tier& tier, Scratch& scratch, const State& state);

private:
    friend class TierOrder;

    AdjacencyLists after_, before_;
    Array<std::uint32_t> open_;       // successors inside the tier that have not been taken
    std::shared_ptr<WorkFile> saved_; // with the lists
};

// Takes positions after their successors in the tier. Not to be used after an I/O error.
class TierOrder {
public:
    // `at_safepoint` is polled: whether to stop (bucket_queue.hpp).
    TierOrder(TierGraph& graph, WorkerPool& threads, Scratch& scratch, const std::function<bool()>& at_safepoint)
        : graph_(graph), scratch_(scratch), queue_(graph.before_, threads, scratch, at_safepoint) {}

    void begin();
    // The state at a safepoint, for checkpoints (array_file.hpp); restored() comes after it was read, not begin().
    template <class Arrays>
    void visit(Arrays& arrays) {
        arrays(graph_.open_);
        queue_.visit(arrays);
    }
    void restored() { queue_.restored(); }

    // take(thread, generation, indices): ascending, of one block, positions whose successors were all taken in earlier
    // generations; and end(generation) (bucket_queue.hpp). False: stopped at a safepoint.
    template <class Take, class End>
    bool run(Take&& take, End&& end) {
        return queue_.run(
            take, pass_nothing,
            [&](std::uint32_t ply, PositionIndex from, Nothing) {
                if (--graph_.open_[from] == 0) queue_.add(ply + 1, from);
            },
            end);
    }

private:
    TierGraph& graph_;
    Scratch& scratch_;
    BucketQueue<std::uint32_t> queue_;
};

} // namespace zug::solve
