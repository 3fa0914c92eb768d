#pragma once
// Modules: parts of the program that are loaded when they are first needed, because the libraries that they bring with
// them would slow every start. They lie in a folder beside the program, as it is built or as it is installed.

#include "base/error.hpp"

#include <tl/expected.hpp>

namespace zug {

// The path of a module; empty: this program has none of that name.
std::string module_file(const char* module);

// The function of this name in the module `zug-NAME.so`, which stays until the process ends. An error says what stands
// in the way, with the name of the module.
tl::expected<void*, Error> module_function(const char* module, const char* function);

} // namespace zug
