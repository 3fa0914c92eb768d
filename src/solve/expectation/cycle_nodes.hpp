#pragma once
// The positions of a tier that lie on or lead into a cycle, as nodes for value iteration.

#include "solve/expectation/tier_values.hpp"
#include "solve/expectation/value_iteration.hpp"
#include "solve/tiers/tier_graph.hpp"

namespace zug::solve {

struct NodeTask {
    WalkerPool& pool;
    const PositionCode& code;
    const ExpectedValues& expected;
    const Tier& tier;
    const TierGraph& graph;
    TierValues& values; // of all other positions; an error is recorded here
};

// Adds every position on or leading into a cycle as a value-iteration node, in the order of position indices, using all
// threads; returns the count.
std::uint64_t add_nodes(const NodeTask& task, Cycles& cycles);

} // namespace zug::solve
