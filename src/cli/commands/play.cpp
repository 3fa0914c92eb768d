#include "match/play.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/play/saved_game.hpp"
#include "cli/play/session.hpp"

#include <fmt/ranges.h>
#include <memory>
#include <optional>
#include <strings.h>

namespace zug::cli {

namespace {

struct PlayOptions {
    GameOptions game;
    std::vector<std::string> as;
    std::string against = "auto";
    std::string players;
    bool hotseat = false, ascii = false;
    std::string load, save; // records
    std::uint64_t seed = 0;
};

using Specs = std::vector<match::PlayerSpec>;

tl::unexpected<int> wrong(std::string_view text) {
    complain(text);
    return tl::unexpected(exit_usage);
}

std::optional<std::uint32_t> player_named(const game::Game& game, const std::string& name) {
    for (std::uint32_t p = 0; p < game.players(); ++p)
        if (strcasecmp(game.player_name(p).c_str(), name.c_str()) == 0) return p;
    return std::nullopt;
}

// The seats from --as, --against and --hotseat. By default a person plays the first player.
tl::expected<Specs, int> seats_of_person(const game::Game& game, const PlayOptions& options) {
    const auto person = match::parse_player("human");
    const auto other = match::parse_player(options.hotseat ? "human" : options.against);
    if (!other) return wrong(other.error().text);
    Specs specs(game.players(), *other);
    if (options.as.empty()) specs[0] = *person;
    for (const auto& name : options.as) {
        const auto player = player_named(game, name);
        if (!player)
            return wrong(fmt::format("there is no player `{}` in {}; there is {}", name, game.program().title,
                                     fmt::join(game.program().players, ", ")));
        specs[*player] = *person;
    }
    return specs;
}

tl::expected<Specs, int> seats_of(const game::Game& game, const PlayOptions& options) {
    if (options.players.empty()) return seats_of_person(game, options);
    auto specs = match::parse_players(options.players);
    if (!specs) return wrong(specs.error().text);
    if (specs->size() != game.players())
        return wrong(fmt::format("{} has {} players, and --players names {}", game.program().title, game.players(),
                                 specs->size()));
    return *specs;
}

tl::expected<Seat, int> seat_of(game::Game& game, match::PlayerSpec spec) {
    if (spec.kind == match::PlayerKind::Human) return Seat{spec.text, nullptr};
    match::suit_people(spec);
    if (const std::string why = match::unsuitable(spec, game); !why.empty()) return wrong(why);
    return Seat{spec.text, match::make_player(spec, game)};
}

int play(const PlayOptions& options) {
    const auto file = find_rule_file(options.game.file);
    if (!file) return file.error();
    auto open = open_to_play(options.game);
    if (!open) return open.error();
    if (const auto fine = check_save(open->game, *file, options.save); !fine) {
        complain(fine.error().text);
        return exit_failed;
    }
    const auto specs = seats_of(open->game, options);
    if (!specs) return specs.error();
    std::vector<Seat> seats;
    for (const auto& spec : *specs) {
        auto seat = seat_of(open->game, spec);
        if (!seat) return seat.error();
        seats.push_back(std::move(*seat));
    }
    Session session({.game = open->game,
                     .start = open->start,
                     .seats = std::move(seats),
                     .seed = options.seed,
                     .file = *file,
                     .save = options.save,
                     .ascii = options.ascii,
                     .sources = open->sources});
    if (options.load.empty()) return session.run();
    if (const auto loaded = session.load(options.load); !loaded) {
        complain(loaded.error().text);
        return exit_failed;
    }
    return session.run();
}

} // namespace

Run add_play(Command& program) {
    Command app = program.add_command("play", "Play a game: you, your friends, programs");
    auto options = std::make_shared<PlayOptions>();
    add_game_options(app, options->game);
    app.add_option("--as", options->as, "The player that you take, as the game names it: X; can be repeated")
        .type_name("NAME")
        .one_value_each_time();
    app.add_option("--against", options->against, "Who plays the other seats: random, alphabeta:depth=6, ...")
        .type_name("PLAYER")
        .show_default();
    app.add_flag("--hotseat", options->hotseat, "People at this keyboard play every seat");
    app.add_option("--players", options->players, "Who plays each seat: human,alphabeta:depth=6")
        .type_name("A,B,...")
        .excludes(app.get("--as"))
        .excludes(app.get("--against"))
        .excludes(app.get("--hotseat"));
    add_start_options(app, options->game);
    app.add_option("--load", options->load,
                   "Go on with a game that was saved, the last one of a record; .pgn and .sgf are read too")
        .type_name("RECORD")
        .excludes(app.get("--position"))
        .excludes(app.get("--moves"));
    app.add_option("--save", options->save,
                   "Put the game in this file when it is over, or left; see `save` at the prompt")
        .type_name("RECORD");
    Argument seed =
        app.add_option("--seed", options->seed, "Repeat the chance events and random moves of another game");
    seed.type_name("N");
    app.add_flag("--ascii", options->ascii, "Draw boards without characters that only some terminals have");
    add_example(app, "zug play tic-tac-toe --as O --against alphabeta:depth=9");
    return [options, seed] {
        // Without a seed, every game is different.
        if (seed.count() == 0)
            options->seed = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
        return play(*options);
    };
}

} // namespace zug::cli
