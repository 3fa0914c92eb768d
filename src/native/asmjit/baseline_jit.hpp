#pragma once
// The baseline JIT: machine code that is used until LLVM's is ready. asmjit's Compiler allocates registers for the
// translator's own LLVM IR, and no pass of LLVM runs. That takes a tenth of the time or less, and the code runs 7 to 53
// % slower (figures in native/native.hpp).

#include "native/image.hpp"

#include <llvm/IR/Module.h>

namespace zug::codegen {

// Compiles a module as the translator made it, and changes the module. Functions with real numbers or vectors are left
// out, and so are those that call them; on processors without bit manipulation instructions (BMI1, BMI2, LZCNT) all
// are. `routines`: the number of the program's routines.
native::Image compile_baseline(llvm::Module& module, std::size_t routines);

} // namespace zug::codegen
