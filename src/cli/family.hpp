#pragma once
// Several instances of games at once: files, each with every combination of the parameters' values.

#include "cli/options.hpp"

namespace zug::cli {

// The options of each instance, the last parameter changing fastest. A define `name=lo..hi` of whole numbers stands for
// `name=lo`, ..., `name=hi`. A wrong one is told, and gives the exit code.
tl::expected<std::vector<GameOptions>, int> instances_of(const std::vector<std::string>& files,
                                                         const GameOptions& shared);

// The memory of this process at its peak, in bytes, since it began or since the last call of forget_peak_memory().
std::uint64_t peak_memory();
void forget_peak_memory();

} // namespace zug::cli
