#pragma once
// What is done to the rules before anything else looks at them: what can be said in several ways is brought into the
// form that compiles best.

#include "compiler/passes.hpp"
#include "ir/program.hpp"

namespace zug::run {

// Of questions about legal moves alone: before their conditions are collected.
void normalise_questions(ir::Program& program, Passes& passes);
void normalise(ir::Program& program, Passes& passes);

} // namespace zug::run
