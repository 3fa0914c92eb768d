#pragma once
// The executor that runs machine code.
//
// A program is compiled to byte code, and its routines to machine code by a helper process (helper.hpp) on LLVM; or
// both are taken from the cache of an earlier run (cache.hpp). Byte code and machine code work on the same frames, so
// the executor starts with byte code and goes on with machine code as soon as it is there.
//
// LLVM rather than asmjit for the best code: measured on the same translation of the byte code, all routines of a
// program, processor time to make them and random playouts a second (Xeon, LLVM 19.1, asmjit's Compiler of 2022-12):
//                 LLVM                asmjit             byte code
//   tic-tac-toe    19 ms  11.9 M       1.6 ms  10.8 M    4.9 M
//   othello       134 ms   397 k       8.7 ms   276 k     65 k
//   chess         714 ms  14.9 k        64 ms  10.2 k    4.2 k   (without repetition)
//   breakthrough   20 ms  1.33 M       1.8 ms  1.08 M     330 k
//   go 19x19      109 ms  13.4 k       7.1 ms  10.0 k    4.2 k
// asmjit makes the first tier: it is there ten times as soon, and runs 7 to 53 % slower, most where most is to be
// gained. LLVM makes the second, which takes its place. LLVM without optimisation is worse in both: chess 363 ms, 6.9
// k.

#include "executor/executor.hpp"

#include <memory>
#include <string>

namespace zug::native {

enum class Wait : std::uint8_t {
    Never, // machine code is looked for when the executor is first used, and made once it has worked for a while
    Ready, // some is there before this returns, and better code takes its place when that has been made
    Best,  // the best is there before this returns
    First, // for tests: what comes first, and nothing takes its place
};

// Why no machine code can be made here; empty: it can.
std::string unavailable();

// Without a helper or where it fails: the interpreter; `why`, if not null, then says why.
std::unique_ptr<run::Executor> make_native(std::shared_ptr<const ir::Program> program, Wait wait,
                                           std::string* why = nullptr);

} // namespace zug::native
