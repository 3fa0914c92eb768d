// The facade over small programs made by hand, on the reference executor.

#include "game/game.hpp"
#include "game/perft.hpp"
#include "tests/unit/executor/games.hpp"
#include "tests/unit/game/text_games.hpp"

#include <doctest/doctest.h>
#include <set>

using namespace zug;
using namespace zug::game;

namespace {

Game tic_tac_toe() { return Game(run::tic_tac_toe(), ExecutorKind::Reference); }
Game counting(const run::Counting& c) { return Game(c.finish(), ExecutorKind::Reference); }

// A move that adds 1, 2 or 3.
ir::Rule adding_up_to_three(run::Counting& c) {
    const auto k = c.var("k", c.types().integer(1, 3));
    auto rule = c.adding("add", 0);
    rule.params = {k};
    rule.then[0].effects = {c.add(c.n, {}, c.ref(k))};
    return rule;
}

std::string line_error(Game& game, std::string_view line) {
    const auto state = game.play_line(game.initial(), line);
    REQUIRE(!state);
    return state.error().text;
}

} // namespace

TEST_CASE("traits of tic-tac-toe") {
    const Game game = tic_tac_toe();
    const Traits& traits = game.traits();
    CHECK(traits.players == 2);
    CHECK(traits.zero_sum);
    CHECK(traits.min_utility == -1);
    CHECK(traits.max_utility == 1);
    CHECK(!traits.chance);
    CHECK(!traits.has_eval);
    CHECK(!traits.has_chains);
    CHECK(!traits.has_history);
}

TEST_CASE("moves by their text") {
    Game game = tic_tac_toe();
    const State state = game.initial();
    MoveList moves;
    REQUIRE(game.expand(state, moves) == NodeKind::Decision);
    CHECK(game.move_text(state, moves, 4) == "b2");
    CHECK(game.parse_move(state, moves, "b2") == 4);
    CHECK(game.parse_move(state, moves, " B2 ") == 4);
    CHECK(game.parse_move(state, moves, "#5") == 4);
    CHECK(game.parse_move(state, moves, "b9").error().text == "`b9` is not a legal move; did you mean `b1`?");
    CHECK(game.parse_move(state, moves, "#10").error().text == "there is no move #10; the list has 9");
    CHECK(game.parse_move(state, moves, "").error().text == "no move given");
    CHECK(game.parse_move(state, moves, "castle").error().text.find("among those that are legal: a1  b1") !=
          std::string::npos);
}

TEST_CASE("lines of play") {
    Game game = tic_tac_toe();
    const State won = after(game, "a1 b1, a2;b2 a3");
    CHECK(game.kind(won) == NodeKind::Terminal);
    std::vector<double> utilities(2);
    REQUIRE(game.payoffs(won, utilities));
    CHECK(utilities == std::vector<double>{1, -1});
    CHECK(line_error(game, "a1 b1 a2 b2 a3 b3") == "move 6, `b3`: the game is over before it");
    CHECK(line_error(game, "a1 a1").starts_with("move 2: `a1` is not a legal move; did you mean"));
}

TEST_CASE("positions as text") {
    Game game = tic_tac_toe();
    const State state = after(game, "a1 b2 c3");
    CHECK(game.position_text(state) == "at=2X/1O1/X2 turn=O");
    const auto back = game.parse_position("at=2X/1O1/X2 turn=O");
    REQUIRE(back);
    CHECK(game.hash(*back) == game.hash(state));
    const auto listed = game.parse_position("turn=O  at=a1:X,c3:X,b2:O");
    REQUIRE(listed);
    CHECK(game.hash(*listed) == game.hash(state));
    auto problem = [&](std::string_view text) {
        const auto position = game.parse_position(text);
        REQUIRE(!position);
        return position.error().text;
    };
    CHECK(problem("at=3") == "position, column 4: found 1 row, `cell` has 3");
    CHECK(problem("at=3/3") == "position, column 4: found 2 rows, `cell` has 3");
    CHECK(problem("at=3/4/3") == "position, column 6: row 2 has 4 cells, expected 3");
    CHECK(problem("at=3/1Q1/3") == "position, column 7: unknown glyph `Q`; the glyphs are X O");
    CHECK(problem("turm=O") == "position, column 1: unknown field `turm`; did you mean `turn`?");
    CHECK(problem("turn=Y") == "position, column 6: found `Y`, expected one of X, O");
    CHECK(problem("turn=O turn=X") == "position, column 8: a second field `turn`");
    CHECK(problem("at=a1:X,e9:O") == "position, column 9: found `e9`, expected a value from a1 to c3");
    CHECK(problem("hello") == "position, column 1: found `hello`, expected a field such as `turn=X`");
}

TEST_CASE("drawing") {
    Game game = tic_tac_toe();
    CHECK(game.draw(after(game, "a1 b2 c3"), false) == "3 . . X\n2 . O .\n1 X . .\n  a b c\nO to move\n");
    CHECK(game.draw(after(game, "a1 b1 a2 b2 a3"), false) ==
          "3 X . .\n2 X O .\n1 X O .\n  a b c\ngame over: X 1, O -1\n");
    CHECK(game.draw(after(game, "a1"), true).find("\x1b[") != std::string::npos);
}

TEST_CASE("perft, by move, and stopped") {
    Game game = tic_tac_toe();
    const State state = game.initial();
    CHECK(perft(game, state, 0) == 1);
    CHECK(perft(game, state, 4) == 3024);
    const auto split = divide(game, state, 3);
    REQUIRE(split);
    CHECK(split->size() == 9);
    CHECK((*split)[2].move == "c1");
    CHECK((*split)[2].nodes == 56);
    CHECK(perft(game, state, 4, [] { return true; }).error().text == stopped);
}

TEST_CASE("evaluation stays inside the range and is antisymmetric") {
    run::Counting c(6);
    c.rule(c.adding("add", 1));
    const auto n = c.node(ir::Op::ToReal, c.types().real(), {c.get(c.n)});
    const auto big = c.node(ir::Op::Mul, c.types().real(), {n, c.real(1e300)});
    SUBCASE("moderate") { c.program.evals = {n, c.real(0)}; }
    SUBCASE("huge") { c.program.evals = {big, c.real(0)}; }
    SUBCASE("infinite") { c.program.evals = {c.node(ir::Op::Mul, c.types().real(), {big, c.real(1e300)}), c.real(0)}; }
    Game game = counting(c);
    REQUIRE(game.traits().has_eval);
    CHECK(game.traits().zero_sum);
    std::vector<double> values(2);
    game.evaluate(game.initial(), values);
    CHECK(values == std::vector<double>{0, 0});
    game.evaluate(after(game, "add add"), values);
    CHECK(values[0] > 0);
    CHECK(values[0] < 1);
    CHECK(values[1] == -values[0]);
}

TEST_CASE("moves with equal texts are told apart") {
    run::Counting c(60);
    auto rule = adding_up_to_three(c);
    c.rule(rule);
    ir::Notation notation;
    notation.text = {{.text = "plus"}};
    c.program.notations = {{notation}};
    Game game = counting(c);
    MoveList moves;
    const State state = game.initial();
    game.expand(state, moves);
    const auto texts = game.move_texts(state, moves);
    CHECK(texts == std::vector<std::string>{"plus (add 1)", "plus (add 2)", "plus (add 3)"});
    for (std::size_t i = 0; i < texts.size(); ++i) CHECK(game.parse_move(state, moves, texts[i]) == i);
    CHECK(game.position_text(after(game, "plus (add 2) plus (add 3)")) == "n=5 turn=A");
}

TEST_CASE("a rule's name may be left out") {
    run::Counting c(60);
    auto rule = adding_up_to_three(c);
    c.rule(rule);
    rule.name = "raise";
    rule.params = {c.var("k", c.types().integer(3, 4))};
    c.rule(rule);
    Game game = counting(c);
    MoveList moves;
    const State state = game.initial();
    game.expand(state, moves);
    CHECK(game.move_texts(state, moves) == std::vector<std::string>{"add 1", "add 2", "add 3", "raise 3", "raise 4"});
    CHECK(game.parse_move(state, moves, "2") == 1);
    CHECK(game.parse_move(state, moves, "4") == 4);
    CHECK(!game.parse_move(state, moves, "3"));
    CHECK(game.position_text(after(game, "2 add 3")) == "n=5 turn=A");
}

TEST_CASE("faults as reports") {
    run::Counting c(6);
    c.rule(c.adding("add", 4));
    Game game = counting(c);
    CHECK(line_error(game, "add add") == "rule `add`: value out of range: n := 8, its range is 0..6\n"
                                         "  in the move: add\n"
                                         "  position: n=4 turn=B");
}

TEST_CASE("a clone is a game of its own") {
    Game game = tic_tac_toe();
    Game copy = game.clone();
    CHECK(copy.executor_name() == "reference");
    CHECK(copy.hash(after(copy, "a1 b2")) == game.hash(after(game, "a1 b2")));
}
