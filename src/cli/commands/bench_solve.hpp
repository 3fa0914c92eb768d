#pragma once
// `zug bench --solve`: how fast whole games are solved, how much memory that takes, and how fast positions are looked
// up in what it leaves.

#include "cli/options.hpp"

#include <cstdint>

namespace zug::cli {

struct SolveBench {
    GameOptions game; // a parameter may be a range, as in `zug solve`
    std::uint32_t threads = 1;
    std::uint64_t seed = 1;
    bool json = false;
};

// Each instance is solved twice: on the clock without a database, then into one in a temporary folder. Gives the exit
// code.
int bench_solving(const SolveBench& options);

} // namespace zug::cli
