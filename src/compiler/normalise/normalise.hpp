#pragma once
// What is done to the rules before anything else looks at them: what can be said in several ways is brought into the
// form that compiles best.

#include "compiler/passes.hpp"
#include "ir/program.hpp"

namespace zug::run {

// Of questions about legal moves alone: before their conditions are collected.
void normalise_questions(ir::Program& program, Passes& passes);
void normalise(ir::Program& program, Passes& passes);
// A copy for proofs about turns: names are written out, and conditions are memberships where they can be.
ir::Program for_proofs(const ir::Program& program, const PassOptions& options);

} // namespace zug::run
