#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/outcome.hpp"
#include "match/record.hpp"
#include "records/formats.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fmt/ranges.h>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

namespace zug::cli {

namespace {

struct ReplayOptions {
    std::string record;
    std::string rules; // instead of those that records name
    std::vector<std::string> defines;
    std::string into;     // a file for the games in another form; empty: none
    std::string executor; // empty: the fastest available
    std::optional<std::uint64_t> line;
    bool json = false;
};

// The game of the previous record is kept: mostly all records of a file are of one rule file and its parameters.
class Games {
public:
    explicit Games(game::ExecutorKind executor) : executor_(executor) {}

    tl::expected<game::Game*, int> of(const std::string& file, const lang::Overrides& params) {
        if (game_ && file == file_ && params == params_) return &*game_;
        const auto path = find_rule_file(file);
        if (!path) return tl::unexpected(exit_failed);
        const auto loaded = load_rules(*path, params);
        if (!loaded) return tl::unexpected(loaded.error());
        file_ = file;
        params_ = params;
        game_.emplace(loaded->program, executor_);
        return &*game_;
    }

private:
    game::ExecutorKind executor_;
    std::optional<game::Game> game_;
    std::string file_;
    lang::Overrides params_;
};

std::string seats_text(const game::Game& game, const match::GameRecord& record) {
    std::vector<std::string> seats;
    for (std::size_t p = 0; p < record.players.size(); ++p)
        seats.push_back(fmt::format("{} {}", game.player_name(static_cast<std::uint32_t>(p)), record.players[p]));
    return fmt::format("{}", fmt::join(seats, ", "));
}

std::string end_text(const game::Game& game, const match::GameRecord& record) {
    if (record.end == match::End::Finished) return outcome_text(game, record.utilities);
    return record.fault.empty() ? std::string(match::end_name(record.end))
                                : fmt::format("{}: {}", match::end_name(record.end), record.fault);
}

// Shows every position of a game whose moves have been checked.
void show_game(game::Game& game, const match::GameRecord& record) {
    game::State state = record.from.empty() ? game.initial() : *game.parse_position(record.from);
    const bool colour = colour_wanted();
    say("{}\n", game.draw(state, colour));
    for (const auto& move : record.moves) {
        auto next = game.play_line(state, move);
        if (!next) break;
        state = std::move(*next);
        say("{}\n\n{}\n", move, game.draw(state, colour));
    }
}

class Replay {
public:
    explicit Replay(const ReplayOptions& options) : options_(options), games_(executor_kind(options.executor)) {}

    // The games of a text whose records name no rules.
    void read(const std::string& text, records::Format format, const std::string& rules,
              const lang::Overrides& params) {
        const auto game = games_.of(rules, params);
        if (!game) {
            code_ = game.error();
            return;
        }
        records::read(**game, rules, text, format, [&](std::size_t line, const auto& record) {
            if (record) return take(line, record);
            complain(fmt::format("{}:{}", options_.record, record.error().text));
            code_ = exit_failed;
            return !interrupted();
        });
    }

    // False: no further lines are needed.
    bool take(std::size_t line, const tl::expected<match::GameRecord, Error>& record) {
        if (interrupted()) return false;
        if (options_.line && line != *options_.line) return line < *options_.line;
        found_ = true;
        if (!record) {
            fail(line, record.error().text);
            return true;
        }
        const auto game = games_.of(options_.rules.empty() ? record->file : options_.rules, record->params);
        if (!game) { // what is wrong with its rules has been told
            fail(line, fmt::format("the rules of this game, {}, can't be used", record->file));
            return true;
        }
        if (const auto end = match::replay(**game, *record); !end)
            fail(line, end.error().text);
        else if (options_.into.empty())
            show(line, **game, *record);
        else
            return put(line, **game, *record);
        return true;
    }

    int finish() {
        if (options_.line && !found_) fail(*options_.line, "there is no such line");
        if (options_.json && options_.into.empty()) print_json(list_);
        return interrupted() ? exit_interrupted : code_;
    }

private:
    void fail(std::size_t line, const std::string& text) {
        complain(fmt::format("{}:{}: {}", options_.record, line, text));
        code_ = exit_failed;
    }

    // Adds the game to the other file. False: there is no sense in going on.
    bool put(std::size_t line, game::Game& game, const match::GameRecord& record) {
        const auto text = records::text_of(game, record, records::format_of(options_.into));
        if (!text) {
            fail(line, text.error().text);
            return true;
        }
        if (!writer_) {
            auto opened = match::RecordWriter::open(options_.into);
            if (!opened) {
                complain(opened.error().text);
                code_ = exit_failed;
                return false;
            }
            writer_.emplace(std::move(*opened));
        }
        const auto done = writer_->append_text(*text);
        if (done) return true;
        complain(done.error().text);
        code_ = exit_failed;
        return false;
    }

    void show(std::size_t line, game::Game& game, const match::GameRecord& record) {
        if (options_.json) {
            list_.push_back(Json::parse(match::record_line(record)));
            return;
        }
        say("{}: {}; {}; {} after {} plies\n", line, record.game, seats_text(game, record), end_text(game, record),
            record.moves.size());
        if (options_.line)
            show_game(game, record);
        else
            say("  {}\n", fmt::join(record.moves, ", "));
    }

    const ReplayOptions& options_;
    Games games_;
    std::optional<match::RecordWriter> writer_;
    Json list_ = Json::array();
    bool found_ = false;
    int code_ = exit_fine;
};

int cannot_read(const ReplayOptions& options, std::string_view why) {
    complain(fmt::format("can't read {}: {}", options.record, why));
    return exit_failed;
}

// The game of this title that comes with the program; empty: there is none.
tl::expected<std::string, int> rules_titled(const std::string& title) {
    const auto files = rule_files();
    if (!files) return tl::unexpected(files.error());
    for (const auto& file : *files) {
        const lang::Loaded loaded = lang::load_file(file.string(), {}, search_folders());
        if (loaded.program && loaded.program->title == title) return file.string();
    }
    return "";
}

// A file in another program's form is read as a whole.
int run_foreign(const ReplayOptions& options, records::Format format) {
    const auto params = parse_defines(options.defines);
    if (!params) return params.error();
    const auto text = read_file_or_pipe(options.record, UINT64_MAX);
    if (!text) return cannot_read(options, text.error().text);
    std::string rules = options.rules;
    if (const std::string title = records::title_in(*text, format); rules.empty() && !title.empty()) {
        auto titled = rules_titled(title);
        if (!titled) return titled.error();
        rules = std::move(*titled);
    }
    if (rules.empty()) {
        complain(fmt::format("{} does not say by which rules it was played: --rules does", options.record));
        return exit_usage;
    }
    Replay replay(options);
    replay.read(*text, format, rules, *params);
    return replay.finish();
}

int run_replay(const ReplayOptions& options) {
    const std::string read[] = {options.record, options.rules};
    if (const auto apart = check_apart(std::span(&options.into, 1), read); !apart) {
        complain(apart.error().text);
        return exit_usage;
    }
    if (const auto format = records::format_of(options.record); format != records::Format::Json)
        return run_foreign(options, format);
    // A file, which may be long, is read record by record.
    std::ifstream file;
    std::istringstream piped;
    const bool is_file = InputFile::open(options.record).has_value();
    if (is_file) {
        file.open(options.record, std::ios::binary);
        if (!file) return cannot_read(options, std::strerror(errno));
    } else {
        auto text = read_file_or_pipe(options.record, UINT64_MAX);
        if (!text) return cannot_read(options, text.error().text);
        piped.str(std::move(*text));
    }
    Replay replay(options);
    match::read_records(is_file ? static_cast<std::istream&>(file) : piped,
                        [&](std::size_t line, const auto& record) { return replay.take(line, record); });
    const int code = replay.finish();
    return file.bad() ? cannot_read(options, "an error before its end") : code;
}

} // namespace

Run add_replay(Command& program) {
    Command app = program.add_command("replay", "Read recorded games, and check them by the rules");
    auto options = std::make_shared<ReplayOptions>();
    app.add_option("RECORD", options->record, "A file that `zug match --record` wrote, or any in PGN or SGF")
        .required()
        .type_name("");
    app.add_option(
           "--rules", options->rules,
           "The rule file of the games, instead of the one that the record names; a .sgf names none, a .pgn by its "
           "tag Variant")
        .type_name("GAME");
    add_define_option(app, options->defines);
    app.add_option("-o", options->into, "Add the games to this file, as PGN or SGF if its name ends so")
        .type_name("RECORD");
    app.add_option("--line", options->line, "Only the game on this line of the file, position by position")
        .type_name("N");
    add_executor_option(app, options->executor);
    add_json_flag(app, options->json);
    add_example(app, "zug replay games.jsonl --line 1");
    add_example(app, "zug replay games.jsonl -o games.pgn");
    return [options] { return run_replay(*options); };
}

} // namespace zug::cli
