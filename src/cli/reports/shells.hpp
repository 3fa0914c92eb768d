#pragma once
// Scripts by which shells complete the command line, and the manual page: all of it made from what the help says.

#include "cli/command_line.hpp"

#include <string>
#include <string_view>

namespace zug::cli {

// `shell`: bash, zsh or fish.
std::string completion_script(const Command& program, std::string_view shell);
// In the macros of man(7).
std::string manual_page(const Command& program);

} // namespace zug::cli
