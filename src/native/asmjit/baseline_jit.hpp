#pragma once
// A first version of the machine code, for the time until LLVM has made the last one: asmjit's register allocator on
// the translator's own code, without a pass of LLVM. It takes a tenth of the time or less, and the code runs 7 to 53 %
// slower (figures in native/native.hpp).

#include "native/image.hpp"

#include <llvm/IR/Module.h>

namespace zug::codegen {

// Of a module as the translator left it, which is simplified on the way. A function with real numbers or vectors
// is left out, so are those that call it; on processors without bit manipulation instructions all are. `routines`: how
// many the program has.
native::Image build_baseline(llvm::Module& module, std::size_t routines);

} // namespace zug::codegen
