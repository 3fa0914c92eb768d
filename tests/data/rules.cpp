// Every file of rules/ loads quickly and without diagnostics, and passes its own tests on every executor.

#include "facts.hpp"

#include "own_tests.hpp"

#include <doctest/doctest.h>

namespace zug::data {

namespace {

void pass_own_tests(game::ExecutorKind executor) {
    for (const auto& file : rule_files()) {
        const std::string name = file.filename();
        CAPTURE(name);
        const lang::Loaded loaded = lang::load_file(file);
        REQUIRE(loaded.program);
        CHECK_FALSE(loaded.program->tests.empty());

        const auto report = run_own_tests(loaded, executor,
                                          [&](const lang::Overrides& params) { return lang::load_file(file, params); });
        for (const game::TestFailure& failure : report.failures) FAIL_CHECK(failure.title << ": " << failure.text);
        CHECK(report.tests > 0);
        if (interpreter_limit == UINT64_MAX && executor == game::ExecutorKind::Interpreter) CHECK(report.skipped == 0);
    }
}

} // namespace

TEST_CASE("every rule file loads without a diagnostic") {
    for (const auto& file : rule_files()) {
        const lang::Loaded loaded = lang::load_file(file);
        const std::string said = diag::render(loaded.sources, loaded.report);
        CHECK_MESSAGE(said.empty(), said);
        CHECK(loaded.program);
    }
}

TEST_CASE("every rule file passes its own tests") { pass_own_tests(game::ExecutorKind::Interpreter); }

TEST_CASE("every rule file passes its own tests with the reference executor") {
    pass_own_tests(game::ExecutorKind::Reference);
}

} // namespace zug::data
