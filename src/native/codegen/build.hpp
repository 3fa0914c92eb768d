#pragma once
// Machine code for a program: all of its routines, translated, optimised and linked.

#include "native/image.hpp"

namespace zug::codegen {

struct BuildOptions {
    unsigned threads = 1;
    bool print_times = false; // to standard error
    bool print_code = false;  // the optimised intermediate representation, to standard error
};

// By LLVM. Routines that cannot be translated are left out.
native::Image build(const native::Request& request, const BuildOptions& options);

// By the baseline JIT (native/asmjit/baseline_jit.hpp), in a tenth of the time; without any code if asmjit was not
// found when Zug was built.
native::Image build_baseline(const native::Request& request);

} // namespace zug::codegen
