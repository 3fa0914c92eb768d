#include "cli/reports/bench_solve.hpp"

#include "base/process/memory.hpp"
#include "base/random.hpp"
#include "cli/command.hpp"
#include "cli/family.hpp"
#include "cli/interrupt.hpp"
#include "native/native.hpp"
#include "solve/database/database_writer.hpp"
#include "solve/storage/scratch.hpp"

#include <algorithm>
#include <chrono>
#include <unistd.h>

namespace zug::cli {

namespace {

using Clock = std::chrono::steady_clock;
using Done = tl::expected<void, Error>;

constexpr std::size_t look_ups = 20'000;

struct Figures {
    std::string title;
    std::uint64_t positions = 0, kept = 0; // kept: representatives under symmetries
    double finding = 0, solving = 0;       // seconds
    double memory = 0, disk = 0;           // bytes per position; memory at the peak
    double look_up = 0, look_up_again = 0; // seconds per position: a random one, and the same one again
};

// Discards the solution, and notes when all positions had been found.
class Stopwatch final : public solve::SolutionSink {
public:
    Done begin(const solve::Frame&, const archive::Bytes*) override {
        found_ = Clock::now();
        return {};
    }
    Done keep(const solve::Tier&, std::size_t, std::span<const solve::Result>) override { return {}; }
    Done keep_expected(const solve::Tier&, std::size_t, solve::ExpectedValues::Columns) override { return {}; }
    tl::expected<archive::Bytes, Error> save() override { return {}; }
    Done end(const solve::Solution&, const solve::Histogram&) override { return {}; }

    double finding() const { return std::chrono::duration<double>(found_ - start_).count(); }
    double solving() const { return seconds_since(found_); }

private:
    Clock::time_point start_ = Clock::now(), found_ = start_;
};

// A folder that is removed on destruction.
class TemporaryFolder {
public:
    TemporaryFolder() : path_(std::filesystem::temp_directory_path() / fmt::format("zug-bench-{}", ::getpid())) {
        std::error_code error;
        std::filesystem::create_directories(path_, error); // an error shows when a file is written there
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    std::filesystem::path file() const { return path_ / "solved.zugdb"; }

private:
    std::filesystem::path path_;
};

solve::Options solve_options(const SolveBench& bench) {
    solve::Options options;
    options.threads = bench.threads;
    options.budget = {free_memory() / 4 * 3};
    options.stop = [](const solve::Stage&) { return interrupted().load(); };
    return options;
}

Done time_solving(OpenGame& open, const SolveBench& bench, Figures& figures) {
    solve::return_memory(); // so that memory left by earlier work is not reused
    reset_peak_memory();
    const std::uint64_t before = peak_memory();
    Stopwatch stopwatch;
    const auto solution = solve::solve(open.game, open.start, solve_options(bench), &stopwatch);
    if (!solution) return tl::unexpected(solution.error());
    figures.solving = stopwatch.solving();
    figures.finding = stopwatch.finding();
    figures.positions = solution->positions;
    figures.kept = solution->with_symmetry;
    const std::uint64_t peak = std::max(before, peak_memory());
    figures.memory = static_cast<double>(peak - before) / static_cast<double>(solution->positions);
    return {};
}

// Seconds per look-up.
tl::expected<double, Error> time_look_ups(solve::Database& database, const std::vector<game::State>& states) {
    std::vector<double> kept(database.expected().width());
    const auto begin = Clock::now();
    for (const game::State& state : states) {
        if (database.chance()) {
            if (const auto found = database.find_expected(state, kept); !found) return tl::unexpected(found.error());
        } else if (const auto found = database.find(state); !found) {
            return tl::unexpected(found.error());
        }
    }
    return seconds_since(begin) / static_cast<double>(states.size());
}

Done time_database(OpenGame& open, const SolveBench& bench, Figures& figures) {
    const TemporaryFolder folder;
    solve::DatabaseWriter writer(folder.file(), open.game);
    const auto solution = solve::solve(open.game, open.start, solve_options(bench), &writer);
    if (!solution) return tl::unexpected(solution.error());
    auto database = solve::Database::open(folder.file(), open.game);
    if (!database) return tl::unexpected(database.error());
    figures.disk = static_cast<double>(database->bytes()) / static_cast<double>(solution->positions);
    Random random(bench.seed);
    std::vector<game::State> states(look_ups);
    for (game::State& state : states) {
        const auto key = database->key(random.next() % database->positions());
        if (!key) return tl::unexpected(key.error());
        database->code().decode(*key, state);
    }
    const auto at_random = time_look_ups(*database, states);
    if (!at_random) return tl::unexpected(at_random.error());
    figures.look_up = *at_random;
    const auto again = time_look_ups(*database, std::vector<game::State>(look_ups, states.front()));
    if (!again) return tl::unexpected(again.error());
    figures.look_up_again = *again;
    return {};
}

tl::expected<Figures, int> measure(GameOptions instance, const SolveBench& bench) {
    if (instance.executor.empty() && native::unavailable().empty()) instance.executor = "native";
    instance.measured = true;
    auto open = open_game(instance);
    if (!open) return tl::unexpected(open.error());
    Figures figures;
    figures.title = title_of(instance);
    auto done = time_solving(*open, bench, figures);
    if (done) done = time_database(*open, bench, figures);
    if (done) return figures;
    if (interrupted()) return tl::unexpected(exit_interrupted);
    complain(fmt::format("{}: {}", figures.title, done.error().text));
    return tl::unexpected(exit_failed);
}

// Positions per second and core.
double rate(const Figures& figures, double seconds, const SolveBench& bench) {
    return static_cast<double>(figures.positions) / std::max(seconds, 1e-9) / bench.threads;
}

Json figures_json(const Figures& figures, const SolveBench& bench) {
    return {{"instance", figures.title},
            {"positions", figures.positions},
            {"with_symmetry", figures.kept},
            {"found_per_second_and_core", rate(figures, figures.finding, bench)},
            {"solved_per_second_and_core", rate(figures, figures.solving, bench)},
            {"positions_per_second_and_core", rate(figures, figures.finding + figures.solving, bench)},
            {"memory_per_position", figures.memory},
            {"disk_per_position", figures.disk},
            {"look_up_seconds", figures.look_up},
            {"look_up_again_seconds", figures.look_up_again}};
}

void say_head() {
    say("{:<32} {:>13} {:>13} {:>12} {:>12} {:>12} {:>8} {:>6} {:>8} {:>6}\n", "", "positions", "kept", "found/s",
        "solved/s", "both/s", "bytes", "disk", "look-up", "again");
}

void say_figures(const Figures& figures, const SolveBench& bench) {
    const auto whole = [&](double seconds) {
        return grouped(static_cast<std::uint64_t>(rate(figures, seconds, bench)));
    };
    say("{:<32} {:>13} {:>13} {:>12} {:>12} {:>12} {:>8.1f} {:>6.2f} {:>8.2f} {:>6.2f}\n", figures.title,
        grouped(figures.positions), grouped(figures.kept), whole(figures.finding), whole(figures.solving),
        whole(figures.finding + figures.solving), figures.memory, figures.disk, 1e6 * figures.look_up,
        1e6 * figures.look_up_again);
    flush();
}

} // namespace

int bench_solving(const SolveBench& options) {
    if (options.game.file.empty()) {
        complain("--solve needs a FILE: the game to solve");
        return exit_usage;
    }
    const auto instances = instances_of({options.game.file}, options.game);
    if (!instances) return instances.error();
    Json all = Json::array();
    for (const GameOptions& instance : *instances) {
        const auto figures = measure(instance, options);
        if (!figures) return figures.error();
        all.push_back(figures_json(*figures, options));
        if (options.json) continue;
        if (all.size() == 1) say_head();
        say_figures(*figures, options);
    }
    if (options.json)
        print_json({{"threads", options.threads}, {"solving", all}});
    else
        say("per second and core, on {}; bytes of memory at the peak and on disk per position; microseconds per "
            "look-up\n",
            options.threads == 1 ? "one core" : std::to_string(options.threads) + " cores");
    return exit_fine;
}

} // namespace zug::cli
