// Matches on the rule files: every game can be played, recorded and replayed; threads change nothing.

#include "lang/load.hpp"
#include "match/match.hpp"
#include "tests/library.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <memory>

using namespace zug;
using namespace zug::match;

namespace {

const std::filesystem::path rules = std::filesystem::path(ZUG_SOURCE_DIR) / "rules";

game::Game load(const std::string& file) {
    const lang::Loaded loaded = lang::load_file(file);
    REQUIRE_MESSAGE(loaded.program, file << " doesn't load");
    return game::Game(loaded.program);
}

std::vector<PlayerSpec> everyone(const game::Game& game, std::string_view text) {
    std::vector<PlayerSpec> players;
    for (std::uint32_t p = 0; p < game.players(); ++p) players.push_back(parse_player(text).value());
    return players;
}

} // namespace

TEST_CASE("games of every rule file are played, recorded and replayed") {
    // Hundreds of random games show how the scale of an evaluation is found; the tests of searches find some with
    // sanitizers, too.
    const char* thinker = test::sanitized ? "auto:nodes=50,calibration=off" : "auto:nodes=50";
    for (const auto& file : test::sample(test::library(), 2)) {
        CAPTURE(file.string());
        game::Game game = load(file.string());
        std::vector<GameRecord> records;
        MatchOptions options{.games = 2, .seed = 11, .max_plies = 300};
        options.record = [&](const GameRecord& record) {
            records.push_back(parse_record(record_line(record)).value());
        };
        const auto report = run_match(game, game.initial(), everyone(game, "random"), options);
        REQUIRE(report.has_value());
        CHECK(report->faulted == 0);
        CHECK(report->finished + report->unfinished == 2);
        for (const GameRecord& record : records) {
            const auto end = replay(game, record);
            CHECK_MESSAGE(end.has_value(), end.error().text);
        }
        MatchOptions shallow{.games = 2, .max_plies = 10};
        const auto searched = run_match(game, game.initial(), everyone(game, thinker), shallow);
        REQUIRE(searched.has_value());
        CHECK(searched->faulted == 0);
    }
}

// Few plies, because the reference executor takes its time with the larger games.
TEST_CASE("equal seeds give equal games on either executor") {
    for (const auto& file : test::sample(test::library(), 5)) {
        CAPTURE(file.string());
        game::Game fast = load(file.string());
        game::Game slow(std::make_shared<const ir::Program>(fast.program()), game::ExecutorKind::Reference);
        std::vector<std::string> lines;
        for (game::Game* game : {&fast, &slow}) {
            MatchOptions options{.games = 1, .seed = 3, .max_plies = 4};
            options.record = [&](const GameRecord& record) { lines.push_back(record_line(record)); };
            REQUIRE(run_match(*game, game->initial(), everyone(*game, "random"), options).has_value());
        }
        REQUIRE(lines.size() == 2);
        CHECK(lines[0] == lines[1]);
    }
}

TEST_CASE("the number of threads changes neither games nor report") {
    game::Game game = load((rules / "tic-tac-toe.zug").string());
    const auto players = parse_players("alphabeta:depth=3,random").value();
    const auto run = [&](std::uint32_t threads) {
        std::vector<std::string> lines;
        MatchOptions options{.games = 40, .seed = 4, .threads = threads};
        options.record = [&](const GameRecord& record) { lines.push_back(record_line(record)); };
        const Report report = run_match(game, game.initial(), players, options).value();
        std::ranges::sort(lines);
        return std::tuple(lines, report.players[0].wins, report.players[0].utility.mean(), report.plies.deviation(),
                          report.distinct);
    };
    CHECK(run(1) == run(3));
}

TEST_CASE("a match from another position records it") {
    game::Game game = load((rules / "tic-tac-toe.zug").string());
    const auto start = game.play_line(game.initial(), "b2 a1");
    REQUIRE(start.has_value());
    MatchOptions options{.games = 2};
    std::vector<GameRecord> records;
    options.record = [&](const GameRecord& record) { records.push_back(record); };
    REQUIRE(run_match(game, *start, everyone(game, "random"), options).has_value());
    for (const GameRecord& record : records) {
        CHECK(!record.from.empty());
        CHECK(replay(game, record).has_value());
    }
}
