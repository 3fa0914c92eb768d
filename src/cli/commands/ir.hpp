#pragma once
// `zug info --ir`: the byte code of a game.

#include "cli/output.hpp"
#include "lang/load.hpp"

namespace zug::cli {

// Compiles, prints, and gives the exit code: a game without byte code is a failure.
int show_byte_code(const lang::Loaded& loaded, bool json);

} // namespace zug::cli
