#pragma once
// From a program's rules to byte code.

#include "bytecode/compiled_program.hpp"
#include "bytecode/debug_info.hpp"
#include "compiler/passes.hpp"

#include <memory>
#include <optional>
#include <string>

namespace zug::run {

// Empty if some construct has no byte code; `why` then names it. `passes`, if given, says which passes to leave out,
// and is told what each did. Byte code that was made without some pass must not go to the cache, whose key doesn't
// tell.
std::unique_ptr<Compiled> compile(std::shared_ptr<const ir::Program> program, std::string& why,
                                  DebugInfo* debug_info = nullptr, Passes* passes = nullptr);

// What is kept of a compiled program to make it again.
struct KeptParts {
    CompiledParts parts;
    std::optional<CompiledParts> stepwise, beyond; // where `beyond` is the same as `stepwise`, that alone
};
KeptParts keep(const Compiled& compiled);
// From what this version of the compiler has made of the program before. Empty if it can't be that.
std::unique_ptr<Compiled> restore(const std::shared_ptr<const ir::Program>& program, KeptParts kept);

} // namespace zug::run
