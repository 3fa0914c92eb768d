#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/reports/bench_cliffs.hpp"
#include "cli/reports/bench_solve.hpp"
#include "cli/reports/contest.hpp"
#include "game/perft.hpp"
#include "interpreter/make_interpreter.hpp"
#include "native/native.hpp"
#include "protocols/session/library.hpp"
#include "search/signature.hpp"

#include <algorithm>
#include <memory>

namespace zug::cli {

namespace {

struct BenchOptions {
    GameOptions game;
    bool one_executor = false; // only the given executor, instead of all
    double seconds = 1;
    std::uint64_t seed = 1;
    std::uint32_t threads = 1;
    bool solve = false; // measure solving instead
    std::string cliffs; // a folder whose pairs are measured instead
    bool json = false;
};

// For the signature each method searches each game to the greatest depth with at most so many lines of play.
constexpr std::uint64_t signature_lines = 20'000;
constexpr int signature_depth = 12;

bool stop() { return interrupted(); }

// The contestant that ratios refer to: the hand-written program, else the first fast one.
const Contestant& yardstick(const std::vector<Contestant>& contestants) {
    if (contestants.back().name == "by hand") return contestants.back();
    const auto fast = std::ranges::find(contestants, false, &Contestant::slow);
    return fast == contestants.end() ? contestants.front() : *fast;
}

double ratio(double number, double unit) { return unit > 0 ? number / unit : 0; }

Json figures_json(const Contestant& contestant, const std::vector<Contestant>& all) {
    const double playouts = playouts_per_second(contestant, all);
    const Contestant& unit = yardstick(all);
    Json json = {{"playouts_per_second", playouts},
                 {"states_per_second", contestant.states_per_second()},
                 {"mean_plies", ratio(contestant.states_per_second(), playouts)},
                 {"unfinished", contestant.played.unfinished},
                 {"perft_nodes_per_second", contestant.perft.nodes_per_second()},
                 {"perft_depth", contestant.perft.depth}};
    if (all.size() > 1) {
        json["playouts_ratio"] = ratio(playouts, playouts_per_second(unit, all));
        json["perft_ratio"] = ratio(contestant.perft.nodes_per_second(), unit.perft.nodes_per_second());
    }
    if (contestant.alpha_beta.depth > 0) {
        json["alpha_beta_nodes_per_second"] = contestant.alpha_beta.nodes_per_second();
        json["alpha_beta_depth"] = contestant.alpha_beta.depth;
        json["alpha_beta_ratio"] = ratio(contestant.alpha_beta.nodes_per_second(), unit.alpha_beta.nodes_per_second());
    }
    return json;
}

void say_heading(bool ratios) {
    say("{:<20} {:>14} {:>14} {:>11} {:>16} {:>5}{}\n", "", "playouts/s", "states/s", "mean plies", "perft nodes/s",
        "depth", ratios ? "  playouts     perft" : "");
}

void say_figures(const std::string& name, const Contestant& contestant, const std::vector<Contestant>& all) {
    const auto whole = [](double number) {
        return number < 10 ? fmt::format("{:.2g}", number) : grouped(static_cast<std::uint64_t>(number));
    };
    const double playouts = playouts_per_second(contestant, all);
    say("{:<20} {:>14} {:>14} {:>11.1f} {:>16} {:>5}", name, whole(playouts), whole(contestant.states_per_second()),
        ratio(contestant.states_per_second(), playouts), whole(contestant.perft.nodes_per_second()),
        contestant.perft.depth);
    if (all.size() > 1) {
        const Contestant& unit = yardstick(all);
        say(" {:>9.3g} {:>9.3g}", ratio(playouts, playouts_per_second(unit, all)),
            ratio(contestant.perft.nodes_per_second(), unit.perft.nodes_per_second()));
    }
    say("\n");
    flush();
}

void say_alpha_beta(const std::vector<Contestant>& contestants) {
    const double unit = yardstick(contestants).alpha_beta.nodes_per_second();
    if (unit == 0) return;
    say("alpha-beta without evaluation, table and order, nodes/s:\n");
    for (const Contestant& contestant : contestants) {
        const double speed = contestant.alpha_beta.nodes_per_second();
        say("{:<20} {:>14} {:>14} {:>11} {:>16} {:>5} {:>9.3g}\n", contestant.name, "", "", "",
            grouped(static_cast<std::uint64_t>(speed)), contestant.alpha_beta.depth, ratio(speed, unit));
    }
}

// Who takes no part in a comparison, and why.
struct Absent {
    std::string name, why;
};

// Complains of the contestants that failed, and removes them. A fault of the rules, which is that of all, is told once.
std::vector<Absent> remove_failed(std::vector<Contestant>& contestants) {
    const bool several = contestants.size() > 1;
    std::vector<Absent> failed;
    for (const Contestant& contestant : contestants) {
        if (contestant.fault.empty()) continue;
        if (std::ranges::find(failed, contestant.fault, &Absent::why) == failed.end())
            complain(several ? contestant.name + ": " + contestant.fault : contestant.fault);
        failed.push_back({contestant.name, contestant.fault});
    }
    std::erase_if(contestants, [](const Contestant& contestant) { return !contestant.fault.empty(); });
    return failed;
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

// The hand-written program for this game, or null. It plays the rule file in rules/ with its own parameters only, from
// the start. `why`: why it can't be used, if there is one for this file.
const by_hand::Program* program_by_hand(const GameOptions& game, const std::filesystem::path& file, std::string& why) {
    std::error_code error;
    if (!std::filesystem::equivalent(file, protocols::rules_folder() / file.filename(), error)) return nullptr;
    const by_hand::Program* program = by_hand::find(file.stem().string());
    if (program == nullptr) return nullptr;
    if (!game.position.empty() || !game.moves.empty()) {
        why = "the hand-written program plays from the start only";
        return nullptr;
    }
    if (game.defines.empty()) return program;
    lang::Overrides own;
    for (const auto& [name, value] : program->parameters) own[std::string(name)] = value;
    if (const auto given = parse_defines(game.defines); given && *given == own) return program;
    why = "the hand-written program plays with other parameters";
    return nullptr;
}

// Why another executor would stand in for this one; empty: none would.
std::string why_absent(const std::shared_ptr<const ir::Program>& rules, std::string_view executor) {
    std::string why;
    const bool fits = executor == "reference" ||
                      native::make_native(rules, native::Wait::Ready, &why)->name() == "native" ||
                      (executor == "interpreter" && run::make_interpreter(rules)->name() == executor);
    return fits ? std::string() : why;
}

// All executors that this machine and game have, or the one that was asked for; and the program by hand. The others go
// to `absent`.
tl::expected<std::vector<Contestant>, int> contestants_of(const BenchOptions& options, const by_hand::Program* program,
                                                          std::vector<Absent>& absent) {
    const auto rules = load_game(options.game);
    if (!rules) return tl::unexpected(rules.error());
    std::vector<Contestant> contestants;
    for (const std::string_view executor : executor_names) {
        GameOptions game = options.game;
        if (options.one_executor && executor != game.executor) continue;
        if (!options.one_executor)
            if (std::string why = why_absent(*rules, executor); !why.empty()) {
                absent.push_back({std::string(executor), std::move(why)});
                continue;
            }
        game.executor = executor;
        game.measured = true;
        auto open = open_game(*rules, game);
        if (!open) return tl::unexpected(open.error());
        contestants.push_back(described(std::move(*open), options.seed, options.threads));
        if (program != nullptr && program->alpha_beta != nullptr) add_alpha_beta(contestants.back(), **rules, game);
    }
    if (program != nullptr) contestants.push_back(written_by_hand(*program, options.seed, options.threads));
    return contestants;
}

std::string joined(const std::vector<std::string>& defines) {
    std::string text;
    for (const auto& define : defines) text += " -D " + define;
    return text;
}

void say_comparison(const std::vector<Contestant>& contestants, const BenchOptions& options, const std::string& why) {
    say_heading(contestants.size() > 1);
    for (const Contestant& contestant : contestants) say_figures(contestant.name, contestant, contestants);
    say_alpha_beta(contestants);
    if (!options.game.defines.empty()) say("with{}\n", joined(options.game.defines));
    if (contestants.size() > 1)
        say("last columns: playouts and perft nodes a second, with {} as 1\n", yardstick(contestants).name);
    if (!why.empty()) say("{}\n", why);
    const auto unfinished = contestants.front().played.unfinished;
    if (unfinished > 0) say("{} playouts did not end within {} plies\n", grouped(unfinished), grouped(longest_playout));
}

// The figures of the fastest executor, and those of all contestants.
Json comparison_json(const std::vector<Contestant>& contestants, const BenchOptions& options) {
    const auto by_rules = std::ranges::find_if(contestants.rbegin(), contestants.rend(),
                                               [](const auto& contestant) { return contestant.name != "by hand"; });
    Json json = {{"name", std::filesystem::path(options.game.file).stem().string()}};
    json.update(figures_json(*by_rules, contestants));
    json["executor"] = by_rules->name;
    json["parameters"] = options.game.defines;
    json["ratios_to"] = yardstick(contestants).name;
    json["contestants"] = Json::array();
    for (const Contestant& contestant : contestants) {
        Json figures = {{"name", contestant.name}};
        figures.update(figures_json(contestant, contestants));
        json["contestants"].push_back(std::move(figures));
    }
    return json;
}

int bench_one(BenchOptions options) {
    const auto file = find_rule_file(options.game.file);
    if (!file) return file.error();
    std::string why;
    const by_hand::Program* program = program_by_hand(options.game, *file, why);
    if (program != nullptr && options.game.defines.empty())
        for (const auto& [name, value] : program->parameters)
            options.game.defines.push_back(fmt::format("{}={}", name, value));
    std::vector<Absent> absent;
    auto contestants = contestants_of(options, program, absent);
    if (!contestants) return contestants.error();
    compare(*contestants, options.seconds);
    const std::vector<Absent> failed = remove_failed(*contestants);
    if (contestants->empty()) return exit_failed;
    if (options.json) {
        Json json = comparison_json(*contestants, options);
        for (const auto& [name, reason] : absent) json["absent"].push_back({{"name", name}, {"why", reason}});
        for (const auto& [name, reason] : failed) json["failed"].push_back({{"name", name}, {"why", reason}});
        print_json(json);
    } else {
        say_comparison(*contestants, options, why);
        for (const auto& [name, reason] : absent) say("without {}: {}\n", name, reason);
    }
    if (interrupted()) return exit_interrupted;
    return failed.empty() ? exit_fine : exit_failed;
}

int bench_all(const BenchOptions& options) {
    const auto files = rule_files();
    if (!files) return files.error();
    Json games = Json::array();
    std::vector<std::unique_ptr<OpenGame>> opened; // the cases of the signature point into it
    std::vector<search::SignatureCase> cases;
    bool failed = false;
    if (!options.json) say_heading(false);
    for (const auto& file : *files) {
        if (interrupted()) break;
        GameOptions game = options.game;
        game.file = file.string();
        auto open = open_game(game);
        if (!open) {
            failed = true;
            continue;
        }
        opened.push_back(std::make_unique<OpenGame>(std::move(*open)));
        const std::string name = file.stem().string();
        std::vector<Contestant> measured;
        measured.push_back(
            described({opened.back()->game.clone(), opened.back()->start}, options.seed, options.threads));
        compare(measured, options.seconds);
        if (!measured[0].fault.empty()) {
            complain(fmt::format("{}: {}", name, measured[0].fault));
            failed = true;
            continue;
        }
        if (options.json) {
            games.push_back({{"name", name}});
            games.back().update(figures_json(measured[0], measured));
        } else {
            say_figures(name, measured[0], measured);
        }
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

Run add_bench(Command& program) {
    Command app = program.add_command(
        "bench", "Measure random playouts and perft, of one game on all executors, or of all games; or solving, or the "
                 "cost of ways to say a game");
    auto options = std::make_shared<BenchOptions>();
    add_game_options(app, options->game);
    Argument file = app.get("FILE");
    file.required(false).describe("A rule file; without it, every game in rules/");
    add_time_option(app, "--seconds", options->seconds,
                    "The time of random playouts for each executor; perft gets half of it");
    add_threads_option(app, options->threads, "The number of games played in parallel");
    Argument solve = app.add_flag("--solve", options->solve,
                                  "Measure how fast FILE is solved, and positions are looked up, instead");
    app.add_option("--cliffs", options->cliffs,
                   "Measure the pairs of files in this folder instead, NAME.zug and NAME.best.zug: the same game, said "
                   "in a natural and in the fastest way")
        .type_name("FOLDER")
        .excludes(file)
        .excludes(solve);
    add_start_options(app, options->game);
    add_seed_option(app, options->seed);
    add_json_flag(app, options->json);
    add_example(app, "zug bench tic-tac-toe --seconds 3");
    return [app, options] {
        options->one_executor = app.count("--executor") > 0;
        if (options->solve) return bench_solving({options->game, options->threads, options->seed, options->json});
        if (!options->cliffs.empty())
            return bench_cliffs({options->cliffs, options->seconds, options->seed, options->json});
        return options->game.file.empty() ? bench_all(*options) : bench_one(*options);
    };
}

} // namespace zug::cli
