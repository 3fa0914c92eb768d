#pragma once
// Byte code from the cache, or compiled and stored there. Compiling a large program takes three times as long as
// loading its rule file.

#include "bytecode/compiled_program.hpp"
#include "native/cache.hpp"

namespace zug::native {

// The key of a program's byte code: the digest of its rules, and of the version of the sources that process them.
Key key_of(const ir::Program& program);

// As run::compile.
std::unique_ptr<run::Compiled> compile(const std::shared_ptr<const ir::Program>& program, const Cache& cache,
                                       std::string& why);

} // namespace zug::native
