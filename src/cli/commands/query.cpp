#include "solve/database/query.hpp"
#include "base/text.hpp"
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
    if (standing.win_probability) json["win_probability"] = *standing.win_probability;
    json["repetition"] = standing.repetition;
    return json;
}

std::string standing_text(const game::Game& game, const solve::Standing& standing) {
    if (standing.repetition) return "draw by repetition";
    if (!standing.remoteness) return expected_text(game, standing.value, standing.win_probability);
    return fmt::format("{} in {}", outcome_text(game, standing.value), *standing.remoteness);
}

// Counts of positions by the value for the player to move and the remoteness.
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
    Json results = Json::array();
    for (const auto& [key, positions] : statistics_of(database))
        results.push_back(
            {{"value", key.first}, {"remoteness", key.second ? Json(*key.second) : Json()}, {"positions", positions}});
    return {{"results", std::move(results)}};
}

void say_statistics(const solve::Database& database) {
    say("{:>12} {:>11} {:>16}\n", "value", "remoteness", "positions");
    for (const auto& [key, positions] : statistics_of(database))
        say("{:>12.6g} {:>11} {:>16}\n", key.first, key.second ? std::to_string(*key.second) : "repetition",
            grouped(positions));
}

// With chance, positions are counted by ranges of the value for the player to move.
double range_begin(const solve::Database& database, std::size_t range) {
    const solve::ExpectedValues& expected = database.expected();
    return expected.least() + expected.range() * static_cast<double>(range) / solve::ValueCounts::ranges;
}

Json ranges_json(const solve::Database& database) {
    const solve::ValueCounts& counts = database.solution().counts;
    Json ranges = Json::array();
    for (std::size_t i = 0; i < counts.decided.size(); ++i)
        if (counts.decided[i] > 0)
            ranges.push_back({{"from", range_begin(database, i)},
                              {"to", range_begin(database, i + 1)},
                              {"positions", counts.decided[i]}});
    return {{"ranges", ranges}, {"chance", counts.chance}, {"value_error", database.solution().error}};
}

void say_ranges(const solve::Database& database) {
    const solve::ValueCounts& counts = database.solution().counts;
    say("{:>27} {:>16}\n", "value", "positions");
    for (std::size_t i = 0; i < counts.decided.size(); ++i)
        if (counts.decided[i] > 0)
            say("{:>12.6g} to {:>11.6g} {:>16}\n", range_begin(database, i), range_begin(database, i + 1),
                grouped(counts.decided[i]));
    say("{:>27} {:>16}\n", "chance moves", grouped(counts.chance));
    say("{:>27} {:>16.1e}\n", "error at most", database.solution().error);
}

// The condition that `--random` asks for. Empty: the text is not well-formed.
std::optional<solve::Sought> sought_of(std::string_view text) {
    if (text == "won") return [](double value) { return value > 0; };
    if (text == "lost") return [](double value) { return value < 0; };
    if (text == "drawn") return [](double value) { return value == 0; };
    const std::size_t dots = text.find("..");
    if (dots == text.npos) return std::nullopt;
    const auto least = number_in<double>(text.substr(0, dots)), most = number_in<double>(text.substr(dots + 2));
    if (!least || !most || !(*least <= *most)) return std::nullopt;
    return [least = *least, most = *most](double value) { return value >= least && value <= most; };
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
        // If the line ends at a chance node, its outcomes are shown too.
        const auto then = solve::answer(database_, game_, line->end);
        if (!then) return failed(then.error());
        options_.json ? print_json(json(*answer, *line, *then)) : print(*answer, *line, *then);
        return exit_fine;
    }

private:
    static int failed(const Error& error) {
        complain(error.text);
        return exit_failed;
    }

    std::string sought_text() const {
        const bool range = options_.random.find("..") != std::string::npos;
        return (range ? "no position is worth " : "no position is ") + options_.random;
    }

    int draw() {
        Random random(options_.seed);
        auto state = solve::random_position(database_, game_, *sought_of(options_.random), random);
        if (!state) return failed(state.error());
        if (!*state) return failed({sought_text() + " for the player to move"});
        state_ = std::move(**state);
        return exit_fine;
    }

    int statistics() {
        if (database_.chance())
            options_.json ? print_json(ranges_json(database_)) : say_ranges(database_);
        else
            options_.json ? print_json(statistics_json(database_)) : say_statistics(database_);
        return exit_fine;
    }

    static Json moves_json(const solve::Answer& answer) {
        Json moves = Json::array();
        for (const auto& move : answer.moves) {
            Json own = {{"move", move.text}};
            if (answer.kind == game::NodeKind::Chance) own["probability"] = move.probability;
            own.update(standing_json(move.standing));
            moves.push_back(std::move(own));
        }
        return moves;
    }

    Json json(const solve::Answer& answer, const solve::BestLine& line, const solve::Answer& then) {
        Json json = standing_json(answer.standing);
        if (database_.chance()) json["value_error"] = database_.solution().error;
        json["position"] = game_.position_text(state_);
        json["to_move"] = answer.kind == game::NodeKind::Chance ? Json() : Json(game_.player_name(answer.mover));
        json["moves"] = moves_json(answer);
        json["line"] = line.moves;
        if (!line.moves.empty() && then.kind == game::NodeKind::Chance) json["outcomes"] = moves_json(then);
        return json;
    }

    void print_moves(const solve::Answer& answer) const {
        const bool chance = answer.kind == game::NodeKind::Chance;
        std::size_t width = 0;
        for (const auto& move : answer.moves) width = std::max(width, move.text.size());
        for (const auto& move : answer.moves)
            say("  {:{}}  {}{}\n", move.text, width, chance ? fmt::format("{:8.4f} %  ", 100 * move.probability) : "",
                standing_text(game_, move.standing));
    }

    void print(const solve::Answer& answer, const solve::BestLine& line, const solve::Answer& then) const {
        say("position  {}\n", game_.position_text(state_));
        say("value     {}\n", standing_text(game_, answer.standing));
        if (database_.chance()) say("error     at most {:.1e}\n", database_.solution().error);
        print_moves(answer);
        if (line.moves.empty()) return;
        say("line      {}\n", fmt::join(line.moves, " "));
        if (then.kind == game::NodeKind::Chance) print_moves(then);
    }

    const QueryOptions& options_;
    game::Game& game_;
    game::State& state_;
    solve::Database& database_;
};

int run_query(const QueryOptions& options) {
    auto open = open_game(options.game);
    if (!open) return open.error();
    auto database = solve::Database::open_in(options.folder, open->game);
    if (!database) {
        complain(database.error().text);
        return exit_failed;
    }
    return Query(options, *open, *database).run();
}

} // namespace

Run add_query(Command& program) {
    Command app = program.add_command("query", "Look up positions in a database made by `zug solve -o`");
    auto options = std::make_shared<QueryOptions>();
    app.add_option("DIR", options->folder, "The folder with the databases").required().type_name("");
    add_game_options(app, options->game);
    add_start_options(app, options->game);
    Argument random =
        app.add_option("--random", options->random,
                       "Look up a random position that is won, lost, drawn or worth LO..HI for the player to move")
            .type_name("won|lost|drawn|LO..HI")
            .check([](const std::string& text) { return sought_of(text) ? "" : "must be won, lost, drawn or LO..HI"; });
    add_seed_option(app, options->seed);
    Argument statistics = app.add_flag(
        "--statistics", options->statistics,
        "Print the number of positions of each value and remoteness instead, or of each range of values in "
        "games with chance");
    for (const char* start : {"--moves", "--position"}) {
        random.excludes(app.get(start));
        statistics.excludes(app.get(start));
    }
    statistics.excludes(random);
    add_json_flag(app, options->json);
    add_example(app, "zug query solved tic-tac-toe --moves \"b2 a2\"");
    return [options] { return run_query(*options); };
}

} // namespace zug::cli
