#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "game/perft.hpp"
#include "search/signature.hpp"

#include <algorithm>
#include <memory>

namespace zug::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct BenchOptions {
    GameOptions game;
    double seconds = 1;
    std::uint64_t seed = 1;
    bool json = false;
};

// A playout that goes on longer than this is cut; it counts as one.
constexpr std::uint32_t longest_playout = 10'000;
// The clock is read after so many plies, which take some microseconds at least.
constexpr std::uint64_t plies_between_looks = 1000;
// The signature searches each game by each method as deep as it has at most so many lines of play.
constexpr std::uint64_t signature_lines = 20'000;
constexpr int signature_depth = 12;

bool stop() { return interrupted(); }

struct Figures {
    std::string name;
    double playouts_per_second = 0, states_per_second = 0, mean_plies = 0;
    double perft_nodes_per_second = 0;
    std::uint64_t unfinished = 0; // playouts that went on too long
    std::string fault;
};

// Random playouts from the start for so many seconds.
void measure_playouts(game::Game& game, const game::State& start, const BenchOptions& options, Figures& figures) {
    Random random(options.seed);
    game::State state;
    std::uint64_t playouts = 0, plies = 0, next_look = plies_between_looks;
    const auto begin = Clock::now();
    double seconds = 0;
    while (!interrupted()) {
        state = start;
        const auto played = game.playout(state, random, longest_playout);
        plies += played.plies;
        ++playouts;
        if (game.faulted()) {
            figures.fault = game.fault_text();
            return;
        }
        figures.unfinished += played.finished ? 0 : 1;
        if (plies < next_look && playouts % plies_between_looks != 0) continue;
        next_look = plies + plies_between_looks;
        seconds = seconds_since(begin);
        if (seconds >= options.seconds) break;
    }
    seconds = std::max(seconds_since(begin), 1e-9);
    figures.playouts_per_second = static_cast<double>(playouts) / seconds;
    figures.states_per_second = static_cast<double>(plies) / seconds;
    figures.mean_plies = static_cast<double>(plies) / static_cast<double>(playouts);
}

// One ply deeper each time, as long as the next count may be expected to fit into the time; the deepest is the one that
// tells.
void measure_perft(game::Game& game, const game::State& start, const BenchOptions& options, Figures& figures) {
    double nodes_before = 1, expected = 0;
    for (int depth = 1; !interrupted() && expected < options.seconds / 2; ++depth) {
        const auto begin = Clock::now();
        const auto counted = game::perft(game, start, depth, stop);
        if (!counted && !interrupted()) figures.fault = counted.error().text;
        if (!counted || *counted == 0) return;
        const auto nodes = static_cast<double>(*counted);
        const double seconds = std::max(seconds_since(begin), 1e-9);
        figures.perft_nodes_per_second = nodes / seconds;
        expected = seconds * std::max(nodes / nodes_before, 1.5);
        nodes_before = nodes;
    }
}

Figures measure(std::string name, OpenGame& open, const BenchOptions& options) {
    Figures figures;
    figures.name = std::move(name);
    measure_playouts(open.game, open.start, options, figures);
    if (figures.fault.empty()) measure_perft(open.game, open.start, options, figures);
    return figures;
}

Json figures_json(const Figures& figures) {
    return {{"name", figures.name},
            {"playouts_per_second", figures.playouts_per_second},
            {"states_per_second", figures.states_per_second},
            {"mean_plies", figures.mean_plies},
            {"perft_nodes_per_second", figures.perft_nodes_per_second}};
}

void say_heading() {
    say("{:<20} {:>14} {:>14} {:>11} {:>16}\n", "", "playouts/s", "states/s", "mean plies", "perft nodes/s");
}

void say_figures(const Figures& figures) {
    const auto whole = [](double number) { return grouped(static_cast<std::uint64_t>(number)); };
    say("{:<20} {:>14} {:>14} {:>11.1f} {:>16}\n", figures.name, whole(figures.playouts_per_second),
        whole(figures.states_per_second), figures.mean_plies, whole(figures.perft_nodes_per_second));
    flush();
}

int signature_depth_of(game::Game& game, const game::State& start) {
    int depth = 1;
    while (depth < signature_depth) {
        const auto nodes = game::perft(game, start, depth + 1, stop);
        if (!nodes || *nodes > signature_lines) break;
        ++depth;
    }
    return depth;
}

// Every method that suits the game, from the start.
void add_cases(OpenGame& open, std::vector<search::SignatureCase>& cases) {
    const int depth = signature_depth_of(open.game, open.start);
    for (const auto method :
         {search::Method::Minimax, search::Method::AlphaBeta, search::Method::Expectimax, search::Method::MaxN})
        if (search::refusal(method, open.game.traits()).empty())
            cases.push_back({&open.game, open.start, method, depth});
}

int bench_one(const BenchOptions& options) {
    auto open = open_game(options.game);
    if (!open) return open.error();
    const std::string name = std::filesystem::path(options.game.file).stem().string();
    const Figures figures = measure(name, *open, options);
    if (!figures.fault.empty()) {
        complain(figures.fault);
        return exit_failed;
    }
    if (options.json) {
        Json json = figures_json(figures);
        json["executor"] = open->game.executor_name();
        print_json(json);
    } else {
        say_heading();
        say_figures(figures);
        if (figures.unfinished > 0)
            say("{} playouts did not end within {} plies\n", grouped(figures.unfinished), grouped(longest_playout));
    }
    return interrupted() ? exit_interrupted : exit_fine;
}

int bench_all(const BenchOptions& options) {
    Json games = Json::array();
    std::vector<std::unique_ptr<OpenGame>> opened; // the cases of the signature point into it
    std::vector<search::SignatureCase> cases;
    bool failed = false;
    if (!options.json) say_heading();
    for (const auto& file : rule_files()) {
        if (interrupted()) break;
        GameOptions game = options.game;
        game.file = file.string();
        auto open = open_game(game);
        if (!open) {
            failed = true;
            continue;
        }
        opened.push_back(std::make_unique<OpenGame>(std::move(*open)));
        const Figures figures = measure(file.stem().string(), *opened.back(), options);
        if (!figures.fault.empty()) {
            complain(fmt::format("{}: {}", figures.name, figures.fault));
            failed = true;
            continue;
        }
        if (options.json)
            games.push_back(figures_json(figures));
        else
            say_figures(figures);
        add_cases(*opened.back(), cases);
    }
    const auto signature = search::signature(cases, &interrupted());
    if (!signature.fault.empty()) complain(signature.fault);
    if (options.json)
        print_json({{"games", games}, {"signature", signature.nodes}});
    else if (!interrupted())
        say("signature {}: nodes of {} fixed searches\n", signature.nodes, cases.size());
    if (interrupted()) return exit_interrupted;
    return failed || !signature.fault.empty() ? exit_failed : exit_fine;
}

} // namespace

Run add_bench(CLI::App& program) {
    CLI::App* app = program.add_subcommand("bench", "Measure random playouts and perft, of one game or of all");
    auto options = std::make_shared<BenchOptions>();
    add_game_options(*app, options->game);
    app->get_option("FILE")->required(false)->description("A rule file; without it, every game in rules/");
    app->add_option("--seconds", options->seconds, "How long to play, for each game")
        ->type_name("S")
        ->check(CLI::PositiveNumber.description(""))
        ->capture_default_str();
    add_start_options(*app, options->game);
    add_seed_option(*app, options->seed);
    add_json_flag(*app, options->json);
    add_example(*app, "zug bench tic-tac-toe --seconds 3");
    return [options] { return options->game.file.empty() ? bench_all(*options) : bench_one(*options); };
}

} // namespace zug::cli
