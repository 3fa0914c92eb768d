#pragma once
// What is done to the rules before anything else looks at them: what can be said in several ways is brought into the
// form that compiles best.

#include "compiler/passes.hpp"
#include "ir/program.hpp"

namespace zug::run {

void normalise(ir::Program& program, Passes& passes);

} // namespace zug::run
