#pragma once
// Sums that may leave the range of their variable, in moves that stand for several steps.
//
// Why: a step whose effects fail is a fault as soon as moves are listed, since chains of steps are found by making
// them; a compound move fails when it is made. So compound moves are legal only where no effect of any can fail: where
// the variables that they add to keep a distance from the ends of their ranges. Elsewhere, as at the end of a game that
// counts its plies, there are no compound moves, and the moves are found as chains.

#include "bytecode/compiled_program.hpp"
#include "compiler/analysis/block_effects.hpp"
#include "compiler/compound_moves.hpp"

#include <memory>
#include <vector>

namespace zug::run {

// Within which these variables must be for no sum of a move to leave their range. Empty: it cannot be said of one.
std::vector<SumLimits> sum_limits(const ir::Program& program, const UnsureSums& unsure);

// The same moves, which are legal only within the limits.
std::shared_ptr<const CompoundMoves> within_limits(const CompoundMoves& moves, const std::vector<SumLimits>& limits);

} // namespace zug::run
