#include "match/book_maker.hpp"

#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "search/settings.hpp"
#include "solve/database/query.hpp"

#include <memory>
#include <sstream>

namespace zug::cli {

namespace {

struct BookOptions {
    GameOptions game;
    std::vector<std::string> records;
    std::string solved, method; // empty: not asked for
    std::uint32_t plies = 8;
    std::uint64_t least = 1;
    std::string output; // empty: standard output
};

int failed(const std::string& text) {
    complain(text);
    return interrupted() ? exit_interrupted : exit_failed;
}

// Records of other games are refused, and so are those that the rules do not allow.
tl::expected<void, Error> add_records(match::BookMaker& maker, game::Game& game, const BookOptions& options) {
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32;
    for (const std::string& file : options.records) {
        auto text = read_file_or_pipe(file, most_bytes);
        if (!text) return failure(fmt::format("{}: {}", file, text.error().text));
        std::istringstream in(std::move(*text));
        tl::expected<void, Error> done;
        match::read_records(in, [&](std::size_t line, const auto& record) {
            if (interrupted()) return false;
            const auto end = record ? match::replay(game, *record) : tl::unexpected(record.error());
            if (end)
                maker.add(game, *record, options.plies);
            else
                done = failure(fmt::format("{}:{}: {}", file, line, end.error().text));
            return done.has_value();
        });
        if (!done) return done;
    }
    return {};
}

std::string positions_text(const match::BookMaker& maker) {
    return fmt::format("{} positions in the book", grouped(maker.positions()));
}

using Chosen = tl::expected<std::vector<std::size_t>, Error>;

// All moves that are as good as the best, and as quick where the game ends.
Chosen best_of(solve::Database& database, game::Game& game, const game::State& state) {
    const auto answer = solve::answer(database, game, state);
    if (!answer) return tl::unexpected(answer.error());
    std::vector<std::size_t> best;
    for (const solve::MoveStanding& move : answer->moves)
        if (const solve::Standing& first = answer->moves.front().standing;
            move.standing.value == first.value && move.standing.remoteness == first.remoteness)
            best.push_back(move.index);
    return best;
}

tl::expected<void, Error> add_solved(match::BookMaker& maker, game::Game& game, const BookOptions& options) {
    auto database = solve::Database::open_in(options.solved, game);
    if (!database) return tl::unexpected(database.error());
    Progress line;
    return maker.explore(game, options.plies, [&](const game::State& state, const game::MoveList&) -> Chosen {
        if (interrupted()) return failure("stopped");
        if (line.due()) line.show(positions_text(maker));
        return best_of(*database, game, state);
    });
}

tl::expected<void, Error> add_searched(match::BookMaker& maker, game::Game& game, const BookOptions& options) {
    const auto settings = search::parse_settings(options.method);
    if (!settings) return tl::unexpected(settings.error());
    if (!settings->limited()) return failure("--search needs a limit, as in alphabeta:time=1s");
    const auto method = settings->method.value_or(search::automatic(game.traits()));
    search::Searcher searcher(game, method, settings->options);
    search::Limits limits = settings->limits();
    limits.stop = &interrupted();
    Progress line;
    return maker.explore(game, options.plies, [&](const game::State& state, const game::MoveList& moves) -> Chosen {
        if (line.due()) line.show(positions_text(maker));
        const search::Result result = searcher.run(state, limits);
        if (!result.fault.empty()) return failure(result.fault);
        if (interrupted()) return failure("stopped");
        const auto best = result.pv_ids.empty() ? std::nullopt : moves.find(result.pv_ids.front());
        return best ? std::vector<std::size_t>{*best} : std::vector<std::size_t>{};
    });
}

tl::expected<void, Error> check_files(const BookOptions& options) {
    if (options.output.empty()) return {};
    if (const auto writable = check_writable(options.output); !writable) return writable;
    std::vector<std::string> read = options.records;
    read.push_back(rule_file_named(options.game.file).value_or(""));
    return check_apart(std::span(&options.output, 1), read);
}

int run_book(const BookOptions& options) {
    auto open = open_game(options.game);
    if (!open) return open.error();
    if (const auto fine = check_files(options); !fine) return failed(fine.error().text);
    match::BookMaker maker(open->game);
    const auto made = !options.records.empty()  ? add_records(maker, open->game, options)
                      : !options.solved.empty() ? add_solved(maker, open->game, options)
                                                : add_searched(maker, open->game, options);
    if (!made) return failed(made.error().text);
    if (interrupted()) return exit_interrupted;
    const std::string text = maker.text(options.least);
    if (options.output.empty()) {
        write(text);
        return exit_fine;
    }
    const auto written = write_file(options.output, text);
    return written ? exit_fine : failed(written.error().text);
}

} // namespace

Run add_book(Command& program) {
    Command app = program.add_command("book", "Make an opening book of records, a database or searches");
    auto options = std::make_shared<BookOptions>();
    add_game_options(app, options->game);
    Argument records = app.add_option("--records", options->records,
                                      "Of the games in these files, which `zug match "
                                      "--record` wrote: moves by how well they scored")
                           .type_name("RECORD ...");
    Argument solved = app.add_option("--solved", options->solved,
                                     "Of the database in this folder, which `zug solve -o` made: all best moves")
                          .type_name("DIR");
    Argument method =
        app.add_option("--search", options->method, "Of the best moves that this method finds, as in alphabeta:time=1s")
            .type_name("METHOD");
    records.excludes(solved);
    records.excludes(method);
    solved.excludes(method);
    app.add_option("--plies", options->plies, "How long its lines are").type_name("N");
    app.add_option("--least", options->least, "Leave out moves of fewer games").type_name("N");
    app.add_option("-o", options->output, "Write the book to this file").type_name("BOOK");
    add_example(app, "zug book tic-tac-toe --search alphabeta:depth=9 --plies 3 -o openings.txt");
    return [options] {
        if (!options->records.empty() || !options->solved.empty() || !options->method.empty())
            return run_book(*options);
        complain("a book is made of something: --records, --solved or --search");
        return exit_usage;
    };
}

} // namespace zug::cli
