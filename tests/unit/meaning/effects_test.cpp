// Effects that change whole maps, maps of sets and rows of maps have byte code, and do what the reference evaluator
// does.

#include "tests/unit/game/text_games.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace zug;
using namespace zug::game;

namespace {

// A move, usually `go`, in a game with some state, by all executors. `expected`: the position after it, or "fault".
void check_move(const std::string& state, const std::string& effects, const std::string& expected,
                const std::string& line = "go") {
    CAPTURE(effects);
    const std::string rules = "game \"Effects\"\nplayers P\nboard row = grid(3, 1)\nstate open: bool = true\n" + state +
                              "\nmove go()\n  when open\n  then open := false, " + effects +
                              "\nend payoff P = 1 when not open\n";
    for (const ExecutorKind kind : {ExecutorKind::Reference, ExecutorKind::Interpreter, ExecutorKind::BestNative}) {
        Game game = game_of(rules, kind);
        if (kind != ExecutorKind::Reference) CHECK(game.executor_name() != "reference");
        const auto found = game.play_line(game.initial(), line);
        CHECK((found ? game.position_text(*found) : "fault") == expected);
    }
}

const std::string sets = "state held: row -> set 1..3 = {1}\nstate at: row = b1";
const std::string counts = "state n: row, 1..2 -> 0..5 = 1";
const std::string numbers = "state n: row -> 0..5 = 1";

} // namespace

TEST_CASE("entries of maps to sets are assigned") {
    check_move(sets, "held[at] := {2, 3}, held[c1] := {}", "open=false held=b1:{2,3},c1:{} turn=P");
    check_move(sets, "held[{a1, b1}] := {2}", "open=false held=a1:{2},b1:{2} turn=P");
    check_move(sets, "held := {3}, held[at] := held[at] | {2}", "open=false held=a1:{3},b1:{1,2},c1:{3} turn=P");
    check_move(sets, "for r in row: held[r] := {k in 1..3 | r = at or k = 2}",
               "open=false held=a1:{2},b1:{1,2,3},c1:{2} turn=P");
}

TEST_CASE("rows of maps with several indices are assigned and added to") {
    check_move(counts, "n[a1, _] := 3, n[{b1, c1}, 2] := 4", "open=false n=(a1,1):3,(a1,2):3,(b1,2):4,(c1,2):4 turn=P");
    check_move(counts, "n[_, 1] += 2, n[a1, 2] := 0", "open=false n=(a1,1):3,(a1,2):0,(b1,1):3,(c1,1):3 turn=P");
    check_move(counts, "n[_, 1] := 2, n[a1, 1] := 0", "fault");
}

TEST_CASE("effects on entries override one on the whole map") {
    check_move(numbers, "n := 3, n[b1] := 5", "open=false n=a1:3,b1:5,c1:3 turn=P");
    check_move(numbers, "n := 3, n[b1] += 2, n[b1] += 1", "open=false n=a1:3,b1:4,c1:3 turn=P");
    check_move(numbers, "if open: n := 3 else n := 2", "open=false n=a1:3,b1:3,c1:3 turn=P");
    check_move(numbers, "if open: n := 3, if open: n := 2", "fault");
    check_move(numbers, "for r in {a1}: n := 4 * n[r], n[c1] += 1", "open=false n=a1:4,b1:4,c1:2 turn=P");
    check_move(numbers, "for r in {a1, b1}: n := 4 * n[r]", "fault");
    check_move(numbers, "n := n[a1] + 5, n[a1] := 0, n[{b1, c1}] := 1", "open=false n=a1:0 turn=P");
    check_move(numbers, "n := n[a1] + 5, n[a1] := 0, n[b1] := 1", "fault");
    check_move(numbers, "n := n[a1] + 5, for r in row: n[r] += 2", "open=false n=a1:3,b1:3,c1:3 turn=P");
    check_move("state at: row -> player? = none", "at := P, at[b1] := none", "open=false at=P1P turn=P");
}

TEST_CASE("what a condition tells of an entry no longer holds once the whole map is assigned") {
    const std::string state = "state at: row -> player? = P on {a1}\n"
                              "move fill(f: row)\n  when open, f in {r in row | at[r] = none}\n"
                              "  then open := false, at := P, at[f] := none";
    check_move(state, "at[a1] := none", "open=false at=P1P turn=P", "fill b1");
}
