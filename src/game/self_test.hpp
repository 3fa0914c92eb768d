#pragma once
// Runs the tests that a rule file carries (`test` in grammar/reference.md), and checks its `bound` at the positions
// that can be reached from the start and from those of the tests: that counts as a test, and as a check of each.

#include "game/game.hpp"

#include <functional>
#include <optional>

namespace zug::game {

using TestParams = std::vector<std::pair<std::string, std::string>>; // `with` name = value

struct SelfTestOptions {
    ExecutorKind executor = ExecutorKind::Interpreter;
    // Reloads the file with these parameters. If it is empty, tests that need it fail.
    std::function<tl::expected<std::shared_ptr<const ir::Program>, Error>(const TestParams&)> reload;
    // The utilities of best play from a state, to a depth or (-1) to the end. Passed in because search is above this
    // layer; if it is empty, `value` checks are skipped and counted as skipped.
    std::function<tl::expected<std::vector<double>, Error>(Game&, const State&, std::int64_t depth)> value;
    std::uint64_t most_nodes = UINT64_MAX;                          // perft checks with more nodes are skipped
    std::uint64_t most_positions = UINT64_MAX;                      // that a check of the bound looks at
    std::function<bool()> stop;                                     // true: end early
    std::function<void(std::size_t done, std::size_t of)> progress; // after each test
};

struct TestFailure {
    std::string title; // of the test
    Span span;         // of the check that failed, or of the test
    std::string text;  // what was expected and what was found
};

struct TestReport {
    std::size_t tests = 0;
    std::size_t failed = 0; // tests with a failed check
    std::size_t checks = 0;
    std::size_t skipped = 0;
    bool stopped = false;
    std::vector<TestFailure> failures;
};

TestReport run_self_tests(std::shared_ptr<const ir::Program> program, const SelfTestOptions& options);

} // namespace zug::game
