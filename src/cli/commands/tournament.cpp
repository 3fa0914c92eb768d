#include "tournament/tournament.hpp"

#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/family.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "tournament/report/report.hpp"
#include "tournament/results_file.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <memory>

namespace zug::cli {

namespace {

using tournament::GameSetup;
using tournament::ResultsFile;
using tournament::Schedule;
using tournament::Standings;

struct TournamentCommand {
    GameOptions game; // what all games share
    std::vector<std::string> files, openings;
    std::string players, results, csv, html, sprt;
    std::uint64_t games = 100;
    bool gauntlet = false, json = false;
    tournament::TournamentOptions options;
};

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(' ');
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// Players are separated by `;`, or by commas as in a match. Blanks around them mean nothing.
tl::expected<std::vector<match::PlayerSpec>, Error> players_named(std::string_view text) {
    std::vector<match::PlayerSpec> players;
    while (!trimmed(text).empty()) {
        const std::string_view piece = text.substr(0, text.find(';'));
        text.remove_prefix(std::min(piece.size() + 1, text.size()));
        std::string list;
        for (std::string_view rest = trimmed(piece); !rest.empty();) {
            const std::string_view one = rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(one.size() + 1, rest.size()));
            list += fmt::format("{}{}", list.empty() ? "" : ",", trimmed(one));
        }
        auto some = match::parse_players(list);
        if (!some) return tl::unexpected(some.error());
        std::ranges::move(*some, std::back_inserter(players));
    }
    if (std::ranges::any_of(players, [](const auto& spec) { return spec.kind == match::PlayerKind::Human; }))
        return failure("a tournament is between programs; people play with `zug play`");
    return players;
}

// FILE or FILE:name=value,name=value. A file whose name looks like that is taken as it is.
GameOptions game_named(const std::string& text, const GameOptions& shared) {
    GameOptions game = shared;
    game.file = text;
    std::error_code error;
    const auto colon = text.find(':');
    if (colon == text.npos || text.find('=', colon) == text.npos || std::filesystem::exists(text, error)) return game;
    game.file = text.substr(0, colon);
    for (std::string_view rest = std::string_view(text).substr(colon + 1); !rest.empty();) {
        const std::string_view define = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(define.size() + 1, rest.size()));
        game.defines.emplace_back(define);
    }
    return game;
}

// The words of the command line as a shell would read them, for the page of HTML.
std::string command_text(const TournamentCommand& command) {
    const auto quoted = [](const std::string& word) {
        return word.find_first_of(" ;&|<>*?()'\"$#") == word.npos ? word : fmt::format("\"{}\"", word);
    };
    std::string text = "zug tournament";
    for (const std::string& file : command.files) text += fmt::format(" {}", quoted(file));
    for (const std::string& define : command.game.defines) text += fmt::format(" -D {}", quoted(define));
    text += fmt::format(" --players {} --games {}", quoted(command.players), command.games);
    if (command.gauntlet) text += " --gauntlet";
    if (command.options.opening_plies > 0) text += fmt::format(" --opening {}", command.options.opening_plies);
    for (const std::string& file : command.openings) text += fmt::format(" --openings {}", quoted(file));
    if (!command.sprt.empty()) text += fmt::format(" --sprt {}", command.sprt);
    return text + fmt::format(" --seed {}", command.options.seed);
}

// One tournament, from the words of the command line to the exit code. Steps that fail say why and return the code.
class Organiser {
public:
    explicit Organiser(TournamentCommand& command) : command_(command) {}

    int run() {
        if (const int code = prepare(); code != exit_fine) return code;
        Progress line;
        auto& options = command_.options;
        options.stop = &interrupted();
        options.progress = [&](const Standings& standings) {
            if (line.due()) line.show(progress_text(standings), standings.counted, standings.asked);
        };
        options.record = [&](const match::GameRecord& record) {
            if (!results_ || !write_error_.empty()) return;
            if (const auto done = results_->append(record); !done) {
                write_error_ = done.error().text;
                interrupted() = true; // games that can't be kept are not played
            }
        };
        auto earlier = results_ ? std::move(results_->earlier()) : tournament::EarlierGames();
        const Standings standings =
            tournament::run_tournament(games_, players_, *schedule_, options, std::move(earlier));
        line.clear();
        // Once the test has decided, the tournament itself asked for the end.
        if (standings.sprt && standings.sprt->decision != tournament::SprtDecision::None && write_error_.empty())
            interrupted() = false;
        return report(standings);
    }

private:
    int fail(const std::string& why, int code = exit_usage) {
        complain(why);
        return code;
    }

    int prepare() {
        auto players = players_named(command_.players);
        if (!players) return fail(players.error().text);
        players_ = std::move(*players);
        if (!command_.sprt.empty()) {
            const auto sprt = tournament::parse_sprt(command_.sprt);
            if (!sprt) return fail("--sprt: " + sprt.error().text);
            command_.options.sprt = *sprt;
        }
        if (const int code = open_games(); code != exit_fine) return code;
        if (const std::string why = refusal(games_, players_, command_.options.sprt); !why.empty()) return fail(why);
        if (const int code = make_schedule(); code != exit_fine) return code;
        for (const std::string& file : {command_.csv, command_.html})
            if (const auto fine = file.empty() ? tl::expected<void, Error>() : check_writable(file); !fine)
                return fail(fine.error().text, exit_failed);
        const std::string results[] = {command_.results, command_.csv, command_.html};
        std::vector<std::string> read = command_.openings;
        for (const GameSetup& game : games_) read.push_back(game.file);
        if (const auto apart = check_apart(results, read); !apart) return fail(apart.error().text);
        return open_results();
    }

    int open_games() {
        const std::size_t files = command_.files.size(), openings = command_.openings.size();
        if (openings > 1 && openings != files)
            return fail(fmt::format("--openings is given once for all games, or once for each: {} times for {} games",
                                    openings, files));
        for (std::size_t f = 0; f < files; ++f) {
            const GameOptions shared = game_named(command_.files[f], command_.game);
            const auto instances = instances_of({shared.file}, shared);
            if (!instances) return instances.error();
            for (const GameOptions& instance : *instances) {
                constexpr std::size_t most_games = 256;
                if (games_.size() == most_games) return fail(fmt::format("there are more than {} games", most_games));
                const std::string* const file = openings == 0 ? nullptr : &command_.openings[openings == 1 ? 0 : f];
                if (const int code = open_one(instance, file); code != exit_fine) return code;
            }
        }
        return exit_fine;
    }

    int open_one(const GameOptions& instance, const std::string* openings) {
        const auto path = find_rule_file(instance.file);
        if (!path) return path.error();
        auto open = open_to_play(instance);
        if (!open) return open.error();
        GameSetup setup{std::move(open->game), "", *path, {}};
        setup.title = setup.game.program().title;
        for (const std::string& define : instance.defines) setup.title += " " + define;
        if (openings != nullptr) {
            constexpr std::uint64_t longest = std::uint64_t{1} << 26;
            const auto text = read_file_or_pipe(*openings, longest);
            if (!text) return fail(fmt::format("can't read {}: {}", *openings, text.error().text), exit_failed);
            auto parsed = tournament::parse_openings(*text, setup.game);
            if (!parsed)
                return fail(fmt::format("{}, for {}: {}", *openings, setup.title, parsed.error().text), exit_failed);
            setup.openings = std::move(*parsed);
        }
        games_.push_back(std::move(setup));
        return exit_fine;
    }

    int make_schedule() {
        tournament::ScheduleOptions options;
        options.players = players_.size();
        for (const GameSetup& setup : games_) options.seats.push_back(setup.game.players());
        options.games = command_.games;
        options.gauntlet = command_.gauntlet;
        options.seed = command_.options.seed;
        auto schedule = Schedule::make(options);
        if (!schedule) return fail(schedule.error().text);
        schedule_.emplace(std::move(*schedule));
        return exit_fine;
    }

    int open_results() {
        if (command_.results.empty()) return exit_fine;
        const auto description = describe(games_, players_, command_.options, command_.gauntlet);
        auto opened = ResultsFile::open(command_.results, description, *schedule_);
        if (!opened) return fail(opened.error().text, exit_failed);
        results_.emplace(std::move(*opened));
        if (const auto lines = results_->unreadable(); lines > 0)
            complain(fmt::format("{}: {} can't be read; their games are played again", command_.results,
                                 lines == 1 ? "1 line" : fmt::format("{} lines", lines)));
        return exit_fine;
    }

    static std::string progress_text(const Standings& standings) {
        std::string text = fmt::format("{} of {} games", grouped(standings.counted), grouped(standings.asked));
        if (standings.sprt) text += fmt::format(", LLR {:.2f}", standings.sprt->llr);
        const auto pairs = standings.pairs();
        for (std::size_t k = 0; k < standings.players.size(); ++k)
            text += fmt::format(", {} {:.2f}", standings.players[k].name, pairs.row(k).share());
        return text;
    }

    int report(const Standings& standings) {
        const Saving saving; // after Ctrl-C, too, the files are to be complete
        if (command_.json)
            print_json(report_json(standings));
        else
            write(report_text(standings));
        flush();
        int code = exit_fine;
        const auto keep = [&](const std::string& file, const std::string& text) {
            if (file.empty()) return;
            if (const auto done = write_file(file, text); !done) code = fail(done.error().text, exit_failed);
        };
        if (!command_.csv.empty()) keep(command_.csv, report_csv(standings));
        if (!command_.html.empty()) keep(command_.html, report_html(standings, command_text(command_)));
        if (!write_error_.empty()) return fail(write_error_, exit_failed);
        if (standings.first_fault) code = fail(*standings.first_fault, exit_failed);
        return interrupted() ? exit_interrupted : code;
    }

    TournamentCommand& command_;
    std::vector<match::PlayerSpec> players_;
    std::vector<GameSetup> games_;
    std::optional<Schedule> schedule_;
    std::optional<ResultsFile> results_;
    std::string write_error_;
};

void add_output_options(Command& app, TournamentCommand& command) {
    app.add_option("-o", command.results,
                   "Keep the games in this file, for `zug replay`; the same command goes on where it stopped")
        .type_name("RESULTS");
    app.add_option("--csv", command.csv, "Write the results of all pairs to this file").type_name("FILE");
    app.add_option("--html", command.html, "Write the results as a page with plots to this file").type_name("FILE");
    add_json_flag(app, command.json);
}

} // namespace

Run add_tournament(Command& program) {
    Command app = program.add_command("tournament", "Let several programs play each other, and rate them");
    auto command = std::make_shared<TournamentCommand>();
    app.add_option("FILE", command->files,
                   "Rule files, or names of files in rules/; FILE:name=value,... sets parameters of one")
        .required()
        .type_name("");
    add_define_option(
        app, command->game.defines,
        "Set a parameter of all rule files, or play with each value of a range: width=4..6; can be repeated");
    add_executor_option(app, command->game.executor);
    app.add_option("--players", command->players, "Two or more: \"random; alphabeta:depth=6,time=2s\"")
        .type_name("\"A; B; ...\"")
        .required();
    app.add_option("--games", command->games,
                   "How many games of each FILE the same players play at least; every opening is played in all "
                   "assignments of seats")
        .type_name("N")
        .positive()
        .show_default();
    app.add_flag("--gauntlet", command->gauntlet, "The first player against each other one; else each against each");
    app.add_option("--opening", command->options.opening_plies,
                   "The number of random plies at the start of each game, after its opening")
        .type_name("N");
    app.add_option("--openings", command->openings,
                   "Openings, one in each line: moves, or `position` and a position; for all FILEs, or once for each")
        .type_name("FILE")
        .one_value_each_time();
    app.add_option("--sprt", command->sprt,
                   "Stop as soon as it is clear whether the first of two players is ELO0 or ELO1 stronger, with error "
                   "probabilities of 0.05 if no others are given")
        .type_name("ELO0,ELO1[,ALPHA,BETA]");
    add_seed_option(app, command->options.seed);
    add_threads_option(app, command->options.threads, "The number of games played in parallel");
    add_output_options(app, *command);
    add_example(app, "zug tournament breakthrough kalah --players \"alphabeta:nodes=2000; maxn:nodes=2000; "
                     "random\" --games 20 --opening 4 -o results.jsonl --html results.html");
    return [command] { return Organiser(*command).run(); };
}

} // namespace zug::cli
