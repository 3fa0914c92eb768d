#pragma once
// Machine code for a program: all of its routines, translated, optimised and linked. Uses as many threads as it is
// given.

#include "native/image.hpp"

namespace zug::codegen {

struct BuildOptions {
    unsigned threads = 1;
    bool print_times = false; // to standard error
    bool print_code = false;  // the optimised intermediate representation, to standard error
};

// The same in a tenth of the time, for until then (quick.hpp); no code where asmjit was not found.
native::Image build_first(const native::Request& request);

// A routine that can't be translated is left out.
native::Image build(const native::Request& request, const BuildOptions& options);

} // namespace zug::codegen
