#pragma once
// What a command may touch with --sandbox (system/sandbox.hpp).

#include "cli/command_line.hpp"
#include "cli/system/sandbox.hpp"

#include <span>
#include <string>

namespace zug::cli {

// What a command needs: to read the library, and the folders of what its line names (imports stay in them, too); to
// write where -o, --record, --save, fmt or players with a memory write, to the cache, and where big work puts its
// files.
SandboxRights sandbox_rights(const Command& command, std::span<const std::string> words);

} // namespace zug::cli
