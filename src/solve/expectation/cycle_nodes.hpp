#pragma once
// The positions of a tier that lie on circles of moves, or lead into one, as nodes for value iteration.

#include "solve/expectation/tier_values.hpp"
#include "solve/expectation/value_iteration.hpp"
#include "solve/tiers/tier_graph.hpp"

namespace zug::solve {

// Those that the graph could not take in order, when all others have values, in the order of their places; by all
// threads. What goes wrong is noted in `values`. Gives how many there are.
std::uint64_t add_nodes(WalkerPool& pool, const PositionCode& code, const ExpectedValues& expected, const Tier& tier,
                        const TierGraph& graph, TierValues& values, Cycles& cycles);

} // namespace zug::solve
