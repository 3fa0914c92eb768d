#pragma once
// The executor that runs machine code.
//
// A program is compiled to byte code, and its routines to machine code by the compile service (compile_service.hpp); or
// both come from the cache of an earlier run (cache.hpp). Byte code and machine code work on the same frames, so the
// executor starts with byte code and continues with machine code as soon as it is ready.
//
// There are two tiers. Processor time to compile all routines of a program, and random playouts a second, from the same
// LLVM IR (Xeon, LLVM 19.1, asmjit's Compiler of 2022-12):
//                 LLVM                asmjit             byte code
//   tic-tac-toe    19 ms  11.9 M       1.6 ms  10.8 M    4.9 M
//   othello       134 ms   397 k       8.7 ms   276 k     65 k
//   chess         714 ms  14.9 k        64 ms  10.2 k    4.2 k   (without repetition)
//   breakthrough   20 ms  1.33 M       1.8 ms  1.08 M     330 k
//   go 19x19      109 ms  13.4 k       7.1 ms  10.0 k    4.2 k
// The first tier is asmjit's: it is ready in a tenth of the time and runs 7 to 53 % slower, with the largest loss where
// optimisation gains most. LLVM's replaces it. LLVM without optimisation is worse in both respects: chess 363 ms, 6.9
// k.

#include "executor/executor.hpp"

#include <memory>
#include <string>

namespace zug::native {

// What make_native waits for.
enum class Wait : std::uint8_t {
    Never,    // looks for cached machine code at the first use, and compiles once the executor has run for a while
    Ready,    // until there is some machine code; better code replaces it when that is ready
    Best,     // until the best machine code is ready; after 20 seconds any will do
    Baseline, // for tests: until the baseline JIT's code is ready, which nothing replaces
};

// The reason why this machine or this build cannot make machine code; empty: it can.
std::string unavailable();

// Without machine code the result is an interpreter, or the reference evaluator for a program without byte code. The
// reason is then stored in `why`, unless it is null.
std::unique_ptr<run::Executor> make_native(std::shared_ptr<const ir::Program> program, Wait wait,
                                           std::string* why = nullptr);

} // namespace zug::native
