// Every file of rules/: it loads without a word, quickly, and passes the tests it carries, by every executor.

#include "facts.hpp"

#include "game/self_test.hpp"
#include "search/search.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace zug::data {

namespace {

std::vector<std::filesystem::path> rule_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(rules_folder())) {
        const auto& path = entry.path();
        if (path.extension() == ".zug" && path.stem() != "prelude") files.push_back(path);
    }
    std::sort(files.begin(), files.end());
    return files;
}

tl::expected<std::vector<double>, game::Error> best_play(game::Game& game, const game::State& state,
                                                         std::int64_t depth) {
    search::Limits limits;
    limits.depth = static_cast<int>(depth);
    const search::Result result = search::search(game, state, search::automatic(game.traits()), limits);
    if (!result.fault.empty()) return tl::unexpected(game::Error{result.fault});
    return result.value;
}

void pass_own_tests(game::ExecutorKind executor) {
    for (const auto& file : rule_files()) {
        const std::string name = file.filename();
        CAPTURE(name);
        const lang::Loaded loaded = lang::load_file(file);
        REQUIRE(loaded.program);
        CHECK_FALSE(loaded.program->tests.empty());

        game::SelfTestOptions options;
        options.executor = executor;
        options.reload =
            [&](const game::TestParams& params) -> tl::expected<std::shared_ptr<const ir::Program>, game::Error> {
            const lang::Loaded again = lang::load_file(file, lang::Overrides(params.begin(), params.end()));
            if (!again.program) return tl::unexpected(game::Error{diag::render(again.sources, again.report)});
            return again.program;
        };
        if (executor == game::ExecutorKind::Interpreter) options.value = best_play;
        const game::TestReport report = game::run_self_tests(loaded.program, options);
        for (const game::TestFailure& failure : report.failures) FAIL_CHECK(failure.title << ": " << failure.text);
        CHECK(report.tests > 0);
        if (options.value) CHECK(report.skipped == 0);
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
