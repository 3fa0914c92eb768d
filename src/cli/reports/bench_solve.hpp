#pragma once
// `zug bench --solve`: how fast games are solved, how much memory that takes, and how fast positions are looked up in
// the database.

#include "cli/options.hpp"

#include <cstdint>

namespace zug::cli {

struct SolveBench {
    GameOptions game; // a parameter may be a range, as in `zug solve`
    std::uint32_t threads = 1;
    std::uint64_t seed = 1;
    bool json = false;
};

// Solves each instance twice: timed, without a database, and then into a database in a temporary folder. Returns the
// exit code.
int bench_solving(const SolveBench& options);

} // namespace zug::cli
