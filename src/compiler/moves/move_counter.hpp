#pragma once
// Counts the moves of a position in a register, where they need not be emitted one by one.
//
// A set of moves adds its size to the total. Inside a loop over pieces, sets whose sizes the value graph can count for
// all pieces together (ValueGraph::count_outside) are counted behind the loop instead; if nothing else is left to do in
// it, the loop goes. Sizes found at the routine's top level are summed up first and added to the total once, so that
// the graph sees sums of like sets.

#include "compiler/graph/value_graph.hpp"

#include <optional>
#include <vector>

namespace zug::run {

class MoveCounter {
public:
    // `total` is a register that the routine has set to a number. `unchecked`: a register, 0 at first, that is made
    // other than 0 where there are moves whose legality is not known; without it such moves are left to the caller.
    MoveCounter(ValueGraph& graph, Reg total, std::optional<Reg> unchecked)
        : graph_(graph), total_(total), unchecked_(unchecked) {}

    // False: the moves aren't known to be legal, and the caller has to emit them.
    bool count(NodeRef moves, bool legal);
    // Whether count() takes all moves.
    bool takes_all() const { return unchecked_.has_value(); }

    // The caller has opened a loop over `domain`; what is counted until close() is inside it.
    void enter(const ValueGraph::OpenLoop& open, NodeRef domain);
    // Closes that loop, without those members of the domain for which nothing is left to be done in it.
    void close();
    // How many sets the innermost loop has had that are counted behind it.
    std::size_t counted_behind() const { return loops_.empty() ? 0 : loops_.back().counts.size(); }

    // Adds what is not yet added to the total. Once, when all moves have been counted.
    void finish();

private:
    struct Loop {
        ValueGraph::OpenLoop open;
        NodeRef domain = no_node;
        std::optional<NodeRef> done; // members of which nothing is left to count in the loop
        std::vector<NodeRef> counts; // to be added behind it
        bool stays = false;          // something else happens in it
    };
    bool count_behind(NodeRef moves);
    void mark_unchecked(NodeRef moves);
    void add(NodeRef count);
    void add_to_total(NodeRef count);

    ValueGraph& graph_;
    Reg total_;
    std::optional<Reg> unchecked_;
    std::vector<Loop> loops_; // that are open, the innermost last
    NodeRef sum_ = no_node;   // counted at the top level, not yet added
};

} // namespace zug::run
