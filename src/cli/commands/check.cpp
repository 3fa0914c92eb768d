#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/reports/why.hpp"
#include "game/self_test.hpp"
#include "search/search.hpp"

#include <algorithm>
#include <ctime>
#include <memory>

namespace zug::cli {

namespace {

struct CheckOptions {
    std::vector<std::string> files;
    std::vector<std::string> defines;
    std::string executor; // empty: the fastest that there is
    double seconds = 60;  // for each file
    bool no_tests = false, json = false;
};

// The utilities of best play, for `value` tests.
tl::expected<std::vector<double>, Error> best_play(game::Game& game, const game::State& state, std::int64_t depth) {
    search::Limits limits;
    limits.depth =
        depth < 0 ? search::unlimited_depth : static_cast<int>(std::min<std::int64_t>(depth, search::max_depth));
    limits.stop = &interrupted();
    auto result = search::search(game, state, search::automatic(game.traits()), limits);
    if (!result.fault.empty()) return failure(result.fault);
    if (!result.complete) return failure("the search was stopped");
    return result.value;
}

// The same text with other parameters: the file may be a pipe, or be changed meanwhile.
lang::Loaded load_again(const lang::Loaded& loaded, const lang::Overrides& overrides) {
    constexpr FileId own{0};
    return lang::load_text(loaded.sources.name(own), loaded.sources.text(own), overrides, search_folders());
}

// The tests of a file are about its default parameters, or those they name themselves, whatever -D says.
game::TestReport run_tests(const std::shared_ptr<const ir::Program>& program, const lang::Loaded& loaded,
                           const CheckOptions& options) {
    Progress line;
    game::SelfTestOptions tests;
    tests.executor = executor_kind(options.executor);
    tests.reload = [&](const game::TestParams& params) -> tl::expected<std::shared_ptr<const ir::Program>, Error> {
        const lang::Loaded again = load_again(loaded, {params.begin(), params.end()});
        if (!again.program) return failure(diag::render(again.sources, again.report));
        return again.program;
    };
    tests.value = best_play;
    tests.stop = [] { return interrupted().load(); };
    tests.progress = [&](std::size_t done, std::size_t of) {
        if (line.due())
            line.show(fmt::format("{}: test {} of {}", loaded.sources.name(FileId{0}), done + 1, of), done, of);
    };
    return game::run_self_tests(program, tests);
}

// Playouts don't list moves, of which there may be too many.
std::string fault_in_list(game::Game& game, const game::State& state) {
    game::MoveList moves;
    return game.expand(state, moves) == game::NodeKind::Fault ? game.fault_text() : "";
}

// Random play finds errors that the tests of a file miss: a value out of range, a position without a move, a game that
// does not end. Plays some games from a fixed seed, fewer if the game is slow. Empty: no error found.
std::string random_play(const std::shared_ptr<const ir::Program>& program, const CheckOptions& options) {
    constexpr int games = 200;
    constexpr std::uint32_t plies = 20'000;
    constexpr std::clock_t enough = CLOCKS_PER_SEC / 5;
    game::Game game(program, executor_kind(options.executor));
    std::vector<double> payoffs(game.players());
    Random random(1);
    const std::clock_t begin = std::clock();
    const auto has_time = [&] { return !interrupted() && std::clock() - begin < enough; };
    for (int i = 0; i < games && has_time(); ++i) {
        game::State state = game.initial();
        std::uint32_t length = 0;
        // In pieces that double, since a ply may take long.
        for (bool finished = false; !finished && has_time();) {
            // A puzzle need not end for somebody who moves at random.
            if (const std::string fault = fault_in_list(game, state); !fault.empty())
                return "random play found a fault: " + fault;
            if (length >= plies && game.players() == 1) break;
            if (length >= plies)
                return fmt::format("a random game did not end within {} plies\n  position: {}", grouped(plies),
                                   game.position_text(state));
            const auto played = game.playout(state, random, std::clamp(length, 1U, plies - length));
            finished = played.finished;
            if (game.faulted() || (finished && !game.payoffs(state, payoffs)))
                return "random play found a fault: " + game.fault_text();
            length += played.plies;
        }
    }
    return {};
}

void complain_of(const diag::Sources& sources, const game::TestFailure& failure) {
    const diag::Location location = diag::location(sources.text(failure.span.file), failure.span.begin);
    write_error(fmt::format("{}:{}:{}: test failed{}: {}\n", sources.name(failure.span.file), location.line,
                            location.column, failure.title.empty() ? "" : fmt::format(" \"{}\"", echoed(failure.title)),
                            failure.text));
}

Json diagnostics_json(const lang::Loaded& loaded) {
    Json list = Json::array();
    for (const auto& item : loaded.report.sorted()) {
        const diag::Location location = diag::location(loaded.sources.text(item.span.file), item.span.begin);
        const auto& info = diag::info(item.message);
        list.push_back({{"severity", info.severity == diag::Severity::Error ? "error" : "warning"},
                        {"file", loaded.sources.name(item.span.file)},
                        {"line", location.line},
                        {"column", location.column},
                        {"slug", info.slug},
                        {"text", item.text},
                        {"fix", item.fix}});
    }
    return list;
}

// What has no byte code is as right as the rest, but slow.
Json note_slow_parts(const lang::Loaded& loaded) {
    Json list = Json::array();
    for (const auto& [span, text] : without_code(loaded)) {
        const std::string at = span.end == 0 ? loaded.sources.name(FileId{0}) : diag::where(loaded.sources, span);
        write_error(
            fmt::format("{}: note: {}\n{}", at, text, span.end == 0 ? "" : diag::excerpt(loaded.sources, span) + "\n"));
        list.push_back({{"location", at}, {"text", text}});
    }
    return list;
}

// The line of a file without errors: "nim: 5 tests with 12 checks passed".
std::string verdict(const std::string& path, const game::TestReport& report, bool tested, bool faulted) {
    if (!tested) return fmt::format("{}: no errors\n", path);
    const std::string_view found = faulted ? "a fault in random play" : "no errors";
    if (report.tests == 0) return fmt::format("{}: {}; the file has no tests\n", path, found);
    return fmt::format("{}: {}; {} of {} tests passed, {} checks{}\n", path, found, report.tests - report.failed,
                       report.tests, report.checks, report.stopped ? " (stopped)" : "");
}

// Checks one file, and adds its JSON object to `results`.
int check_one(const std::string& name, const lang::Overrides& overrides, const CheckOptions& options, Json& results) {
    const auto path = find_rule_file(name);
    if (!path) return path.error();
    limit_time(options.seconds);
    const lang::Loaded loaded = load_and_report(*path, overrides);
    Json& result = results.emplace_back(
        Json{{"file", *path}, {"errors", loaded.report.error_count()}, {"diagnostics", diagnostics_json(loaded)}});
    if (!loaded.program) return load_failure(loaded);
    result["without_code"] = note_slow_parts(loaded);
    const bool tested = !options.no_tests;
    game::TestReport report;
    if (tested) {
        const auto defaults = overrides.empty() ? loaded.program : load_again(loaded, {}).program;
        if (defaults) report = run_tests(defaults, loaded, options);
    }
    for (const auto& failure : report.failures) complain_of(loaded.sources, failure);
    const std::string found = tested ? random_play(loaded.program, options) : "";
    if (!found.empty()) write_error(fmt::format("{}: {}\n", *path, found));
    result["tests"] = report.tests;
    result["checks"] = report.checks;
    result["failures"] = report.failures.size();
    result["random_play"] = found;
    if (!options.json) {
        write(verdict(*path, report, tested, !found.empty()));
        flush();
    }
    return report.failures.empty() && found.empty() ? exit_fine : exit_failed;
}

int check(const CheckOptions& options) {
    const auto overrides = parse_defines(options.defines);
    if (!overrides) return overrides.error();
    Json results = Json::array();
    int code = exit_fine;
    for (const auto& name : options.files) {
        if (interrupted()) break;
        code = std::max(code, check_one(name, *overrides, options, results));
    }
    // If a file does not exist the command line is wrong as a whole, and no result is printed.
    if (options.json && code != exit_usage) print_json(results);
    return interrupted() ? exit_interrupted : code;
}

} // namespace

Run add_check(Command& program) {
    Command app = program.add_command("check", "Check rule files and run the tests in them");
    auto options = std::make_shared<CheckOptions>();
    app.add_option("FILE", options->files, "Rule files, or names of those in rules/").required().type_name("");
    add_define_option(app, options->defines);
    add_executor_option(app, options->executor);
    app.add_flag("--no-tests", options->no_tests, "Only look for errors; run no tests and play no random games");
    add_time_option(app, "--time", options->seconds, "The time for each file, as in 10s or 5m");
    add_json_flag(app, options->json);
    add_example(app, "zug check rules/tic-tac-toe.zug");
    return [options] { return check(*options); };
}

} // namespace zug::cli
