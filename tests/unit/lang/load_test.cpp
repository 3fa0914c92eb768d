// What the checker makes of right files: constants read off payoffs, the shape of conditions, facts about the program.

#include "ir/glyphs.hpp"
#include "support.hpp"

#include "ir/evaluate.hpp"
#include "ir/print.hpp"
#include "tests/library.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <regex>

using namespace zug;
using namespace zug::lang;

namespace {

// The value that the end pays to A, in the initial state, with player A as `me`.
double value_of(const std::string& value, const std::string& declarations = "", const Overrides& overrides = {}) {
    const Loaded loaded = load_text("test.zug", game_with(declarations, value), overrides);
    INFO(said(loaded));
    REQUIRE(loaded.program);
    std::vector<std::uint32_t> slots;
    for (const auto& state : loaded.program->states)
        slots.insert(slots.end(), state.initial.begin(), state.initial.end());
    slots.push_back(0);
    ir::Evaluator evaluator(*loaded.program);
    evaluator.read(slots);
    evaluator.set_me(0);
    return evaluator.real(loaded.program->ends.front().payoffs.front());
}

bool holds(const std::string& condition, const std::string& declarations = "") {
    return value_of("if " + condition + ": 1 else 0", declarations) == 1;
}

Loaded load_whole(const std::string& text) {
    Loaded loaded = load_text("test.zug", text);
    INFO(said(loaded));
    REQUIRE(loaded.program);
    return loaded;
}

std::string printed(const Loaded& loaded) { return ir::print(*loaded.program); }

} // namespace

TEST_CASE("arithmetic") {
    CHECK(value_of("7 div 2 + 7 mod 2 * 10") == 13);
    CHECK(value_of("-7 div 2") == -4);
    CHECK(value_of("-7 mod 2") == 1);
    CHECK(value_of("1 / 4") == 0.25);
    CHECK(value_of("min(3, 1, 2) + max(3, 5) + abs(-4)") == 10);
    CHECK(value_of("0.5 + count at.A div 2") == 2.5);
    CHECK(value_of("if 3 in 1..5 and not 6 in 1..5: 1 else 0") == 1);
    CHECK(value_of("sum n in (1..4): n * n") == 30);
    CHECK(value_of("max n in (1..4): 10 - n") == 9);
    CHECK(value_of("max {n in (1..9) | n mod 4 = 0}") == 8);
    CHECK(value_of("count n in (1..9), m in (1..9): n < m") == 36);
}

TEST_CASE("sets of sites") {
    CHECK(value_of("count at.A") == 4);
    CHECK(value_of("count at.none") == 10);
    CHECK(value_of("count at.(_)") == 6);
    CHECK(value_of("count (at.A | at.B | at.none)") == 16);
    CHECK(value_of("count cell \\ empty") == 6);
    CHECK(holds("at.B = {a4, d4}"));
    CHECK(holds("a1 in at.A and not a2 in at.A"));
    CHECK(holds("none in {none, a1} and not none in {a1}"));
}

TEST_CASE("paths") {
    CHECK(value_of("count b2.compass") == 8);
    CHECK(value_of("count b2.adj") == 4);
    CHECK(value_of("count a1.adj^*") == 16);
    CHECK(value_of("count a1.(N | E)^2") == 3);
    CHECK(value_of("count a1.N^(1..3)") == 3);
    CHECK(value_of("count b2.offsets(1, 2)") == 4);
    CHECK(holds("b2.(1, 2) = c4"));
    CHECK(holds("b2.~N = b1"));
    CHECK(holds("a1.N.E = b2"));
    CHECK(holds("a1.W = none"));
    CHECK(holds("no a1.W.E.N"));
    CHECK(holds("a1.(N & at.B) = none"));
    CHECK(holds("a1.N^3 = a4 and a1.N^0 = a1"));
    CHECK(value_of("count a1.slide(N)") == 3);
    CHECK(value_of("count b1.slide(compass)") == 8);
    CHECK(value_of("count a1.(N \\ {a3})^*") == 2);
    CHECK(holds("cell(2, 3) = b3 and cell(9, 9) = none"));
    CHECK(holds("x(c4) = 3 and y(c4) = 4 and number(c4) = 15"));
    CHECK(holds("group(b1, at.A) = row(1) and joined(at.A, col(1), col(4)) and not line(3, at.B)"));
}

TEST_CASE("definitions") {
    const std::string twice =
        "def twice(k: int) = 2 * k\ndef near(c: cell) = c.adj & empty\ndef at_least(k: int, s: set) = count s >= k";
    CHECK(value_of("twice(twice(3))", twice) == 12);
    CHECK(value_of("count near(at.A)", twice) == 4);
    CHECK(holds("at_least(4, at.A) and not at_least(3, at.B)", twice));
    CHECK(value_of("count near(a1.W)", twice) == 0);
    CHECK(value_of("count row(1..2)") == 8);
    CHECK(value_of("count ways(_)", "def ways(p: player) = if p = A: {N} else {S, E}") == 3);
    CHECK(value_of("count back(a1, N | E)", "def back(c: site, r: path) = c.r.~r") == 1);
    CHECK(value_of("total(n)", "state n: cell -> 0..9 = 2\ndef total(m: map site -> int) = sum c in cell: m[c]") == 32);
    CHECK(value_of("count a1.run(~S)", "path run(d: dir) = (d & empty)^+") == 2);
    CHECK(value_of("col(3)", "def col(k: int) = 10 * k") == 30); // a file may redefine the vocabulary
}

TEST_CASE("recursion is a least fixpoint") {
    const std::string reach =
        "def reach(c: cell) = {c} | (union d in {N, E}: reach_from(c.d))\ndef reach_from(c: cell) = reach(c)";
    CHECK(value_of("count reach(c3)", reach) == 4);
    CHECK(holds(
        "even(4) and not even(3)",
        "def even(k: int) = k = 0 or k > 0 and odd_number(k - 1)\ndef odd_number(k: int) = k > 0 and even(k - 1)"));
    const Loaded loaded = load_whole(game_with(reach, "count reach(c3)"));
    CHECK(loaded.program->functions.size() >= 1);
    CHECK(loaded.program->functions[ir::FunctionId{0}].recursive);
}

TEST_CASE("numbers of players, tips of stars") {
    CHECK(value_of("number(B) * 10 + number(King)", "type kind = Man | King") == 22);
    const auto star = load_whole("game \"T\"\nplayers A, B\nboard hole = star(4)\n"
                                 "state at: hole -> player? = p on tip(number(p) * 3 - 3)\n"
                                 "move go(t: hole)\n  when t in empty\n  then at[t] := me\n"
                                 "end when no empty\n  payoff A = count hole\n  payoff B = count at.A + count at.B\n");
    CHECK(star.program->boards[ir::BoardId{0}].sites.size() == 121);
    CHECK(std::ranges::count(star.program->states[ir::StateId{0}].initial, 1U) == 10);
    CHECK(std::ranges::count(star.program->states[ir::StateId{0}].initial, 2U) == 10);
}

TEST_CASE("patterns and match") {
    const std::string pieces =
        "type kind = Man | King\nstate on: cell -> (player, kind)? = (A, Man) on row(1), (B, King) on {a4}";
    CHECK(value_of("count on.(A, _) + 10 * count on.(_, King) + 100 * count on.(_, Man | King)", pieces) == 514);
    CHECK(value_of("match on[a4] (A, _): 1 (_, King): 2 (_, Man): 3 none: 4", pieces) == 2);
    CHECK(value_of("match on[b4] (p, k): 1 none: 4", pieces) == 4);
    CHECK(value_of("match on[a1] (p, Man): (if p = A: 5 else 6) _: 7", pieces) == 5);
    CHECK(holds("on[a1] is (A, Man) and on[b4] is none and on[a1] is not (B, _) and on[a1] is _", pieces));
    CHECK(value_of("let c = on[a4] in match c (B, _): 8 _: 9", pieces) == 8);
}

TEST_CASE("several indices, tuples and numbers as values") {
    const std::string men = "type point = 0..25\nstate men: player, point -> 0..15 = 2 on (_, 24), 5 on (A, 6)";
    CHECK(value_of("men[A, 24] + men[B, 24] + men[A, 6] + men[B, 6]", men) == 9);
    CHECK(value_of("max {f: point | men[A, f] > 0}", men) == 24);
    CHECK(value_of("count men.5", men) == 1);
    CHECK(value_of("count men.(2 | 5)", men) == 3);
    CHECK(value_of("count n.(1..3)", "state n: 0..9 -> 0..1000000 = 2 on {1, 2}, 7 on 3") == 2);
    CHECK(value_of("if set_of = {1, 3}: 1 else 0", "state set_of: set 0..9 = {1, 3}") == 1);
}

TEST_CASE("parameters") {
    const std::string size = "param size = 3, komi = 7.5, swap = true, kind: {2, 3} = 2\ndef area = size * size";
    CHECK(value_of("area + komi", size) == 16.5);
    CHECK(value_of("area + komi + (if swap: 100 else 0)", size,
                   {{"size", "4 + 1"}, {"komi", "1"}, {"swap", "false"}}) == 26);
    CHECK(value_of("kind", size, {{"kind", "3"}}) == 3);
}

TEST_CASE("constants are folded, canonical forms kept") {
    const auto text = printed(load_whole(game_with("def area = count row(2) * 2", "area")));
    CHECK(text.find("payoffs 8, 0") != std::string::npos);
    CHECK(text.find("(in c#") != std::string::npos);
    CHECK(text.find("(those site#") != std::string::npos);
    const auto split =
        load_whole("game \"T\"\nplayers A, B\nboard cell = grid(3, 3)\nstate at: cell -> player?\n"
                   "move go(f: cell, t: cell)\n  when f in at.me and t in empty, f.N = t, true\n  then at[t] := me\n"
                   "end draw when no empty\n");
    CHECK(split.program->rules[ir::RuleId{0}].when.size() == 3);
    CHECK_FALSE(split.program->keeps_last);
    CHECK(split.program->states[ir::StateId{0}].assigned);
    CHECK(split.program->code_count == 81);
}

TEST_CASE("constant states are read when the file is") {
    const auto loaded = load_whole(game_with("state value: cell -> 0..9 = 3 on row(1)", "value[a1] + value[a2]"));
    CHECK(printed(loaded).find("payoffs 3, 0") != std::string::npos);
}

TEST_CASE("who moved last is kept only where the turn does not tell") {
    const std::string head = "game \"T\"\nplayers A, B\nstate n: 0..9\nmove more when n < 9 then n += 1, again\n";
    CHECK(load_whole(head + "end me wins when n = 9\n").program->keeps_last);
    CHECK_FALSE(load_whole(head + "end A wins when n = 9\n").program->keeps_last);
}

TEST_CASE("tests in the file belong to the parameters they name") {
    const std::string text = game_with("param size = 3", "size") +
                             "test \"one\": holds size = 3\ntest \"two\" with size = 4: holds size = 4, perft 1 = 10\n";
    const auto plain = load_whole(text);
    REQUIRE(plain.program->tests.size() == 2);
    CHECK(plain.program->tests[0].items.size() == 1);
    CHECK(plain.program->tests[1].items.empty());
    CHECK(plain.program->tests[1].params.front() == std::pair<std::string, std::string>("size", "4"));
    const Loaded four = load_text("test.zug", text, {{"size", "4"}});
    REQUIRE(four.program);
    CHECK(four.program->tests[0].items.empty());
    CHECK(four.program->tests[1].items.size() == 2);
}

TEST_CASE("a payoff may be the same for all players") {
    const auto loaded = load_whole("game \"Test\"\nplayers A, B\nstate n: 0..3\nmove go\n  then n += 1\n"
                                   "end payoff p = 2.5 when n = 3\n");
    CHECK(loaded.program->ends.front().payoffs.size() == 2);
    CHECK(said(loaded).empty());
}

TEST_CASE("the games load without a word") {
    for (const auto& file : test::library()) {
        const Loaded loaded = load_file(file.string());
        CHECK_MESSAGE(said(loaded).empty(), said(loaded));
    }
}

// Declared ranges of parameters are promises: the first and the last value of each must make a game.
TEST_CASE("every rule file holds at both ends of its parameters' ranges") {
    const std::regex range(R"((\w+): (-?\d+)\.\.(-?\d+))");
    std::size_t ranges = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(ZUG_SOURCE_DIR) + "/rules")) {
        if (entry.path().extension() != ".zug") continue;
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line);) {
            if (!line.starts_with("param ")) continue;
            for (std::sregex_iterator it(line.begin(), line.end(), range), last; it != last; ++it, ++ranges) {
                for (const std::string& end : {it->str(2), it->str(3)}) {
                    CAPTURE(line);
                    const Loaded loaded = load_file(entry.path().string(), {{it->str(1), end}});
                    CHECK_MESSAGE(loaded.program != nullptr, said(loaded));
                }
            }
        }
    }
    CHECK(ranges >= 15);
}

TEST_CASE("initial values at a set of tuples") {
    const std::string state = "state n: player, 0..3 -> 0..9 = 4 on {(A, 1), (B, 3)}, 2 on (A, 0)";
    CHECK(slugs(load_text("test.zug", game_with(state, "n[A, 1] + n[B, 3] + n[A, 0]"))).empty());
    const Loaded loaded = load_text("test.zug", game_with(state, "n[A, 1]"));
    REQUIRE(loaded.program);
    const auto& initial = loaded.program->states[ir::StateId{1}].initial;
    CHECK(std::vector<std::uint32_t>(initial.begin(), initial.end()) ==
          std::vector<std::uint32_t>{2, 4, 0, 0, 0, 0, 0, 4});
    CHECK(slugs(load_text("test.zug", game_with("state n: player, 0..3 -> 0..9 = 4 on {A, B}", "n[A, 1]"))) ==
          std::vector<std::string>{"index-count"});
    CHECK(slugs(load_text("test.zug", game_with("state n: player, 0..3 -> 0..9 = 4 on {(A, 9)}", "n[A, 1]"))).size() ==
          1);
}

TEST_CASE("a number's glyph is that of the number in every range that has it") {
    const Loaded loaded = load_text(
        "test.zug", game_with("state n: cell -> 0..3 = 2 on a1\nstate m: 2..5\nglyph 1 \"i\", 2 \"k\"", "n[a1] + m"));
    REQUIRE(loaded.program);
    const auto& states = loaded.program->states;
    CHECK(ir::glyph_text(*loaded.program, states[ir::StateId{1}].value, 1) == "i");
    CHECK(ir::glyph_text(*loaded.program, states[ir::StateId{1}].value, 2) == "k");
    CHECK(ir::glyph_text(*loaded.program, states[ir::StateId{2}].value, 2) == "k");
    CHECK(ir::glyph_text(*loaded.program, states[ir::StateId{2}].value, 3) == "3");
    CHECK(slugs(load_text("test.zug", game_with("state m: 2..5\nglyph 9 \"i\"", "m"))) ==
          std::vector<std::string>{"glyph-value"});
}

TEST_CASE("a definition that ranges over a set of its own") {
    const std::string reached = "def reached(c: cell, p: player) = {c} | (union n in reached(c, p): n.adj & at.p)";
    CHECK(slugs(load_text("test.zug", game_with(reached, "count reached(a1, A)"))).empty());
}
