#pragma once
// From turns of a few steps to moves of one rule each (compiler/compound_moves.hpp).
//
// Why: chains of steps are found by making the steps, one after the other, and comparing the positions that they lead
// to. Where the plan repeats no step, and different steps are proved to lead to different positions
// (compiler/analysis/move_injectivity.hpp), a turn is a move like any other, which needs neither.

#include "compiler/compound_moves.hpp"
#include "compiler/passes.hpp"

#include <memory>

namespace zug::run {

// Null where the program has no turn plan, or one whose turns are not known to be such moves, or where the pass is
// switched off. Whether there is byte code for the result, and whether its effects can fail, is not known yet: a
// compound move fails when it is made, a chain of steps when the moves are listed. `terms`: the same program in the
// form for proofs (compiler/normalise).
std::shared_ptr<const CompoundMoves> compound_moves(const std::shared_ptr<const ir::Program>& program,
                                                    const ir::Program& terms, Passes& passes);

} // namespace zug::run
