#include "solve/query.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/outcome.hpp"
#include "cli/output.hpp"

#include <fmt/ranges.h>

#include <map>
#include <memory>

namespace zug::cli {

namespace {

struct QueryOptions {
    GameOptions game;
    std::string folder;
    std::string random; // empty: the position that the options name
    std::uint64_t seed = 1;
    bool statistics = false;
    bool json = false;
};

Json remoteness_json(const solve::Standing& standing) {
    return standing.remoteness ? Json(*standing.remoteness) : Json();
}

Json standing_json(const solve::Standing& standing) {
    Json json = {{"value", standing.value.front()}, {"remoteness", remoteness_json(standing)}};
    if (standing.value.size() > 2) json["values"] = standing.value;
    if (standing.repetition) json["repetition"] = true;
    return json;
}

std::string standing_text(const game::Game& game, const solve::Standing& standing) {
    if (standing.repetition) return "draw by repetition";
    return fmt::format("{} in {}", outcome_text(game, standing.value), *standing.remoteness);
}

// Positions by the value for who is to move and the remoteness.
using Statistics = std::map<std::pair<double, std::optional<std::uint32_t>>, std::uint64_t>;
Statistics statistics_of(const solve::Database& database) {
    Statistics statistics;
    for (const auto& count : database.histogram()) {
        const auto standing = solve::standing(database.outcomes(), count.result);
        statistics[{standing.value[count.mover], standing.remoteness}] += count.positions;
    }
    return statistics;
}

Json statistics_json(const solve::Database& database) {
    Json rows = Json::array();
    for (const auto& [key, positions] : statistics_of(database))
        rows.push_back(
            {{"value", key.first}, {"remoteness", key.second ? Json(*key.second) : Json()}, {"positions", positions}});
    return rows;
}

void say_statistics(const solve::Database& database) {
    say("{:>12} {:>11} {:>16}\n", "value", "remoteness", "positions");
    for (const auto& [key, positions] : statistics_of(database))
        say("{:>12.6g} {:>11} {:>16}\n", key.first, key.second ? std::to_string(*key.second) : "repetition",
            grouped(positions));
}

class Query {
public:
    Query(const QueryOptions& options, OpenGame& open, solve::Database& database)
        : options_(options), game_(open.game), state_(open.start), database_(database) {}

    int run() {
        if (!options_.random.empty())
            if (const int code = draw(); code != exit_fine) return code;
        if (options_.statistics) return statistics();
        const auto answer = solve::answer(database_, game_, state_);
        if (!answer) return failed(answer.error());
        const auto line = solve::best_line(database_, game_, state_);
        if (!line) return failed(line.error());
        options_.json ? print_json(json(*answer, *line)) : print(*answer, *line);
        return exit_fine;
    }

private:
    static int failed(const game::Error& error) {
        complain(error.text);
        return exit_failed;
    }

    int draw() {
        Random random(options_.seed);
        const auto sought = options_.random == "won"    ? solve::Sought::Won
                            : options_.random == "lost" ? solve::Sought::Lost
                                                        : solve::Sought::Drawn;
        auto state = solve::random_position(database_, game_, sought, random);
        if (!state) return failed(state.error());
        if (!*state) return failed({"no position is " + options_.random + " for the player to move"});
        state_ = std::move(**state);
        return exit_fine;
    }

    int statistics() {
        options_.json ? print_json(statistics_json(database_)) : say_statistics(database_);
        return exit_fine;
    }

    Json json(const solve::Answer& answer, const std::vector<std::string>& line) {
        Json json = standing_json(answer.standing);
        json["position"] = game_.position_text(state_);
        json["to_move"] = game_.player_name(answer.mover);
        json["moves"] = Json::array();
        for (const auto& move : answer.moves) {
            Json own = {{"move", move.text}};
            own.update(standing_json(move.standing));
            json["moves"].push_back(std::move(own));
        }
        json["line"] = line;
        return json;
    }

    void print(const solve::Answer& answer, const std::vector<std::string>& line) {
        say("position  {}\n", game_.position_text(state_));
        say("value     {}\n", standing_text(game_, answer.standing));
        std::size_t width = 0;
        for (const auto& move : answer.moves) width = std::max(width, move.text.size());
        for (const auto& move : answer.moves)
            say("  {:{}}  {}\n", move.text, width, standing_text(game_, move.standing));
        if (!line.empty()) say("line      {}\n", fmt::join(line, " "));
    }

    const QueryOptions& options_;
    game::Game& game_;
    game::State& state_;
    solve::Database& database_;
};

int run_query(const QueryOptions& options) {
    auto open = open_game(options.game);
    if (!open) return open.error();
    const auto path =
        std::filesystem::path(options.folder) / solve::file_name(solve::identity_of(open->game.program()));
    auto database = solve::Database::open(path, open->game);
    if (!database) {
        complain(database.error().text);
        return exit_failed;
    }
    return Query(options, *open, *database).run();
}

} // namespace

Run add_query(CLI::App& program) {
    CLI::App* app = program.add_subcommand("query", "Ask a database that `zug solve -o` made");
    auto options = std::make_shared<QueryOptions>();
    app->add_option("DIR", options->folder, "The folder of the databases")->required()->type_name("");
    add_game_options(*app, options->game);
    add_start_options(*app, options->game);
    app->add_option("--random", options->random,
                    "Ask about a random position that is won, lost or drawn for the player to move")
        ->type_name("won|lost|drawn")
        ->check(CLI::IsMember({"won", "lost", "drawn"}).description(""));
    add_seed_option(*app, options->seed);
    app->add_flag("--statistics", options->statistics, "Count the positions by value and remoteness instead");
    add_json_flag(*app, options->json);
    add_example(*app, "zug query solved tic-tac-toe --moves \"b2 a2\"");
    return [options] { return run_query(*options); };
}

} // namespace zug::cli
