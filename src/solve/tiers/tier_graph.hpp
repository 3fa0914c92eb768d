#pragma once
// The moves that stay in a tier, in both directions: for an order in which its positions can be solved one after the
// other as far as no circle is in the way, a position when all its successors are known (A. Kahn, Topological sorting
// of large networks, 1962).
//
// Bytes: 8 a position and 8 a move inside the tier; while they are found, 18 a position where that is in memory, and 8
// a move. In files where memory has no room (scratch.hpp).

#include "solve/enumeration/space.hpp"
#include "solve/tiers/bucket_queue.hpp"

namespace zug::solve {

class TierGraph {
public:
    // An error: a rule's fault, files, or `stopped`. `stops` is asked now and then.
    static tl::expected<TierGraph, Error> of(WalkerPool& pool, const PositionCode& code, const Tier& tier,
                                             const Resources& resources, Scratch& scratch,
                                             const std::function<bool()>& stops);

    std::size_t size() const { return after_.size(); }
    // Where the moves of a position lead that stay in the tier, in their order.
    std::span<const Place> after(Place place) const { return after_.of(place); }
    const PlaceLists& before() const { return before_; }

    // Whether TierOrder could not take it: it is on a circle, or leads into one.
    bool cycles(Place place) const { return open_[place] != 0; }
    // One on a circle, if there are any.
    std::optional<Place> on_cycle() const;

    // Where it is in a file, for a checkpoint.
    struct State {
        std::string file;
        std::uint64_t after = 0, before = 0; // entries
    };
    // Writes it when it is called first; the file stays as long as the graph.
    State save(Scratch& scratch);
    // An error: files, or `unreadable`.
    static tl::expected<TierGraph, Error> restore(const Tier& tier, Scratch& scratch, const State& state);

private:
    friend class TierOrder;

    PlaceLists after_, before_;
    Array<std::uint32_t> open_;       // successors in the tier that are not taken
    std::shared_ptr<WorkFile> saved_; // with the lists
};

// Positions after their successors in the tier. Not to be used if there was trouble with files.
class TierOrder {
public:
    // `rests` is asked now and then whether to stop (agenda.hpp).
    TierOrder(TierGraph& graph, WorkerPool& threads, Scratch& scratch, const std::function<bool()>& rests)
        : graph_(graph), scratch_(scratch), queue_(graph.before_, threads, scratch, rests) {}

    void begin();
    // The state at a point of rest, for checkpoints (array_file.hpp); restored() comes after it was read, not begin().
    template <class Arrays>
    void visit(Arrays& arrays) {
        arrays(graph_.open_);
        queue_.visit(arrays);
    }
    void restored() { queue_.restored(); }

    // take(thread, generation, places), ascending: some of a block of places whose successors were all in earlier
    // generations; and end(generation) (agenda.hpp). False: it was asked to stop.
    template <class Take, class End>
    bool run(Take&& take, End&& end) {
        return queue_.run(
            take, pass_nothing,
            [&](std::uint32_t ply, Place from, Nothing) {
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
