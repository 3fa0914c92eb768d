#pragma once
// From a program's rules to byte code.

#include "bytecode/compiled_program.hpp"
#include "bytecode/debug_info.hpp"

#include <memory>
#include <string>

namespace zug::run {

// Empty if some construct has no byte code; `why` then names it.
std::unique_ptr<Compiled> compile(std::shared_ptr<const ir::Program> program, std::string& why,
                                  DebugInfo* debug_info = nullptr);

} // namespace zug::run
