#pragma once
// What an editor has run for a rule file: its tests, and perft. The work is bounded by steps, not by time, so that the
// same text has the same results.

#include "lsp/analysis/workspace.hpp"
#include "lsp/wire/message.hpp"

#include <atomic>
#include <functional>
#include <string>

namespace zug::lsp {

struct Outcome {
    std::string title;                // for the lens
    Json result;                      // of the command
    Json diagnostics = Json::array(); // of tests that failed
};

using Stop = std::function<bool()>;

// Runs the tests of a text without errors. Checks by perft beyond some millions of nodes and those of values, which
// need a search, are counted as skipped. Thread-safe: uses the analysis alone.
Outcome run_tests(const Analysis& analysis, const lang::Folders& folders, const Stop& stop);
// Perft of as many plies, to at most eight, as some thousand inner nodes allow.
Outcome run_perft(const Analysis& analysis, const Stop& stop);
// The lenses of a text, above its first declaration, with the outcomes of what was run since its last change.
Json code_lenses(const Analysis& analysis, const std::string& tests, const std::string& perft);

inline constexpr const char* tests_command = "zug.runTests";
inline constexpr const char* perft_command = "zug.perft";

} // namespace zug::lsp
