#pragma once
// Byte code from the cache, or compiled and stored there. Compiling a large program takes three times as long as
// loading its rule file.

#include "bytecode/compiled_program.hpp"
#include "native/cache.hpp"

namespace zug::native {

// The key of a program's byte code: a hash of all texts that it was loaded from (the prelude included), of its
// parameters, and of the version of the sources that process them. Nullopt for a program that was not loaded from
// texts.
std::optional<Key> key_of(const ir::Program& program);

// As run::compile.
std::unique_ptr<run::Compiled> compile(const std::shared_ptr<const ir::Program>& program, const Cache& cache,
                                       std::string& why);

} // namespace zug::native
