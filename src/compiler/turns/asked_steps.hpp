#pragma once
// Questions about legal steps, `can put`, as what they ask: `some c: cell: conditions`. Rules of compound moves are
// no rules of steps, so that questions about those have to be gone before (compiler/turns/compound_program.hpp).

#include "ir/program.hpp"

namespace zug::run {

// Writes out all questions of the program. False: there is one about a rule with `ensure`, which is asked of the state
// after the step, or about another player than `me`, or one that cannot be expressed; then the program is of no use.
bool write_out_asked_steps(ir::Program& program);

} // namespace zug::run
