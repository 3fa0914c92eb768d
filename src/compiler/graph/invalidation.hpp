#pragma once
// Which changes of a state can make a condition false that holds in it.
//
// A condition such as `no opposing piece attacks my king` is asked of the state after each move, though most moves
// can't change it. What it looks at is told by the graph that works it out: going back from the condition, each set is
// asked for the places where a new member, or one that is gone, could matter. At the ends of this stand maps: places
// where becoming one of some values, or ceasing to be, is a danger. For the king these are the places next to it or a
// knight's move away for opposing pieces, and the first pieces in its lines for empty squares.
//
// Cost: a pass over the nodes of the condition; the sets of places are nodes themselves, most of which the condition
// needs anyhow.

#include "compiler/graph/value_graph.hpp"

#include "ir/program.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace zug::run {

// Sets of places; no_node: none.
struct Requirement {
    NodeRef gain = no_node, loss = no_node;
    // The same for a single change: of one place, in one way, while all others are none or no danger.
    NodeRef gain_alone = no_node, loss_alone = no_node;
    // Where being a member afterwards, or not being one, makes the condition false for certain, if the change is that a
    // place of a map gets a value that had none.
    NodeRef gain_surely = no_node, loss_surely = no_node;
};

struct InvalidatingChange {
    ir::StateId state{};      // stored as planes
    std::uint64_t values = 0; // bits by ordinal
    Requirement places;       // where becoming one of the values, or ceasing to be, is one
};

struct Invalidation {
    NodeRef holds = no_node;              // the condition
    std::vector<InvalidatingChange> maps; // each state and set of values once
    std::vector<bool> any_change;         // by StateId: each change of it is one
    bool concern(ir::StateId id) const;
};

// Of a truth that was built in the region where the builder stands. Empty: it can't be told.
std::optional<Invalidation> find_invalidation(ValueGraph& graph, const StateLayout& layout, const ir::Program& program,
                                              NodeRef condition);

} // namespace zug::run
