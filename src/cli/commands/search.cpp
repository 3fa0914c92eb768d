#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "game/utility_of_lead.hpp"
#include "learn/use.hpp"
#include "search/settings.hpp"
#include "search/suited.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/ranges.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace zug::cli {

namespace {

struct SearchOptions {
    GameOptions game;
    std::string method = "auto";
    int depth = search::unlimited_depth;
    double seconds = 0;
    std::uint64_t nodes = 0;
    bool json = false;
};

bool is_by_player(const game::Game& game, const search::Result& result) {
    using search::Method;
    return result.method == Method::MaxN || result.method == Method::Paranoid || result.method == Method::BestReply ||
           (result.method == search::Method::MonteCarlo && game.traits().teams() > 2);
}

// The first player's utility if it determines the others; else a list, by player.
Json value_json(const game::Game& game, const search::Result& result) {
    if (is_by_player(game, result)) return result.value;
    return result.value.empty() ? Json() : Json(result.value[0]);
}

std::string value_text(const game::Game& game, const search::Result& result) {
    if (result.value.empty()) return "none";
    // Means of many outcomes may miss 0 by a rounding error.
    const auto number = [](double value) { return fmt::format("{:.6g}", std::abs(value) < 1e-12 ? 0.0 : value); };
    if (!is_by_player(game, result)) return number(result.value[0]) + " for " + game.team_name(0);
    std::vector<std::string> parts;
    for (std::uint32_t p = 0; p < game.players(); ++p)
        parts.push_back(number(result.value[p]) + " for " + game.player_name(p));
    return fmt::format("{}", fmt::join(parts, ", "));
}

bool evaluates_at_depth(search::Method method) {
    using enum search::Method;
    constexpr std::array methods = {Minimax, AlphaBeta, Expectimax, MaxN, Paranoid, BestReply, OpponentModel};
    return std::ranges::find(methods, method) != methods.end();
}

// Some methods suppose how the others play: what they find to the end of the game rests on that.
std::string_view end_text(const game::Game& game, const search::Result& result) {
    using enum search::Method;
    const bool alone = game.traits().teams() <= 2;
    const bool supposes =
        result.method == OpponentModel || (!alone && (result.method == Paranoid || result.method == BestReply));
    if (!result.exact) return "";
    return supposes ? ", to the end of the game" : ", proven";
}

// `futility`: the search's; 0: none.
void print_result(const game::Game& game, const search::Result& result, double futility) {
    say("value   {}{}\n", value_text(game, result), end_text(game, result));
    if (result.sampling_error > 0)
        say("        chance events were sampled: each mean is within {:.3g} with a probability of 95 %\n",
            result.sampling_error);
    if (futility > 0 && !result.exact)
        say("        futile moves were left out: off by no more than what a quiet move gains beyond {} a ply\n",
            futility);
    if (!result.exact && !game.traits().has_eval && evaluates_at_depth(result.method))
        say("        positions at the depth limit count as {:.6g}, since the file has no `eval`\n",
            game::even_utility(game.traits()));
    say("line    {}\n", fmt::join(result.pv, " "));
    say("method  {}\n", search::method_name(result.method));
    if (!result.exact || result.depth > 0) say("depth   {}\n", result.depth); // a proof has none
    say("nodes   {}\n", grouped(result.nodes));
    for (const search::Count& count : result.counts) say("        {} {}\n", grouped(count.value), count.name);
    say("time    {}, {} nodes a second\n", duration_text(result.seconds),
        grouped(static_cast<std::uint64_t>(static_cast<double>(result.nodes) / std::max(result.seconds, 1e-9))));
}

Json result_json(const game::Game& game, const search::Result& result) {
    Json counts = Json::object();
    for (const search::Count& count : result.counts) counts[std::string(count.name)] = count.value;
    return {{"value", value_json(game, result)},
            {"sampling_error", result.sampling_error},
            {"nodes", result.nodes},
            {"depth", result.depth},
            {"pv", result.pv},
            {"seconds", result.seconds},
            {"method", search::method_name(result.method)},
            {"exact", result.exact},
            {"complete", result.complete},
            {"counts", counts}};
}

// A search that is slow to notice its own limit is stopped.
constexpr double grace_seconds = 0.5;

// The limits of the method's text, unless they are given as options.
search::Limits limits_of(const SearchOptions& options, const search::Settings& settings, const game::Game& game,
                         Progress& line) {
    search::Limits limits = settings.limits();
    if (options.depth >= 0) limits.depth = options.depth;
    if (options.seconds > 0) limits.seconds = options.seconds;
    if (options.nodes > 0) limits.nodes = options.nodes;
    limits.stop = &interrupted();
    limits.progress = [&](const search::Progress& progress) {
        const search::Result& result = progress.result;
        if (line.due())
            line.show(fmt::format("depth {}, {} nodes, value {}, {}", result.depth, grouped(result.nodes),
                                  value_text(game, result), fmt::join(result.pv, " ")));
    };
    return limits;
}

// What the text sets that a search has no use for.
std::string for_players_only(const search::Settings& settings) {
    if (!settings.book.empty()) return "a book is for players; a search finds out for itself";
    if (!settings.rote.empty())
        return "what is remembered of earlier games is for players; a search finds out for itself";
    if (settings.game_time) return "a clock for the whole game is for players; give a search its time, as in --time 2s";
    return settings.random > 0 ? "random moves are for players; a search makes none" : "";
}

int run_search(const SearchOptions& options) {
    const auto settings = search::parse_settings(options.method);
    if (!settings) {
        complain(settings.error().text);
        return exit_usage;
    }
    if (const std::string why = for_players_only(*settings); !why.empty()) {
        complain(why);
        return exit_usage;
    }
    auto open = open_game(options.game);
    if (!open) return open.error();
    game::Game& game = open->game;
    if (const auto used = learn::use_evaluation(game, settings->eval); !used) {
        complain(used.error().text);
        return exit_failed;
    }
    Progress line;
    const search::Limits limits = limits_of(options, *settings, game, line);
    // Without a limit, or with one of the depth, the value is to be exact to there.
    const bool exact = limits.depth != search::unlimited_depth || (limits.seconds <= 0 && limits.nodes == 0);
    const auto method = search::method_for(settings->method, exact, game);
    if (const std::string why = search::refusal(method, settings->options, game.traits()); !why.empty()) {
        complain(why);
        return exit_failed;
    }
    search::Searcher searcher(game, method, settings->options);
    if (settings->options.calibration && game.uses_file_eval())
        line.show("learning from quick games what the evaluation is worth, this once");
    searcher.prepare(&interrupted());
    if (limits.seconds > 0) limit_time(limits.seconds + grace_seconds);
    const search::Result result = searcher.run(open->start, limits);
    line.clear();
    if (!result.fault.empty()) {
        complain(result.fault);
        return exit_failed;
    }
    if (options.json)
        print_json(result_json(game, result));
    else
        print_result(game, result, settings->options.futility);
    return interrupted() ? exit_interrupted : exit_fine;
}

} // namespace

Run add_search(Command& program) {
    Command app = program.add_command("search", "Find the value of a position and the best line of play");
    auto options = std::make_shared<SearchOptions>();
    add_game_options(app, options->game);
    app.add_option(
           "--method", options->method,
           "a method of `zug help players`, with settings as in alphabeta:window=mtdf,threads=2; or auto: with a "
           "limit of time or nodes the method that suits the game (`zug info` says which), else an exact one")
        .type_name("METHOD");
    app.add_option("--depth", options->depth, "The depth in plies; without it, to the end of the game")
        .type_name("N")
        .within(0, search::max_depth);
    add_time_option(app, "--time", options->seconds, "The limit of time, as in 500ms or 10s", Zero::Allowed);
    app.add_option("--nodes", options->nodes, "The limit of nodes").type_name("N");
    add_start_options(app, options->game);
    add_json_flag(app, options->json);
    add_example(app, "zug search tic-tac-toe --depth 9 --moves \"b2 a1\"");
    return [options] { return run_search(*options); };
}

} // namespace zug::cli
