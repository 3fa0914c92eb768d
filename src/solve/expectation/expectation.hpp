#pragma once
// Expected utilities in games with chance: backward induction over the tiers as in backward_induction.hpp, with the
// mean at chance nodes. A tier with moves inside it is solved in topological order (tier_graph.hpp) as far as they form
// no cycle. The remaining positions are solved by value iteration (value_iteration.hpp) if one number expresses a
// position's value to all players; else the game is refused.
//
// The errors of tiers add up: the gap that iteration leaves, and the rounding of a mean for each move that play can
// last. Their sum is reported, and bounds the error of every value. With more than two players, or utilities that don't
// add up to zero, it refers to the values of the moves that the tie rule chose (expected_values.hpp).
//
// Memory at the peak, above the packed keys, if it suffices: 24 bytes a position and stored number in the successor
// tiers of the current tier, and 8 in the current one; for tiers with moves inside see tier_graph.hpp and
// value_iteration.hpp. Else values are in files.

#include "solve/enumeration/space.hpp"
#include "solve/expectation/expected_values.hpp"
#include "solve/tiers/tier_task.hpp"

#include <functional>

namespace zug::solve {

struct Expectation {
    Payoffs value;    // of the start, by player
    double error = 0; // a bound on the error of every value
    ValueCounts counts;
};

// Receives a tier's values in the order of its keys, from block `first_block` on: values[w][i] is the w-th stored
// number of the i-th position. An error ends the work.
using ValueSink = std::function<tl::expected<void, Error>(const Tier& tier, std::size_t first_block,
                                                          std::span<const std::vector<double>> values)>;

// Errors: those of enumerate() and of the sink, or why a cycle can't be solved. Checkpoints are written as by
// backward_induction(), and between sweeps over the positions on cycles.
tl::expected<Expectation, Error> solve_expected(const SpaceTask& task, const ExpectedValues& expected,
                                                const ValueSink& sink);

} // namespace zug::solve
