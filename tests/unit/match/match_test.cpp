// Games and matches: seats, seeds, counting, ends of all kinds.

#include "../search/games.hpp"
#include "match/match.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace zug;
using namespace zug::match;

namespace {

std::vector<PlayerSpec> named(std::string_view text) { return parse_players(text).value(); }

struct Played {
    Report report;
    std::vector<GameRecord> records;
};

Played play(game::Game& game, std::string_view players, MatchOptions options) {
    Played played;
    options.record = [&](const GameRecord& record) { played.records.push_back(record); };
    auto report = run_match(game, game.initial(), named(players), options);
    REQUIRE_MESSAGE(report.has_value(), report.error().text);
    played.report = *report;
    return played;
}

game::Game tic_tac_toe() { return game::Game(std::make_unique<test::TicTacToe>()); }

} // namespace

TEST_CASE("seats rotate so that each player has each seat equally often") {
    for (const std::size_t players : {1U, 2U, 3U, 5U})
        for (std::uint64_t round = 0; round < 3; ++round)
            for (std::size_t k = 0; k < players; ++k) {
                std::set<std::size_t> seats;
                for (std::uint64_t i = round * players; i < (round + 1) * players; ++i)
                    for (std::size_t seat = 0; seat < players; ++seat)
                        if (player_in_seat(seat, i, players) == k) seats.insert(seat);
                CHECK(seats.size() == players);
            }
    game::Game game = tic_tac_toe();
    const Played played = play(game, "random,alphabeta:depth=2", {.games = 4});
    for (const GameRecord& record : played.records)
        CHECK(record.players[record.index % 2] == "random"); // player 0 starts the even games
}

TEST_CASE("a match counts wins, draws, losses and utilities by player and by seat") {
    game::Game game = tic_tac_toe();
    const Played played = play(game, "alphabeta:depth=9,random", {.games = 60, .seed = 3});
    const Report& report = played.report;
    CHECK(report.finished == 60);
    CHECK(report.players[0].name == "alphabeta:depth=9");
    CHECK(report.players[0].losses == 0);
    CHECK(report.players[0].wins > 40);
    CHECK(report.players[0].wins == report.players[1].losses);
    CHECK(report.players[0].draws == report.players[1].draws);
    // Once more, from the records.
    std::uint64_t wins = 0, seat_wins = 0;
    double sum = 0;
    std::size_t plies = 0;
    for (const GameRecord& record : played.records) {
        const std::size_t seat = record.players[0] == "random" ? 1 : 0;
        wins += record.utilities[seat] == 1 ? 1 : 0;
        seat_wins += record.utilities[0] == 1 ? 1 : 0;
        sum += record.utilities[seat];
        plies += record.moves.size();
    }
    CHECK(report.players[0].wins == wins);
    CHECK(report.players[0].utility.sum() == doctest::Approx(sum));
    CHECK(report.seats[0].wins == seat_wins);
    CHECK(report.plies.mean() == doctest::Approx(static_cast<double>(plies) / 60));
    REQUIRE(report.elo().has_value());
    CHECK(report.elo()->difference > 100);
    CHECK(report.distinct > 20);
}

TEST_CASE("a seed repeats a match, and each of its games on its own") {
    game::Game game = tic_tac_toe();
    const MatchOptions options{.games = 10, .seed = 5};
    const Played once = play(game, "random,random", options), again = play(game, "random,random", options);
    const Played other = play(game, "random,random", {.games = 10, .seed = 6});
    std::set<std::uint64_t> seeds;
    for (std::size_t i = 0; i < 10; ++i) {
        CHECK(record_line(once.records[i]) == record_line(again.records[i]));
        seeds.insert(once.records[i].seed);
    }
    CHECK(seeds.size() == 10);
    CHECK(once.records[0].moves != other.records[0].moves);
    // Game 7 alone, with players that have played nothing else.
    const auto specs = named("random,random");
    std::vector<std::unique_ptr<Player>> players;
    std::vector<Player*> seats;
    for (std::size_t seat = 0; seat < 2; ++seat)
        players.push_back(make_player(specs[player_in_seat(seat, 7, 2)], game));
    for (auto& player : players) seats.push_back(player.get());
    const GameRecord alone = play_game(game, game.initial(), seats, game_options(options, 7, 2));
    CHECK(alone.moves == once.records[7].moves);
    CHECK(alone.seed == once.records[7].seed);
}

TEST_CASE("players who repeat themselves are seen to, and a random opening helps") {
    game::Game game = tic_tac_toe();
    CHECK(play(game, "alphabeta:depth=3,alphabeta:depth=2", {.games = 20}).report.distinct <= 2);
    const Played opened = play(game, "alphabeta:depth=3,alphabeta:depth=2", {.games = 20, .opening_plies = 2});
    CHECK(opened.report.distinct > 5);
    for (std::size_t i = 0; i < 20; i += 2) // both games of a rotation begin alike
        for (std::size_t ply = 0; ply < 2; ++ply)
            CHECK(opened.records[i].moves[ply] == opened.records[i + 1].moves[ply]);
}

TEST_CASE("chance events follow their weights") {
    std::vector<test::GraphNode> nodes(4);
    nodes[0] = {.kind = test::NodeKind::Chance, .children = {1, 2, 3}, .weights = {1, 2, 1}};
    nodes[1].values = {1, -1};
    nodes[2].values = {0, 0};
    nodes[3].values = {-1, 1};
    game::Game game(std::make_unique<test::GraphGame>(test::Facts{.chance = true}, nodes));
    const Report report = play(game, "random,random", {.games = 4000}).report;
    CHECK(report.seats[0].wins == doctest::Approx(1000).epsilon(0.1));
    CHECK(report.seats[0].draws == doctest::Approx(2000).epsilon(0.1));
    CHECK(report.seats[0].losses == doctest::Approx(1000).epsilon(0.1));
}

TEST_CASE("with three players the most wins, and sharing the most draws") {
    std::vector<test::GraphNode> nodes(2);
    nodes[0] = {.kind = test::NodeKind::Decision, .children = {1}};
    const auto result = [&](std::vector<double> values) {
        nodes[0].values = nodes[1].values = std::move(values);
        const test::Facts facts{.players = 3, .zero_sum = false, .lo = 0, .hi = 9};
        game::Game game(std::make_unique<test::GraphGame>(facts, nodes));
        return play(game, "random,random,random", {.games = 3}).report;
    };
    const Report win = result({1, 5, 2});
    CHECK(win.seats[1].wins == 3);
    CHECK(win.seats[0].losses == 3);
    for (const Score& player : win.players) {
        CHECK(player.wins == 1);
        CHECK(player.utility.mean() == doctest::Approx(8.0 / 3));
    }
    const Report draw = result({5, 5, 2});
    CHECK(draw.seats[0].draws == 3);
    CHECK(draw.seats[1].draws == 3);
    CHECK(draw.seats[2].losses == 3);
    CHECK_FALSE(draw.elo().has_value());
}

TEST_CASE("games without end stop at the ply limit and are not scored") {
    game::Game game(std::make_unique<test::Endless>(100));
    const Played played = play(game, "random,random", {.games = 3, .max_plies = 50});
    CHECK(played.report.unfinished == 3);
    CHECK(played.report.finished == 0);
    CHECK(played.report.players[0].utility.count() == 0);
    CHECK(played.records[0].end == End::PlyLimit);
    CHECK(played.records[0].moves.size() == 50);
}

TEST_CASE("a rule that fails ends its game, is reported, and the match goes on") {
    std::vector<test::GraphNode> nodes(3);
    nodes[0] = {.kind = test::NodeKind::Decision, .children = {1, 2}, .values = {0, 0}};
    nodes[1] = {.kind = test::NodeKind::Fault, .values = {0, 0}};
    nodes[2].values = {1, -1};
    game::Game game(std::make_unique<test::GraphGame>(test::Facts{}, nodes));
    const Played played = play(game, "random,random", {.games = 40});
    CHECK(played.report.faulted > 5);
    CHECK(played.report.finished > 5);
    CHECK(played.report.faulted + played.report.finished == 40);
    REQUIRE(played.report.first_fault.has_value());
    CHECK(played.report.first_fault->find("a node that fails") != std::string::npos);
    for (const GameRecord& record : played.records)
        if (record.end == End::Fault) CHECK(record.moves.size() == 1);
    // A search meets the fault before any game gets there.
    CHECK(play(game, "alphabeta:depth=2,random", {.games = 2}).report.faulted >= 1);
}

TEST_CASE("the stop flag ends a match with what was played") {
    std::atomic<bool> stop = false;
    game::Game game = tic_tac_toe();
    MatchOptions options{.games = 1000, .stop = &stop};
    std::uint64_t ended = 0;
    options.record = [&](const GameRecord&) { stop = ++ended == 10; };
    const auto report = run_match(game, game.initial(), named("random,random"), options);
    REQUIRE(report.has_value());
    CHECK(report->finished == 10);
    CHECK(report->stopped);
    CHECK(report->asked == 1000);
}

TEST_CASE("players must suit the game") {
    game::Game game = tic_tac_toe();
    CHECK(run_match(game, game.initial(), named("random"), {}).error().text == "Test has 2 players, and 1 was named");
    game::Game three(std::make_unique<test::Nim>(std::vector<std::uint64_t>{3, 3}, 3));
    CHECK(run_match(three, three.initial(), named("random,random,minimax:depth=2"), {}).error().text ==
          "player `minimax:depth=2`: minimax is for at most two players, and this game has 3; use maxn");
}

TEST_CASE("partners win together, and a program may play for a whole team") {
    std::vector<test::GraphNode> nodes(3); // the first player chooses who wins
    nodes[0] = {.kind = test::NodeKind::Decision, .children = {1, 2}};
    nodes[1].values = {1, -1, 1, -1};
    nodes[2].values = {-1, 1, -1, 1};
    const test::Facts facts{.players = 4, .teams = {0, 1, 0, 1}};
    game::Game game(std::make_unique<test::GraphGame>(facts, nodes));

    const Played by_team = play(game, "alphabeta:depth=2,random", {.games = 40});
    for (const GameRecord& record : by_team.records) {
        CHECK(record.players.size() == 4);
        CHECK(record.players[0] == record.players[2]);
        CHECK(record.players[0] != record.players[1]);
    }
    REQUIRE(by_team.report.players.size() == 2);
    REQUIRE(by_team.report.seats.size() == 2);
    CHECK(by_team.report.seats[1].name == "P1 and P3");
    CHECK(by_team.report.drawn == 0);
    CHECK(by_team.report.players[0].wins + by_team.report.players[1].wins == 40);
    CHECK(by_team.report.players[0].wins > 20); // all games in which it has the choice, and some others
    CHECK(by_team.report.elo());

    const Played by_player = play(game, "alphabeta:depth=2,random,random,random", {.games = 40});
    REQUIRE(by_player.report.seats.size() == 4);
    CHECK(by_player.report.drawn == 0);
    CHECK(by_player.report.seats[0].wins == by_player.report.seats[2].wins);
    CHECK(by_player.report.seats[0].wins == by_player.report.seats[1].losses);

    CHECK(run_match(game, game.initial(), named("random,random,random"), {}).error().text ==
          "Test has 4 players in 2 teams, and 3 were named");
}

TEST_CASE("games added in any order add up alike") {
    game::Game game = tic_tac_toe();
    const auto line = [](const Report& report) {
        return std::pair(report.players[0].utility.mean(), report.plies.deviation());
    };
    const Played one = play(game, "random,random", {.games = 50, .seed = 2});
    const Played same = play(game, "random,random", {.games = 50, .seed = 2, .threads = 1});
    CHECK(line(one.report) == line(same.report));
}
