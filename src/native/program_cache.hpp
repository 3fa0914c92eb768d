#pragma once
// Byte code from the cache, or compiled and put there: compiling a large program takes three times as long as reading
// its rules.

#include "bytecode/compiled_program.hpp"
#include "native/cache.hpp"

namespace zug::native {

// What identifies a program, by the texts and parameters that it was made from and the version of all that works on
// them. Empty for a program that was not made from texts.
std::optional<Key> key_of(const ir::Program& program);

// As run::compile.
std::unique_ptr<run::Compiled> compile(const std::shared_ptr<const ir::Program>& program, const Cache& cache,
                                       std::string& why);

} // namespace zug::native
