// Strong solutions against published ones (see tests/values and the sources named there).

#include "lang/load.hpp"
#include "solve/solve.hpp"

#include <doctest/doctest.h>

using namespace zug;
using solve::Solution;

namespace {

game::Game load(const std::string& name, const lang::Overrides& params = {},
                game::ExecutorKind kind = game::ExecutorKind::Interpreter) {
    const lang::Loaded loaded = lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/" + name + ".zug", params);
    REQUIRE_MESSAGE(loaded.program, name);
    return game::Game(loaded.program, kind);
}

Solution solved(game::Game game) {
    const auto solution = solve::solve(game, game.initial());
    REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
    return *solution;
}

std::string error_of(game::Game game, const solve::Options& options = {}) {
    const auto solution = solve::solve(game, game.initial(), options);
    REQUIRE(!solution);
    return solution.error().text;
}

// A small game as text, on both executors.
Solution solved_text(const std::string& text) {
    const lang::Loaded loaded = lang::load_text("test.zug", text);
    REQUIRE(loaded.program);
    const Solution slow = solved(game::Game(loaded.program, game::ExecutorKind::Reference));
    const Solution fast = solved(game::Game(loaded.program, game::ExecutorKind::Interpreter));
    CHECK(slow.value() == fast.value());
    CHECK(slow.positions == fast.positions);
    CHECK(slow.start_remoteness() == fast.start_remoteness());
    return fast;
}

void check(const Solution& solution, double value, std::uint32_t remoteness, std::uint64_t positions) {
    CHECK(solution.value() == value);
    CHECK(solution.start_remoteness() == remoteness);
    CHECK(solution.positions == positions);
}

} // namespace

TEST_CASE("tic-tac-toe, all of it") {
    const Solution normal = solved(load("tic-tac-toe"));
    CHECK(normal.value() == 0);
    CHECK(!normal.start_remoteness());
    CHECK(normal.positions == 5478);
    CHECK(normal.tally.won == 2836);
    CHECK(normal.tally.lost == 1574);
    CHECK(normal.tally.drawn == 1068);
    const Solution misere = solved(load("misere-tic-tac-toe"));
    CHECK(misere.positions == 5478);
    CHECK(misere.tally.won == 3054);
    CHECK(misere.tally.lost == 1444);
    CHECK(misere.tally.drawn == 980);
}

TEST_CASE("won and lost games, their remoteness and positions") {
    check(solved(load("hexapawn")), -1, 6, 135);
    // 69 and 923 bars of chocolate, all but the first and the last for either player to move.
    check(solved(load("chomp", {{"width", "4"}, {"height", "4"}})), 1, 7, 2 * 69 - 2);
    check(solved(load("chomp", {{"width", "6"}, {"height", "6"}})), 1, 11, 2 * 923 - 2);
    const Solution dominoes = solved(load("domineering", {{"width", "4"}, {"height", "4"}}));
    CHECK(dominoes.value() == 1);
    CHECK(dominoes.start_remoteness() == 7);
}

TEST_CASE("a game of scores has values and no remoteness") {
    const Solution othello = solved(load("othello", {{"n", "4"}}));
    CHECK(othello.value() == -8);
    CHECK(othello.remoteness.empty());
    CHECK(othello.positions == 62789);
}

TEST_CASE("every value follows from those of the successors") {
    for (const char* name : {"tic-tac-toe", "mu-torere", "three-mens-morris"}) {
        CAPTURE(name);
        game::Game game = load(name);
        const auto graph = solve::Graph::of(game, game.initial(), 1'000'000, {});
        REQUIRE(graph);
        const Solution solution = solved(load(name));
        for (std::uint32_t i = 0; i < graph->size(); ++i) {
            const auto id = solve::PositionId{i};
            if (graph->is_end(id)) {
                CHECK(solution.values[i] == graph->utility(id));
                continue;
            }
            const bool first = graph->to_move(id) == 0;
            double best = first ? -1e9 : 1e9;
            for (const auto to : graph->successors(id)) {
                const double value = solution.values[static_cast<std::size_t>(to)];
                best = first ? std::max(best, value) : std::min(best, value);
            }
            CHECK(solution.values[i] == best);
        }
    }
}

TEST_CASE("what goes round in circles is a draw, and a repetition is no end of its own") {
    const std::string walk = "players A, B\nboard node = graph\n  p: q\n  q: p r\n  r: q\n"
                             "state here: node = p\nmove go(t: node)\n  when t in here.out\n  then here := t\n";
    // B, at q, can end the game or go back; it wins at r.
    const Solution won = solved_text(walk + "end B wins when here = r\n");
    CHECK(won.value() == -1);
    CHECK(won.start_remoteness() == 2);
    // There it loses: so round and round.
    const Solution round = solved_text(walk + "end B loses when here = r\n");
    CHECK(round.value() == 0);
    CHECK(round.positions == 3); // A moves at p and r, B at q
    const Solution drawn = solved_text(walk + "end\n  B loses when here = r\n  draw when earlier(here, me) = 2\n");
    CHECK(drawn.value() == 0);
    CHECK(drawn.positions == round.positions);
}

TEST_CASE("what is taken for granted about the past is told") {
    const std::string walk = "players A, B\nboard node = ring(3)\nstate here: node\nstate quiet: 0..9\n"
                             "move go(t: node)\n  when t in here.on\n  then here := t, quiet := ";
    const std::string end = "\nend draw when quiet = 9 or earlier(here, me) = 2\n";
    CHECK(solved_text(walk + "quiet + 1" + end).assumes.empty());
    CHECK(solved_text(walk + "if t = p1: 0 else quiet + 1" + end).assumes.size() == 1);
}

TEST_CASE("cycles: values that are known") {
    CHECK(solved(load("mu-torere")).value() == 0);
    CHECK(solved(load("three-mens-morris")).value() == 1);
}

TEST_CASE("one player goes for the best") {
    const Solution best = solved_text("players A\nstate n: 0..9\nmove add(k: 1..3)\n  when n + k <= 9\n  then n += k\n"
                                      "end\n  payoff A = 5 when n = 7\n  payoff A = -1 when n = 9\n");
    CHECK(best.value() == 5);
}

TEST_CASE("refusals say why") {
    CHECK(error_of(load("go", {{"size", "2"}})).find("superko") != std::string::npos);
    CHECK(error_of(load("pig")).find("chance") != std::string::npos);
    CHECK(error_of(load("three-tic-tac-toe")).find("more than two players") != std::string::npos);
    CHECK(error_of(load("tic-tac-toe"), {.most_positions = 100, .stop = {}}) == "the game has more than 100 positions");
    CHECK(error_of(load("tic-tac-toe"), {.most_positions = 100, .stop = [](std::uint64_t) { return true; }}) ==
          "stopped");
}
