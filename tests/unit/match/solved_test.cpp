// A player with a database never loses a game that best play draws.

#include "lang/load.hpp"
#include "match/match.hpp"
#include "solve/database/database_writer.hpp"
#include "tests/sanitized.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <unistd.h>

namespace zug::match {

TEST_CASE("a solved game is not lost in 10,000 games") {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("zug-match-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    for (const char* name : {"tic-tac-toe", "misere-tic-tac-toe", "mu-torere"}) {
        CAPTURE(name);
        const auto loaded = lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/" + name + ".zug");
        REQUIRE(loaded.program);
        game::Game game(loaded.program);
        solve::DatabaseWriter writer(folder / solve::file_name(solve::identity_of(game)), game);
        REQUIRE(solve::solve(game, game.initial(), {}, &writer));
        // Teasing looks at thousands of positions for a move.
        for (const auto& [settings, games] : {std::pair("", 3'334U), {",tease=on", 100U}}) {
            CAPTURE(settings);
            MatchOptions options;
            options.games = test::sanitized ? games / 10 : games;
            const auto players = parse_players("solved:" + folder.string() + settings + ",random");
            REQUIRE(players);
            const auto report = run_match(game, game.initial(), *players, options);
            REQUIRE(report);
            CHECK(report->finished == options.games);
            CHECK(report->players[0].losses == 0);
            CHECK(report->players[0].wins > 0);
        }
    }
    fs::remove_all(folder);
    game::Game game(lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/tic-tac-toe.zug").program);
    CHECK(unsuitable(parse_player("solved:nowhere").value(), game).find("nowhere") != std::string::npos);
    CHECK(!parse_player("solved"));
}

} // namespace zug::match
