#pragma once
// The limits that every command has: of time, and of memory.

#include "cli/command_line.hpp"

#include <cstdint>
#include <string>

namespace zug::cli {

struct Limits {
    double seconds = 0;       // 0: none
    std::uint64_t memory = 0; // bytes; 0: three quarters of what is free
};

// Adds --time and --memory to a command, unless it has an option of that name with a meaning of its own.
void add_limit_options(Command& command, Limits& limits);
// Begins to enforce them.
void enforce(const Limits& limits);

} // namespace zug::cli
