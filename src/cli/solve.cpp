#include "solve/solve.hpp"
#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

#include <chrono>
#include <memory>

namespace zug::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct SolveOptions {
    GameOptions game;
    std::uint64_t most_positions = solve::Options{}.most_positions;
    bool json = false;
};

std::string value_text(const game::Game& game, double value) {
    if (game.players() == 1) return fmt::format("{:g}", value);
    if (value == 0) return "draw";
    return fmt::format("{} wins {:g}", game.player_name(value > 0 ? 0 : 1), value > 0 ? value : -value);
}

Json solution_json(const std::string& file, const solve::Solution& solution, double seconds) {
    Json json = {{"file", file},
                 {"value", solution.value()},
                 {"positions", solution.positions},
                 {"won", solution.tally.won},
                 {"lost", solution.tally.lost},
                 {"drawn", solution.tally.drawn},
                 {"assumes", solution.assumes},
                 {"seconds", seconds}};
    const auto remoteness = solution.start_remoteness();
    json["remoteness"] = remoteness ? Json(*remoteness) : Json();
    return json;
}

void say_solution(const game::Game& game, const solve::Solution& solution, double seconds) {
    say("value        {}\n", value_text(game, solution.value()));
    if (const auto plies = solution.start_remoteness()) say("remoteness   {} plies\n", *plies);
    say("positions    {}\n", grouped(solution.positions));
    say("             {} won, {} lost, {} drawn for the player to move\n", grouped(solution.tally.won),
        grouped(solution.tally.lost), grouped(solution.tally.drawn));
    say("moves        {}\n", grouped(solution.moves));
    say("time         {}\n", duration_text(seconds));
    for (const auto& sentence : solution.assumes) say("taken for granted: {}\n", sentence);
}

int run_solve(const SolveOptions& options) {
    auto open = open_game(options.game);
    if (!open) return open.error();
    Progress line;
    const auto begin = Clock::now();
    solve::Options limits{.most_positions = options.most_positions, .stop = {}};
    limits.stop = [&](std::uint64_t positions) {
        if (line.due()) line.show(fmt::format("{} positions", grouped(positions)));
        return interrupted().load();
    };
    const auto solution = solve::solve(open->game, open->start, limits);
    line.clear();
    if (!solution) {
        complain(solution.error().text);
        return interrupted() ? exit_interrupted : exit_failed;
    }
    const double seconds = seconds_since(begin);
    if (options.json)
        print_json(Json::array({solution_json(options.game.file, *solution, seconds)}));
    else
        say_solution(open->game, *solution, seconds);
    return exit_fine;
}

} // namespace

Run add_solve(CLI::App& program) {
    CLI::App* app = program.add_subcommand("solve", "Find the value of every position of a small game");
    auto options = std::make_shared<SolveOptions>();
    add_game_options(*app, options->game);
    app->add_option("--positions", options->most_positions, "Give up beyond so many positions")
        ->type_name("N")
        ->check(CLI::PositiveNumber.description(""))
        ->capture_default_str();
    add_start_options(*app, options->game);
    add_json_flag(*app, options->json);
    add_example(*app, "zug solve hexapawn");
    return [options] { return run_solve(*options); };
}

} // namespace zug::cli
