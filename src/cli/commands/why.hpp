#pragma once
// `zug info --why-slow`: what random play of a game spends its time on, shown in the rule file.

#include "cli/output.hpp"
#include "lang/load.hpp"

namespace zug::cli {

struct WhyOptions {
    double seconds = 2;
    std::uint64_t seed = 1;
    bool json = false;
};

// Measures, prints, and gives the exit code.
int why_slow(const lang::Loaded& loaded, const WhyOptions& options);

} // namespace zug::cli
