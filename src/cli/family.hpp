#pragma once
// Families of games: several files, each with every combination of its parameters' values.

#include "cli/options.hpp"

namespace zug::cli {

// The options of each instance, the last parameter changing fastest. A define `name=lo..hi` of whole numbers stands for
// `name=lo`, ..., `name=hi`. Reports a wrong define and returns the exit code.
tl::expected<std::vector<GameOptions>, int> instances_of(const std::vector<std::string>& files,
                                                         const GameOptions& shared);

// `hexapawn width=3 height=4`: the file and the parameters that were given.
std::string title_of(const GameOptions& instance);

} // namespace zug::cli
