#pragma once
// Expected utilities in games with chance: backward induction over the tiers as in induction.hpp, with the mean at
// chance nodes. A tier with moves inside it is solved in their order (tier_graph.hpp) as far as they lead in no circle.
// What is left is found by value iteration (value_iteration.hpp) where one number tells what a position is worth to
// all; else it is refused.
//
// The errors of tiers add up: what iteration left open, and the rounding of a mean for each move that play can last.
// Their sum is what is reported, and bounds every value's error. With more than two players, or utilities that don't
// add up to zero, it is about the values of those moves that the tie rule chose (expected_values.hpp).
//
// Memory at the peak, above the packed keys, where there is enough: 24 bytes a position and number kept in the tiers
// that the present one leads to, and 8 in the present one; in a tier with moves inside it see tier_graph.hpp and
// value_iteration.hpp. Else values are in files.

#include "solve/enumeration/space.hpp"
#include "solve/expectation/expected_values.hpp"

#include <functional>

namespace zug::solve {

struct Expectation {
    Payoffs value;    // of the start, one a player
    double error = 0; // of any value, at most
    ValueCounts counts;
};

// Takes a tier's values in the order of its keys, those from one of its blocks on: values[w][i] is the w-th number that
// is kept of the i-th of them. An error ends the work.
using ValueSink = std::function<tl::expected<void, Error>(const Tier& tier, std::size_t first_block,
                                                          std::span<const std::vector<double>> values)>;

// Frees the keys of each tier when it is done. The errors of enumerate(), the sink's, or why a circle can't be solved.
// Checkpoints are made as by induce(), and between sweeps over the positions in circles.
tl::expected<Expectation, Error> solve_expected(WalkerPool& pool, const PositionCode& code, Space& space, Key start,
                                                const ExpectedValues& expected, const ValueSink& sink, const Stop& stop,
                                                const Resources& resources, const archive::Bytes* resume = nullptr);

} // namespace zug::solve
