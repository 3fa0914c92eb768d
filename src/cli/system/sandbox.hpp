#pragma once
// --sandbox: what a rule file could do if it found a mistake in this program, or in the machine code made from it. A
// process that has entered the sandbox, and those that it starts, can't leave it.
//
// Files: it may read and write what SandboxRights names, and run the compile service (Landlock, Linux 5.13). It has no
// network, and can't look into or change other processes (seccomp). It leaves no core file.

#include "base/error.hpp"

#include <filesystem>
#include <vector>

namespace zug::cli {

// Folders, with all in them, and files.
struct SandboxRights {
    std::vector<std::filesystem::path> read, write, run;
};

// An error: the system can't keep such a promise. Paths that don't exist are left out.
tl::expected<void, Error> enter_sandbox(const SandboxRights& rights);

} // namespace zug::cli
