#include "match/match.hpp"
#include "records/formats.hpp"

#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace zug::cli {

namespace {

struct MatchCommand {
    GameOptions game;
    std::string players;
    std::string record;
    match::MatchOptions match;
    bool json = false;
};

// The interval of the points per game, clipped to 0..1, which Student's interval of a few games may exceed.
std::optional<match::Interval> points_interval(const match::Score& score) {
    auto interval = score.points.interval();
    if (interval) *interval = {std::max(interval->low, 0.0), std::min(interval->high, 1.0)};
    return interval;
}

Json interval_json(const std::optional<match::Interval>& interval) {
    return interval ? Json::array({interval->low, interval->high}) : Json();
}

Json report_json(const match::Report& report) {
    Json names = Json::array(), score = Json::array(), wins = Json::array(), losses = Json::array(),
         utility = Json::array(), intervals = Json::array();
    for (const auto& player : report.players) {
        names.push_back(player.name);
        // Computed from the counts, since the sum of the sample is rounded.
        score.push_back(static_cast<double>(player.wins) + static_cast<double>(player.draws) / 2);
        wins.push_back(player.wins);
        losses.push_back(player.losses);
        utility.push_back(player.utility.mean());
        intervals.push_back(interval_json(points_interval(player)));
    }
    Json json = {{"games", report.finished},
                 {"players", names},
                 {"score", score},
                 {"wins", wins},
                 {"draws", report.drawn},
                 {"losses", losses},
                 {"mean_utility", utility},
                 {"score_per_game_95", intervals},
                 {"mean_plies", report.plies.mean()},
                 {"distinct", report.distinct},
                 {"unfinished", report.unfinished},
                 {"faulted", report.faulted},
                 {"forfeited", report.forfeited},
                 {"seconds", report.seconds}};
    if (const auto elo = report.elo(); elo && std::isfinite(elo->difference)) json["elo"] = elo->difference;
    return json;
}

std::string interval_text(const std::optional<match::Interval>& interval) {
    return interval ? fmt::format("{:.3f} to {:.3f}", interval->low, interval->high) : "";
}

void say_scores(std::string_view heading, const std::vector<match::Score>& scores) {
    std::size_t width = heading.size();
    for (const auto& score : scores) width = std::max(width, score.name.size());
    say("{:{}} {:>8} {:>8} {:>8} {:>8}   {:<16} {:>9}\n", heading, width, "wins", "draws", "losses", "score",
        "95 percent", "utility");
    for (const auto& score : scores)
        say("{:{}} {:>8} {:>8} {:>8} {:>8.3f}   {:<16} {:>9.3f}\n", score.name, width, score.wins, score.draws,
            score.losses, score.points.mean(), interval_text(points_interval(score)), score.utility.mean());
}

// A single player has nobody to win against, so the utilities are shown.
void say_utility(const match::Score& score) {
    const match::Sample& utility = score.utility;
    say("{:<12} {:>10} {:>10} {:>10}   {}\n", "player", "utility", "least", "greatest", "95 percent");
    say("{:<12} {:>10.3f} {:>10g} {:>10g}   {}\n", score.name, utility.mean(), utility.least(), utility.greatest(),
        interval_text(utility.interval()));
}

void say_report(const game::Game& game, const match::Report& report) {
    say("{}: {} of {} games in {}, {:.1f} plies a game\n\n", game.program().title, grouped(report.finished),
        grouped(report.asked), duration_text(report.seconds), report.plies.mean());
    if (game.players() == 1) {
        say_utility(report.players.front());
    } else {
        say_scores("player", report.players);
        say("\n");
        say_scores("seat", report.seats);
    }
    // Unless a point was lost, and with very few games, the difference is not bounded.
    if (const auto elo = report.elo(); elo && std::isfinite(elo->low) && std::isfinite(elo->high))
        say("\n{} is {:+.0f} Elo ({:.0f} to {:.0f}) over {}\n", report.players[0].name, elo->difference, elo->low,
            elo->high, report.players[1].name);
    if (report.first_forfeit)
        say("\n{} {} lost by forfeit; the first: {}\n", report.forfeited,
            report.forfeited == 1 ? "game was" : "games were", *report.first_forfeit);
    if (report.unfinished > 0) say("{} games went on too long and were not scored\n", report.unfinished);
    if (report.distinct * 2 < report.finished)
        say("only {} of the games differ, so the intervals are too narrow; --opening N begins with random moves\n",
            report.distinct);
}

std::string progress_text(const match::Report& report) {
    std::string text = fmt::format("{} of {} games", grouped(report.finished), grouped(report.asked));
    for (const auto& player : report.players) text += fmt::format(", {} {:.1f}", player.name, player.points.sum());
    return text;
}

tl::expected<std::vector<match::PlayerSpec>, Error> programs_named(const std::string& text) {
    auto specs = match::parse_players(text);
    if (specs && std::ranges::any_of(*specs, [](const auto& spec) { return spec.kind == match::PlayerKind::Human; }))
        return failure("a match is between programs; people play with `zug play`");
    return specs;
}

// The file that the games go to.
class Recorder {
public:
    static tl::expected<Recorder, Error> open(const std::string& file, const game::Game& game) {
        const records::Format format = records::format_of(file);
        if (std::string why = records::refusal(game, format); !why.empty()) return failure(std::move(why));
        auto writer = match::RecordWriter::open(file);
        if (!writer) return tl::unexpected(writer.error());
        return Recorder(std::move(*writer), game.clone(), format);
    }

    void add(const match::GameRecord& record) {
        if (!error_.empty()) return;
        const auto text = records::text_of(game_, record, format_);
        const auto done = text ? writer_.append_text(*text) : tl::unexpected(text.error());
        if (done) return;
        error_ = done.error().text;
        interrupted() = true; // games that can't be recorded are not played
    }
    const std::string& error() const { return error_; } // empty: all is recorded

private:
    Recorder(match::RecordWriter writer, game::Game game, records::Format format)
        : writer_(std::move(writer)), game_(std::move(game)), format_(format) {}

    match::RecordWriter writer_;
    game::Game game_;
    records::Format format_;
    std::string error_;
};

int run_match(MatchCommand& command) {
    const auto specs = programs_named(command.players);
    if (!specs || (command.match.values && command.record.empty())) {
        complain(specs ? "--values is for --record" : specs.error().text);
        return exit_usage;
    }
    const auto rules = find_rule_file(command.game.file);
    if (!rules) return rules.error();
    auto open = open_to_play(command.game);
    if (!open) return open.error();

    if (const auto apart = check_apart(std::span(&command.record, 1), std::span(&*rules, 1)); !apart) {
        complain(apart.error().text);
        return exit_usage;
    }
    std::optional<Recorder> recorder;
    if (!command.record.empty()) {
        auto opened = Recorder::open(command.record, open->game);
        if (!opened) {
            complain(opened.error().text);
            return exit_failed;
        }
        recorder.emplace(std::move(*opened));
        command.match.record = [&](const match::GameRecord& record) { recorder->add(record); };
    }
    Progress line;
    command.match.stop = &interrupted();
    command.match.file = *rules;
    command.match.progress = [&](const match::Report& report) {
        if (line.due()) line.show(progress_text(report), report.finished, report.asked);
    };
    const auto report = match::run_match(open->game, open->start, *specs, command.match);
    line.clear();
    if (!report) {
        complain(report.error().text);
        return exit_usage;
    }
    if (recorder && !recorder->error().empty()) {
        complain(recorder->error());
        return exit_failed;
    }
    if (command.json)
        print_json(report_json(*report));
    else
        say_report(open->game, *report);
    if (report->first_fault) complain(*report->first_fault);
    if (interrupted()) return exit_interrupted;
    return report->first_fault ? exit_failed : exit_fine;
}

} // namespace

Run add_match(Command& program) {
    Command app = program.add_command("match", "Play many games between programs and report the results");
    auto command = std::make_shared<MatchCommand>();
    add_game_options(app, command->game);
    app.add_option("--players", command->players,
                   "One for each player, or each team, of the game: random,alphabeta:depth=6")
        .type_name("A,B,...")
        .required();
    app.add_option("--games", command->match.games, "The number of games; the seats change from game to game")
        .type_name("N")
        .positive()
        .show_default();
    add_seed_option(app, command->match.seed);
    add_threads_option(app, command->match.threads, "The number of games played in parallel");
    app.add_option("--opening", command->match.opening_plies, "The number of random plies at the start of each game")
        .type_name("N");
    app.add_option("--max-plies", command->match.max_plies,
                   "Give a game up after so many plies, and leave it out of the score (default: 10000, or 1000000 in "
                   "games with chance)")
        .type_name("N")
        .positive();
    app.add_option("--record", command->record,
                   "Add the games to this file, for `zug replay`; as PGN or SGF if its name ends so")
        .type_name("RECORD");
    app.add_flag("--values", command->match.values,
                 "Write into the records what the players expected, which `zug learn --from` learns from");
    add_start_options(app, command->game);
    add_json_flag(app, command->json);
    add_example(app, "zug match breakthrough --players alphabeta:depth=4,random --games 20");
    return [command] { return run_match(*command); };
}

} // namespace zug::cli
