#pragma once
// `zug bench --cliffs`: pairs of rule files that describe the same game, one as somebody would say it who has only read
// the language reference, one in the fastest way that is known. How much the first costs is what the compiler still has
// to learn.

#include <cstdint>
#include <filesystem>

namespace zug::cli {

struct CliffBench {
    std::filesystem::path folder; // of pairs NAME.zug, NAME.best.zug
    double seconds = 1;           // of random games, for each file
    std::uint64_t seed = 1;
    bool json = false;
};

// Also counts the lines of play of both, which must be the same. Returns the exit code.
int bench_cliffs(const CliffBench& options);

} // namespace zug::cli
