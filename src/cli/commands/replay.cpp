#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/outcome.hpp"
#include "match/record.hpp"

#include <cerrno>
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
    std::string executor; // empty: the fastest available
    std::optional<std::uint64_t> line;
    bool json = false;
};

// The game of the previous record is kept: mostly all records of a file are of one rule file and its parameters.
class Games {
public:
    explicit Games(game::ExecutorKind executor) : executor_(executor) {}

    tl::expected<game::Game*, int> of(const match::GameRecord& record) {
        if (game_ && record.file == file_ && record.params == params_) return &*game_;
        const auto path = find_rule_file(record.file);
        if (!path) return tl::unexpected(exit_failed);
        const auto loaded = load_rules(*path, record.params);
        if (!loaded) return tl::unexpected(loaded.error());
        file_ = record.file;
        params_ = record.params;
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

    // False: no further lines are needed.
    bool take(std::size_t line, const tl::expected<match::GameRecord, Error>& record) {
        if (interrupted()) return false;
        if (options_.line && line != *options_.line) return line < *options_.line;
        found_ = true;
        if (!record) {
            fail(line, record.error().text);
            return true;
        }
        const auto game = games_.of(*record);
        if (!game) {
            code_ = game.error();
            return false;
        }
        if (const auto end = match::replay(**game, *record); !end)
            fail(line, end.error().text);
        else
            show(line, **game, *record);
        return true;
    }

    int finish() {
        if (options_.line && !found_) fail(*options_.line, "there is no such line");
        if (options_.json) print_json(list_);
        return interrupted() ? exit_interrupted : code_;
    }

private:
    void fail(std::size_t line, const std::string& text) {
        complain(fmt::format("{}:{}: {}", options_.record, line, text));
        code_ = exit_failed;
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
    Json list_ = Json::array();
    bool found_ = false;
    int code_ = exit_fine;
};

int cannot_read(const ReplayOptions& options, std::string_view why) {
    complain(fmt::format("can't read {}: {}", options.record, why));
    return exit_failed;
}

int run_replay(const ReplayOptions& options) {
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
    app.add_option("RECORD", options->record, "A file that `zug match --record` wrote").required().type_name("");
    app.add_option("--line", options->line, "Only the game on this line of the file, position by position")
        .type_name("N");
    add_executor_option(app, options->executor);
    add_json_flag(app, options->json);
    add_example(app, "zug replay games.jsonl --line 1");
    return [options] { return run_replay(*options); };
}

} // namespace zug::cli
