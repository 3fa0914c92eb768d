// How moves are written: the file's notations, and lines of play read back.

#include "tests/unit/game/text_games.hpp"
#include "tests/unit/processor_time.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

using namespace zug;
using namespace zug::game;

namespace {

std::vector<std::string> texts(Game& game, const State& state) {
    MoveList moves;
    REQUIRE(game.expand(state, moves) != NodeKind::Fault);
    return game.move_texts(state, moves);
}

using Texts = std::vector<std::string>;

// Two steps a turn, by numbers.
std::string walkers(const std::string& notations) {
    return R"(game "Test"
players A, B
state men: player, 0..5 -> 0..3 = 1 on (_, 5), 1 on (_, 3)
move play(f: 1..5, d: 1..2)
  let t = max(0, f - d), hit = men[next(me), t] > 0
  when men[me, f] > 0
  then men[me, f] -= 1, men[me, t] += 1
turn play play
end draw when men[me, 0] = 2
)" + notations;
}

} // namespace

TEST_CASE("notation chooses by conditions, and writes later steps otherwise") {
    for (const auto kind : {ExecutorKind::Reference, ExecutorKind::Interpreter}) {
        Game game = game_of(walkers("notation play \"{f}*\" then \"x\" when hit\n"
                                    "notation play \"{f}-off\" when t = 0\n"
                                    "notation play \"{f}-{t}\" then \"{t}\"\n"
                                    "notation turn \" \"\n"),
                            kind);
        const Texts wanted{"3-2 1", "3-2 2-off", "3-2 4", "3-2 x", "3-1 4", "3-1 x", "5-4 x"};
        CHECK(texts(game, game.initial()) == wanted);
    }
}

TEST_CASE("what stands between steps") {
    Game usual = game_of(walkers("notation play \"{f}/{f - d}\" when not hit notation play \"{f}x\" when hit"));
    CHECK(texts(usual, usual.initial()).front() == "3/2,2/1");
    Game none = game_of(walkers("notation play \"{f}/{t}\" then \"/{t}\" when hit or not hit notation turn \"\""));
    CHECK(texts(none, none.initial()).front() == "3/2/1");
    Game trimmed = game_of(walkers("notation play \" ;{f}{t}, \" when hit or not hit"));
    CHECK(texts(trimmed, trimmed.initial()).front() == "32,   ;21");
}

TEST_CASE("lines of turns with several steps") {
    Game game = game_of(walkers("notation play \"{f}*/{t}\" when hit notation play \"{f}/{t}\" notation turn \" \""));
    const std::string wanted = game.position_text(after(game, "3/2 5*/3 3*/2 2/1"));
    CHECK(wanted == "men=(A,2):1,(A,5):0,(B,1):1,(B,3):0 turn=A");
    for (const std::string line :
         {"3/2 5*/3; 3*/2 2/1", "3/2 5*/3, 3*/2 2/1", "5*/3 3/2 2/1 3*/2", " 5*/3,3/2 ,;2/1 3*/2 "})
        CHECK(game.position_text(after(game, line)) == wanted);
    MoveList moves;
    const State state = game.initial();
    game.expand(state, moves);
    CHECK(game.parse_move(state, moves, "5*/3 3/2").value() == game.parse_move(state, moves, "3/2 5*/3").value());
    CHECK(!game.parse_move(state, moves, "5*/3 5*/3"));
}

TEST_CASE("values in notation") {
    Game game = game_of(R"(game "Test"
players White, Black
board square = grid(3, 3)
type kind = Man | King
state at: square -> (player, kind)? = (White, Man) on {a1, b1}, (Black, King) on {a3}
state marks: set square
state before: square?
move go(f: square, t: square, as: kind)
  let far = {b3, c3}
  when at[f] is (me, k), t in f.adj & empty, as in (if t in far: {Man, King} else {k})
  then at[f] := none, at[t] := (me, as), marks := marks | {f}, before := f
end draw when no empty
notation go "{at[f]}{f}-{t}={(me, as)}" when as != k
notation go "{at[f]}{f}-{t}{marks}{before}"
)");
    CHECK(texts(game, game.initial()) == Texts{"Ma1-a2", "Mb1-c1", "Mb1-b2"});
    const State later = after(game, "Mb1-b2 ka3-a2b1b1");
    const auto all = texts(game, later);
    CHECK(std::ranges::count(all, "Mb2-b3=K") == 1);
    CHECK(std::ranges::count(all, "Mb2-b3b1a3a3") == 1); // before: a3
}

namespace {

// A board with one stone of A's that goes to any empty site.
std::string roaming(int size) {
    return "game \"Test\"\nplayers A, B\nboard cell = grid(" + std::to_string(size) + ", " + std::to_string(size) +
           R"zug()
state at: cell -> player? = A on {a1}
move go(f: cell, t: cell)
  let d = x(t) - x(f), rank = count at.me
  when at[f] is p, p = me, t in empty
  then at[f] := none, at[t] := me
end draw when no at.A
notation go "{f}-{t}" when d = 0, rank > 0
notation go "{f}x{t}{p}{d}" when rank > 0
)zug";
}

// What it takes to write the first moves.
double seconds_of_texts(int size, std::size_t moves_there) {
    Game game = game_of(roaming(size), ExecutorKind::Interpreter);
    MoveList moves;
    const State state = game.initial();
    REQUIRE(game.expand(state, moves) == NodeKind::Decision);
    REQUIRE(moves.size() == moves_there);
    std::vector<std::string> all;
    const double seconds = test::least_seconds(5, [&] { all = game.move_texts(state, moves); });
    CHECK(std::set<std::string>(all.begin(), all.end()).size() == all.size());
    return seconds;
}

} // namespace

TEST_CASE("the time to write moves grows with their number, not with its square") {
    const double few = seconds_of_texts(15, 224), many = seconds_of_texts(45, 2024);
    CHECK(many < 30 * few); // nine times as many, and eighty times the square
}
