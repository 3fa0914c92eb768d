#pragma once
// Counts the moves of a position in a register, where they need not be emitted one by one.
//
// The size of each set of moves is added to the total. Inside a loop over pieces, sets whose sizes can be counted for
// all pieces together (ValueGraph::count_outside) are counted after the loop instead; a loop in which nothing else is
// left to do is removed. Sizes at the top level of the routine are summed first and added to the total once, so that
// the value graph can simplify sums of similar sets.

#include "compiler/graph/value_graph.hpp"

#include <optional>
#include <vector>

namespace zug::run {

class MoveCounter {
public:
    // `total` is a register with a number, to which counts are added. `unchecked`: a register, 0 at first, that becomes
    // nonzero if there are moves whose legality is not known; without it such moves are left to the caller.
    MoveCounter(ValueGraph& graph, Reg total, std::optional<Reg> unchecked)
        : graph_(graph), total_(total), unchecked_(unchecked) {}

    // False: the moves are not known to be legal, and the caller has to emit them.
    bool count(NodeRef moves, bool legal);
    // Whether count() takes all moves.
    bool takes_all() const { return unchecked_.has_value(); }

    // The caller has opened a loop over `domain`. Sets that are counted until close() belong to it.
    void enter(const ValueGraph::OpenLoop& open, NodeRef domain);
    // Closes that loop, and removes the members for which nothing is left to do from its domain.
    void close();
    // The number of sets of the innermost loop that are counted after it.
    std::size_t counted_behind() const { return loops_.empty() ? 0 : loops_.back().counts.size(); }

    // Adds the remaining counts to the total. Call once, when all moves have been counted.
    void finish();

private:
    struct Loop {
        ValueGraph::OpenLoop open;
        NodeRef domain = no_node;
        std::optional<NodeRef> done; // members for which nothing is left to count in the loop
        std::vector<NodeRef> counts; // to be added after it
        bool stays = false;          // something else happens in it
    };
    bool count_behind(NodeRef moves);
    void mark_unchecked(NodeRef moves);
    void add(NodeRef count);
    void add_to_total(NodeRef count);

    ValueGraph& graph_;
    Reg total_;
    std::optional<Reg> unchecked_;
    std::vector<Loop> loops_; // the open ones, the innermost last
    NodeRef sum_ = no_node;   // counted at the top level, not yet added
};

} // namespace zug::run
