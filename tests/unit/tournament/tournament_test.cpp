// Tournaments as a whole: counting, openings, threads, resumption, ends of all kinds.

#include "games.hpp"
#include "tournament/report/report.hpp"

#include <algorithm>
#include <map>
#include <set>

using namespace zug;
using namespace zug::test;

namespace {

// Everything that does not depend on time.
std::string table(Standings standings) {
    standings.seconds = 0;
    standings.resumed = 0;
    for (PlayerTotals& player : standings.players) player.seconds = player.longest = 0;
    return report_json(standings).dump(1) + report_csv(standings);
}

std::vector<GameSetup> some_games() {
    std::vector<GameSetup> games;
    games.push_back(graph(2, 1));
    games.push_back(graph(3, 2, true));
    games.push_back(graph(1, 3, true));
    return games;
}

constexpr const char* three_players = "random,maxn:depth=1,maxn:depth=3";

} // namespace

TEST_CASE("partners are not compared with each other") {
    const RandomGraph shape{.facts = {.players = 4, .teams = {0, 1, 0, 1}}, .nodes = 60};
    Random random(1);
    std::vector<GameSetup> games;
    games.push_back(setup(std::make_unique<GraphGame>(shape.facts, random_nodes(shape, random)), "pairs"));
    Contest contest(std::move(games), "random,random,random,alphabeta:depth=3");
    contest.schedule.games = 1;
    const Standings standings = contest.run();
    REQUIRE(standings.finished() > 0);
    const auto pairs = standings.pairs();
    std::uint64_t comparisons = 0;
    for (std::size_t k = 0; k < 4; ++k) comparisons += pairs.row(k).count();
    CHECK(comparisons == standings.finished() * 4 * 2); // each with the two opponents
}

TEST_CASE("wins, draws and losses of a pair add up, in all games and by seat") {
    std::vector<GameSetup> games;
    games.push_back(setup(std::make_unique<TicTacToe>(), "tic-tac-toe"));
    Contest contest(std::move(games), "alphabeta:depth=9,random,alphabeta:depth=9");
    contest.schedule.games = 20;
    const Standings standings = contest.run();
    CHECK(standings.finished() == 60);
    CHECK(standings.counted == standings.asked);
    CHECK(contest.records.size() == 60);
    const auto pairs = standings.pairs();
    CHECK(pairs.at(0, 2).draws == 20); // perfect play against itself
    CHECK(pairs.at(0, 1).losses == 0);
    CHECK(pairs.at(0, 1).wins == pairs.at(1, 0).losses);
    CHECK(pairs.row(1).count() == 40);
    CHECK(standings.games[0].by_seat.at(1, 0).count() == 20);
    CHECK(standings.games[0].by_seat.row(1).points() == pairs.row(1).points());
    CHECK(standings.games[0].by_seat.column(0).wins == standings.games[0].by_seat.column(1).losses);
    CHECK(standings.players[2].name == "alphabeta:depth=9 (2)");
    const Ratings ratings = standings.ratings();
    CHECK(ratings.order()[2] == 1);
    CHECK(ratings.difference(0, 1).interval.low > 0);
    std::uint64_t blocks = 0;
    for (const auto& [block, count] : standings.games[0].blocks) blocks += count;
    CHECK(blocks == 30);
    for (const PlayerTotals& player : standings.players) {
        CHECK(player.games == 40);
        CHECK(player.moves >= 40 * 2);
        CHECK(player.longest <= player.seconds);
    }
}

TEST_CASE("a block's games begin alike, other rounds otherwise, and all pairs play the same openings") {
    std::vector<GameSetup> games;
    games.push_back(setup(std::make_unique<TicTacToe>(), "tic-tac-toe"));
    Contest contest(std::move(games), "random,random,random");
    contest.schedule.games = 40;
    contest.options.opening_plies = 3;
    contest.run();
    std::map<std::uint64_t, std::set<std::vector<std::string>>> openings; // by round: six games each
    for (const auto& record : contest.records)
        openings[record.index / 6].insert({record.moves.begin(), record.moves.begin() + 3});
    CHECK(openings.size() == 20);
    std::set<std::vector<std::string>> different;
    for (const auto& [round, lines] : openings) {
        CHECK(lines.size() == 1);
        different.insert(*lines.begin());
    }
    CHECK(different.size() > 15);
}

TEST_CASE("given openings are played in turn, before random plies, and recorded so that they can be replayed") {
    std::vector<GameSetup> games;
    games.push_back(setup(std::make_unique<TicTacToe>(), "tic-tac-toe"));
    auto openings = parse_openings("# corners and edges\n0 4\n\nmoves 1, 3\r\n 8\n", games[0].game);
    REQUIRE_MESSAGE(openings.has_value(), openings.error().text);
    CHECK(openings->size() == 3);
    games[0].openings = *openings;
    Contest contest(std::move(games), "random,alphabeta:depth=2");
    contest.schedule.games = 8;
    contest.options.opening_plies = 1;
    contest.run();
    std::ranges::sort(contest.records, {}, &match::GameRecord::index);
    for (const auto& record : contest.records) {
        const std::vector<std::string> starts[] = {{"0", "4"}, {"1", "3"}, {"8"}};
        const auto& start = starts[record.index / 2 % 3];
        REQUIRE(record.moves.size() > start.size());
        CHECK(std::equal(start.begin(), start.end(), record.moves.begin()));
        const auto& twin = contest.records[record.index ^ 1];
        CHECK(record.moves[start.size()] == twin.moves[start.size()]); // the random ply
        CHECK(match::replay(contest.games[0].game, record).has_value());
    }
}

TEST_CASE("wrong openings are refused with their line") {
    game::Game game(std::make_unique<TicTacToe>());
    const auto why = [&](std::string_view text) { return parse_openings(text, game).error().text; };
    CHECK(why("") == "there is no opening in it");
    CHECK(why("# nothing\n\n") == "there is no opening in it");
    CHECK(why("0 1\n0 0\n").starts_with("line 2: move 2: "));
    CHECK(why("0 3 1 4 2") == "line 1: the game is over after this opening");
    CHECK(why("position nonsense").starts_with("line 1: "));
    CHECK(openings_digest(*parse_openings("0 1", game)) == openings_digest(*parse_openings("#\n0, 1\n", game)));
    CHECK(openings_digest(*parse_openings("0 1", game)) != openings_digest(*parse_openings("0 2", game)));
}

TEST_CASE("the table does not depend on the number of threads") {
    Contest one(some_games(), three_players), two(some_games(), three_players);
    for (Contest* contest : {&one, &two}) contest->schedule.games = 12;
    two.options.threads = 3;
    const std::string expected = table(one.run());
    CHECK(table(two.run()) == expected);
    CHECK(expected.find("nan") == std::string::npos);
    CHECK(expected.find("inf") == std::string::npos);
}

TEST_CASE("whatever games are there already, the rest gives the table of an uninterrupted run") {
    Contest whole(some_games(), three_players);
    whole.schedule.games = 12;
    const std::string expected = table(whole.run());
    for (const std::uint64_t every : {2U, 3U, 7U}) {
        Contest rest(some_games(), three_players);
        rest.schedule.games = 12;
        EarlierGames earlier;
        for (const auto& record : whole.records)
            if (record.index % every == 0) earlier.emplace_back(record.index, outcome_of(record));
        const Standings standings = rest.run(std::move(earlier));
        CHECK(standings.resumed + rest.records.size() == whole.records.size());
        CHECK(table(standings) == expected);
    }
    EarlierGames all;
    for (const auto& record : whole.records) all.emplace_back(record.index, outcome_of(record));
    Contest none(some_games(), three_players);
    none.schedule.games = 12;
    CHECK(table(none.run(std::move(all))) == expected);
    CHECK(none.records.empty());
}

TEST_CASE("in games of one player the utilities of a round are compared") {
    // Nobody else moves: the deeper search gets at least as much.
    std::vector<GameSetup> games;
    games.push_back(graph(1, 5));
    Contest contest(std::move(games), "random,maxn:depth=30");
    contest.schedule.games = 10;
    const Standings standings = contest.run();
    CHECK(standings.finished() == 20);
    const auto pairs = standings.pairs();
    CHECK(pairs.at(1, 0).count() == 10);
    CHECK(pairs.at(1, 0).losses == 0);
    CHECK(standings.games[0].utility[1].mean() >= standings.games[0].utility[0].mean());
    CHECK(standings.games[0].by_seat.at(0, 0).count() == 0);
}

TEST_CASE("two players in a game of three share the seats, and only the different ones are compared") {
    std::vector<GameSetup> games;
    games.push_back(setup(std::make_unique<Nim>(std::vector<std::uint64_t>{3, 2}, 3), "nim"));
    Contest contest(std::move(games), "random,maxn:depth=20");
    contest.schedule.games = 30;
    const Standings standings = contest.run();
    CHECK(standings.finished() == 60);
    CHECK(standings.pairs().at(0, 1).count() == 120); // each game has two such pairs of seats
    CHECK(standings.pairs().at(0, 0).count() == 0);
    CHECK(standings.pairs().at(1, 0).wins > standings.pairs().at(1, 0).losses);
}

TEST_CASE("the sequential test stops a clear tournament early, at the same game with any number of threads") {
    const auto decided = [](std::uint32_t threads, const char* players) {
        std::vector<GameSetup> games;
        games.push_back(graph(2, 8));
        Contest contest(std::move(games), players);
        contest.schedule.games = 20'000;
        contest.options.threads = threads;
        contest.options.sprt = SprtOptions{.elo0 = 0, .elo1 = 100};
        std::atomic<bool> stop = false;
        contest.options.stop = &stop;
        Standings standings = contest.run();
        CHECK_FALSE(standings.stopped);
        CHECK(standings.counted < 20'000);
        CHECK(standings.sprt->blocks() * 2 == standings.counted);
        return standings;
    };
    const Standings better = decided(1, "minimax:depth=12,random");
    CHECK(better.sprt->decision == SprtDecision::AcceptH1);
    CHECK(table(decided(3, "minimax:depth=12,random")) == table(better));
    CHECK(decided(1, "random,minimax:depth=12").sprt->decision == SprtDecision::AcceptH0);
}

TEST_CASE("games that don't end or that fail are counted and not scored") {
    std::vector<GameSetup> games;
    games.push_back(setup(std::make_unique<Endless>(100), "endless"));
    const std::vector<GraphNode> nodes{{.kind = NodeKind::Decision, .children = {1, 2}, .values = {0, 0}},
                                       {.values = {1, -1}},
                                       {.kind = NodeKind::Fault, .values = {0, 0}}};
    games.push_back(setup(std::make_unique<GraphGame>(Facts{}, nodes), "faulty"));
    Contest contest(std::move(games), "random,random");
    contest.schedule.games = 20;
    contest.options.max_plies = 50;
    const Standings standings = contest.run();
    CHECK(standings.counted == 40);
    CHECK(standings.games[0].ply_limit == 20);
    CHECK(standings.games[1].faulted > 0);
    CHECK(standings.games[1].finished + standings.games[1].faulted == 20);
    CHECK(standings.players[0].faulted == standings.games[1].faulted);
    REQUIRE(standings.first_fault.has_value());
    CHECK(standings.first_fault->starts_with("faulty, game "));
    CHECK(standings.pairs().row(0).count() == standings.games[1].finished);
    for (const std::string& text : {report_text(standings), report_json(standings).dump(), report_csv(standings),
                                    report_html(standings, "a & b")}) {
        CHECK(text.find("nan") == std::string::npos);
        CHECK(text.find("inf ") == std::string::npos);
    }
}

TEST_CASE("a stop ends the games under way, which are not counted") {
    std::atomic<bool> stop = false;
    std::vector<GameSetup> games;
    int calls = 0;
    games.push_back(setup(std::make_unique<Endless>(100, [&] { stop = ++calls > 1000; }), "endless"));
    Contest contest(std::move(games), "random,random");
    contest.options.stop = &stop;
    contest.options.max_plies = 100;
    const Standings standings = contest.run();
    CHECK(standings.stopped);
    CHECK(standings.counted > 2);
    CHECK(standings.counted < 12);
    CHECK(contest.records.size() == standings.counted);
}

TEST_CASE("players and games that don't go together are refused") {
    Contest contest(some_games(), "random,alphabeta:depth=2");
    CHECK(refusal(contest.games, contest.players, {}).starts_with("player `alphabeta:depth=2` in graph 2: "));
    Contest three(some_games(), three_players);
    CHECK(refusal(three.games, three.players, {}).empty());
    CHECK(refusal(three.games, three.players, SprtOptions{}) == "a sequential test is between two players");
    Contest two(some_games(), "random,random");
    CHECK(refusal(two.games, two.players, SprtOptions{}) ==
          "a sequential test takes games of two players, or games of one player only");
}

TEST_CASE("times add up over games, and a game with a move beyond the limit is late") {
    std::vector<GameSetup> games;
    games.push_back(setup(std::make_unique<TicTacToe>(), "tic-tac-toe"));
    Contest contest(std::move(games), "alphabeta:time=1s,random");
    contest.schedule.games = 4;
    EarlierGames earlier;
    for (const std::uint64_t i : {0U, 1U, 2U, 3U}) {
        Outcome outcome{.end = match::End::Finished, .utilities = {0, 0}, .line = i};
        const match::TimeUsed slow{.seconds = 3, .longest = i == 2 ? 1.2 : 1.04, .moves = 4}, fast{.moves = 3};
        outcome.times = i % 2 == 0 ? std::vector{slow, fast} : std::vector{fast, slow};
        earlier.emplace_back(i, outcome);
    }
    const Standings standings = contest.run(std::move(earlier));
    const PlayerTotals& slow = standings.players[0];
    CHECK(slow.seconds == 12);
    CHECK(slow.longest == 1.2);
    CHECK(slow.moves == 16);
    CHECK(slow.late_games == 1);
    CHECK(standings.players[1].late_games == 0);
    CHECK(standings.players[1].moves == 12);
    const PlayerTotals clock{.game_limit = 10, .increment = 0.5};
    CHECK(clock.timed());
    CHECK_FALSE(clock.exceeded({.seconds = 14.9, .longest = 9, .moves = 10}));
    CHECK(clock.exceeded({.seconds = 15.1, .longest = 9, .moves = 10}));
}

TEST_CASE("the report of a small tournament") {
    std::vector<GameSetup> games;
    games.push_back(setup(std::make_unique<TicTacToe>(), "tic-tac-toe"));
    Contest contest(std::move(games), "alphabeta:depth=9,random");
    contest.schedule.games = 4;
    EarlierGames earlier;
    const double results[] = {1, -1, 0, -1}; // of the first seat
    for (const std::uint64_t i : {0U, 1U, 2U, 3U}) {
        Outcome outcome{.end = match::End::Finished, .utilities = {results[i], -results[i]}, .plies = 5 + i, .line = i};
        outcome.times = {{.seconds = 0.5, .longest = 0.25, .moves = 4}, {.seconds = 2, .longest = 1, .moves = 4}};
        earlier.emplace_back(i, outcome);
    }
    Standings standings = contest.run(std::move(earlier));
    standings.seconds = 3;
    CHECK(report_text(standings) == R"(2 players, 4 of 4 games (4 from the results file), 3.0 s

#  player              Elo    95 percent  score  wins  draws  losses  superior
1  alphabeta:depth=9  +169  -244 to +582  0.875     3      1       0     0.789
2  random             -169  -582 to +244  0.125     0      1       3
(superior: the probability of being stronger than the next)

wins-draws-losses of the row against the column
#  player                 1      2
1  alphabeta:depth=9      -  3-1-0
2  random             0-1-3      -

game         games  plies  different  score by seat
tic-tac-toe      4    6.5          4  P0 0.375, P1 0.625

player             moves  time used  a move  longest  late games  faults
alphabeta:depth=9     16      5.0 s  312 ms    1.0 s           -       0
random                16      5.0 s  312 ms    1.0 s           -       0

alphabeta:depth=9 is +338 Elo (-487 to +1163) over random, and stronger with probability 0.789
)");
}
