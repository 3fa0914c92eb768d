#pragma once
// The limits that every command has: of time, of memory, and of what the process may touch (sandbox.hpp).

#include "cli/command_line.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace zug::cli {

struct Limits {
    double seconds = 0;       // 0: none
    std::uint64_t memory = 0; // bytes; 0: three quarters of what is free
    bool sandbox = false;
};

// Adds --time, --memory and --sandbox to a command, unless it has an option of that name with a meaning of its own.
void add_limit_options(Command& command, Limits& limits);
// Begins to enforce them on a command and the words of its line. False: they can't be, which has been said.
bool enforce(const Limits& limits, const Command& command, std::span<const std::string> words);

} // namespace zug::cli
