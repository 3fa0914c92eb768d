#include "lsp/features/runs.hpp"

#include "game/perft.hpp"
#include "game/self_test.hpp"
#include "lsp/analysis/outline.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zug::lsp {

namespace {

constexpr std::uint64_t most_nodes = 5'000'000; // of a check by perft
constexpr std::uint64_t most_inner = 20'000;    // nodes above the last two plies, of all depths together
constexpr int most_plies = 8;

std::size_t test_count(const Analysis& analysis) {
    const auto all = outline(analysis.tree, analysis.text());
    return static_cast<std::size_t>(std::ranges::count(all, syntax::Kind::Test, &Declared::kind));
}

} // namespace

Outcome run_tests(const Analysis& analysis, const lang::Folders& folders, const Stop& stop) {
    const diag::Sources& sources = analysis.loaded.sources;
    game::SelfTestOptions options;
    options.most_nodes = most_nodes;
    options.stop = stop;
    lang::Editor editor; // the texts as they were: the editor's may change meanwhile
    editor.open_text = [&](const std::string& path) -> std::optional<std::string> {
        for (std::uint32_t i = 1; i < sources.size(); ++i)
            if (sources.name(static_cast<FileId>(i)) == path) return sources.text(static_cast<FileId>(i));
        return std::nullopt;
    };
    options.reload = [&](const game::TestParams& params) -> tl::expected<std::shared_ptr<const ir::Program>, Error> {
        const lang::Loaded again =
            lang::load_text(analysis.path, analysis.text(), {params.begin(), params.end()}, folders, editor);
        if (!again.program) return failure(diag::render(again.sources, again.report));
        return again.program;
    };
    const game::TestReport report = game::run_self_tests(analysis.loaded.program, options);
    Outcome outcome;
    outcome.title = fmt::format("{} of {} tests passed{}", report.tests - report.failed, report.tests,
                                report.skipped == 0   ? ""
                                : report.skipped == 1 ? ", 1 check skipped"
                                                      : fmt::format(", {} checks skipped", report.skipped));
    outcome.result = {{"tests", report.tests},     {"failed", report.failed},   {"checks", report.checks},
                      {"skipped", report.skipped}, {"stopped", report.stopped}, {"text", outcome.title}};
    const Lines lines = analysis.lines();
    for (const game::TestFailure& failure : report.failures) {
        const bool own = failure.span.file == own_file;
        const Json range = own ? range_json(lines, failure.span.begin, failure.span.end) : range_json(lines, 0, 0);
        outcome.diagnostics.push_back({{"range", range},
                                       {"severity", 1},
                                       {"code", "test-failed"},
                                       {"source", "zug test"},
                                       {"message", fmt::format("\"{}\": {}", failure.title, failure.text)}});
    }
    outcome.result["failures"] = outcome.diagnostics;
    return outcome;
}

Outcome run_perft(const Analysis& analysis, const Stop& stop) {
    game::Game game(analysis.loaded.program);
    const game::State start = game.initial();
    std::uint64_t inner = 0;
    const auto enough = [&] { return stop() || ++inner > most_inner; };
    Outcome outcome;
    outcome.title = "perft";
    outcome.result = {{"counts", Json::array()}};
    for (int depth = 1; depth <= most_plies; ++depth) {
        const auto count = game::perft(game, start, depth, enough);
        if (!count && count.error().text != game::stopped) outcome.result["fault"] = count.error().text;
        if (!count) break;
        outcome.title += fmt::format("{} {} = {}", depth == 1 ? "" : ",", depth, *count);
        outcome.result["counts"].push_back(*count);
        if (*count == 0) break;
    }
    if (outcome.result.contains("fault")) outcome.title += " (fault)";
    outcome.result["text"] = outcome.title;
    return outcome;
}

Json code_lenses(const Analysis& analysis, const std::string& tests, const std::string& perft) {
    Json list = Json::array();
    const auto all = outline(analysis.tree, analysis.text());
    if (all.empty() || !analysis.loaded.program) return list;
    const Json range = range_json(analysis.lines(), all.front().span.begin, all.front().span.begin);
    const auto add = [&](const std::string& title, const char* command) {
        list.push_back(
            {{"range", range}, {"command", {{"title", title}, {"command", command}, {"arguments", {analysis.uri}}}}});
    };
    if (const std::size_t count = test_count(analysis); count > 0)
        add(tests.empty() ? fmt::format("run {} test{}", count, count == 1 ? "" : "s") : tests, tests_command);
    add(perft.empty() ? "perft" : perft, perft_command);
    return list;
}

} // namespace zug::lsp
