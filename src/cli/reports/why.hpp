#pragma once
// `zug info --why-slow`: a profile of random play, with the time attributed to the text of the rule file.

#include "cli/output.hpp"
#include "lang/load.hpp"

namespace zug::cli {

struct WhyOptions {
    double seconds = 2;
    std::uint64_t seed = 1;
    bool json = false;
};

// A part of the rules that the reference evaluator plays, and why: there is no byte code for it, nor machine code.
struct WithoutCode {
    Span span;
    std::string text;
};
std::vector<WithoutCode> without_code(const lang::Loaded& loaded);

// Measures and prints. Returns the exit code.
int why_slow(const lang::Loaded& loaded, const WhyOptions& options);

} // namespace zug::cli
