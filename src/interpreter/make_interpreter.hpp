#pragma once
// The interpreter: byte code on the virtual machine, or machine code where a routine has it.

#include "bytecode/compiled_program.hpp"
#include "bytecode/native_routines.hpp"
#include "executor/executor.hpp"

#include <memory>

namespace zug::run {

// Compiles the program; the reference evaluator if it can't be compiled.
std::unique_ptr<Executor> make_interpreter(std::shared_ptr<const ir::Program> program);
// With machine code where `routines`, which may be null, has it, and for Compiled::stepwise where `stepwise` has it.
std::unique_ptr<Executor> make_interpreter(std::shared_ptr<const Compiled> compiled,
                                           std::shared_ptr<RoutineTable> routines,
                                           std::shared_ptr<RoutineTable> stepwise = nullptr);

} // namespace zug::run
