#pragma once
// Invalidation: which changes of a state can make a condition false that holds in it.
//
// A condition such as `no opposing piece attacks my king` is tested in the state after each move, though most moves
// can't change it. The graph that computes the condition tells what it depends on: going backwards from the condition,
// each set gets a requirement, the sites where gaining or losing a member could matter. The leaves are planes of maps:
// sites where becoming one of some values, or ceasing to be one, invalidates the condition. For the king these are the
// sites next to it or a knight's move away for opposing pieces, and the first pieces in its lines for empty squares.
//
// Cost: one visit of each node of the condition. The sets of sites are nodes themselves; most of them are needed by the
// condition anyhow.

#include "compiler/graph/value_graph.hpp"

#include "ir/program.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace zug::run {

// Sets of sites; no_node: none.
struct Requirement {
    // Where a new member, or the loss of one, can make the condition false.
    NodeRef gain = no_node, loss = no_node;
    // The same if it is the only invalidating change: one site changes, in one way.
    NodeRef gain_alone = no_node, loss_alone = no_node;
    // Where being a member afterwards, or not being one, makes the condition false for certain, if the change is that a
    // site of a map that held none gets a value.
    NodeRef gain_surely = no_node, loss_surely = no_node;
};

struct InvalidatingChange {
    ir::StateId state{};      // stored as planes
    std::uint64_t values = 0; // bits by ordinal
    Requirement sites;        // the sites where becoming one of the values, or ceasing to be one, invalidates
};

struct Invalidation {
    NodeRef holds = no_node;              // the condition
    std::vector<InvalidatingChange> maps; // each state and set of values once
    std::vector<bool> any_change;         // by StateId: any change of it may invalidate
    bool concern(ir::StateId id) const;
};

// For a truth that was built in the current region. nullopt: it depends on a loop, a question or a register that is no
// state variable.
std::optional<Invalidation> find_invalidation(ValueGraph& graph, const StateLayout& layout, const ir::Program& program,
                                              NodeRef condition);

} // namespace zug::run
