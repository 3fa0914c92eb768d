#pragma once
// The executor that runs machine code.
//
// A program is compiled to byte code, and its routines to machine code by a helper process (helper.hpp) on LLVM, or
// taken from the cache of an earlier run (cache.hpp). Byte code and machine code work on the same frames, so the
// executor starts with byte code and goes on with machine code as soon as it is there.

#include "run/executor.hpp"

#include <memory>
#include <string>

namespace zug::native {

enum class Wait : std::uint8_t {
    Never, // machine code is looked for when the executor is first used, and made once it has worked for a while
    Ready, // it is there before this returns
};

// Why no machine code can be made here; empty: it can.
std::string unavailable();

// Without a helper or where it fails: the interpreter; `why`, if not null, then says why.
std::unique_ptr<run::Executor> make_native(std::shared_ptr<const ir::Program> program, Wait wait,
                                           std::string* why = nullptr);

} // namespace zug::native
