// `can` about rules with an `ensure`: byte code tries the moves, and answers as the reference evaluator does.

#include "tests/unit/game/text_games.hpp"

#include "game/perft.hpp"
#include "interpreter/interpreter.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace zug;
using namespace zug::game;

namespace {

const std::string board = "game \"Can\"\nplayers X, O\nboard cell = grid(3, 3)\nstate at: cell -> player?\n"
                          "state n: 0..9\n\nmove first\n  when n = 0\n  then n := 1\n\n";
const std::string ending = "\nstuck pass\nend\n  me wins when line(3, at.me)\n  draw when no empty\n";

constexpr std::uint64_t fault = UINT64_MAX;

std::vector<std::uint64_t> lines_of_plies(Game& game, int depth) {
    std::vector<std::uint64_t> lines;
    for (int k = 1; k <= depth; ++k) {
        const auto count = perft(game, game.initial(), k);
        lines.push_back(count.value_or(fault));
    }
    return lines;
}

// All executors find the same lines of play, and the interpreter, if `alone`, without asking the reference evaluator.
void check_play(const std::string& rules, bool alone = true) {
    CAPTURE(rules);
    const std::string text = board + rules + ending;
    constexpr int depth = 4;
    Game simple = game_of(text, ExecutorKind::Reference), native = game_of(text, ExecutorKind::BestNative);
    const auto expected = lines_of_plies(simple, depth);
    CHECK(expected.front() != fault);
    Game fast = game_of(text, ExecutorKind::Interpreter);
    CHECK(fast.executor_name() == "interpreter");
    CHECK(lines_of_plies(fast, depth) == expected);
    CHECK(fast.executor().reference_use().questions.empty() == alone);
    CHECK(lines_of_plies(native, depth) == expected);
}

const std::string put = "move put(c: cell)\n  when c in empty\n  then at[c] := me\n";
const std::string take = "move take(f: cell, c: cell)\n  when f in at.me, c in f.ortho & at.foe\n"
                         "  then at[c] := none, at[f] := none\n  ensure no c.ortho & at.foe\n";

} // namespace

TEST_CASE("can, with parameters given, left open, and for another player") {
    check_play(put + "  ensure not can take(c, _)\n" + take);
    check_play(put + "  ensure not can take(_, c) for foe\n" + take);
    check_play("move put(c: cell)\n  when c in empty, can take or not can take(_, _) for foe\n  then at[c] := me\n" +
               take);
    check_play("move put(c: cell)\n  when c in empty, all d in c.ortho & at.foe: can take(_, d)\n  then at[c] := me\n" +
               take);
}

TEST_CASE("can, within the trial of a move that another one asks for") {
    check_play(put + "  ensure not can turn_over(c)\n" + take +
               "move turn_over(c: cell)\n  when c in at.(_)\n  then at[c] := foe\n  ensure can take(_, c)\n");
    check_play(put +
               "  ensure can up or can take\nmove up\n  when n < 9\n  then n += 1\n  ensure not can take for foe\n" +
               take);
}

TEST_CASE("can, in definitions and ends") {
    check_play("def free(c: cell) = c in empty and not can take(_, c)\n"
               "move put(c: cell)\n  when free(c)\n  then at[c] := me\n" +
               take);
    check_play(put + take + "end foe wins when n = 1, count at.me > 1, can take\n");
}

TEST_CASE("can, in effects") { check_play(put + "  then if can take for foe: n := 3\n" + take, false); }

TEST_CASE("can, where the effects of a move fail") {
    check_play(put + "  ensure can up\nmove up\n  when n >= 0\n  then n += 5\n  ensure n < 99\n");
}
