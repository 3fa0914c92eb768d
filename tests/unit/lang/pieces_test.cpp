// Pieces of real games: turns of several steps, local state, phases, history, sowing, rings, lines, notation, glyphs.

#include "support.hpp"

#include "ir/print.hpp"

#include <doctest/doctest.h>

using namespace zug;
using namespace zug::lang;

namespace {

std::shared_ptr<const ir::Program> program_of(const std::string& text) {
    const Loaded loaded = load_text("test.zug", text);
    INFO(said(loaded));
    REQUIRE(loaded.program);
    CHECK(said(loaded).empty());
    return loaded.program;
}

const ir::Rule& rule(const ir::Program& program, const std::string& name) {
    for (const auto& r : program.rules)
        if (r.name == name) return r;
    FAIL("no rule ", name);
    return program.rules[ir::RuleId{0}];
}

} // namespace

TEST_CASE("draughts: pieces as tuples, chains of jumps, the most that can be taken") {
    const auto program = program_of(R"(game "Draughts"
players White, Black
board square = grid(8, 8) where (x + y) mod 2 = 0
type kind = Man | King
state at: square -> (player, kind)? = (White, Man) on row(1..3), (Black, Man) on row(6..8)
local chain: square?
local taken: set square
def ways(f: square) = match at[f]
  (_, King): diagonals
  (White, Man): {NE, NW}
  (Black, Man): {SE, SW}
  none: {}
move step(f: square, d: dir)
  when f in men(me), d in ways(f), f.d in empty
  then at[f.d] := at[f], at[f] := none
move jump(f: square, d: dir)
  when f in men(me), chain in {none, f}, d in ways(f), some f.leap(d, men(foe) \ taken)
  then at[f.d^2] := at[f], at[f] := none, taken := taken | f.d, chain := f.d^2
turn jump+ most count taken else step
  then at[taken] := none, at[at.(me, Man) & row(if me = White: 8 else 1)] := (me, King)
end
  me wins when stuck
  draw    when earlier(at, me) = 2
)");
    CHECK(program->boards[ir::BoardId{0}].sites.size() == 32);
    REQUIRE(program->turn);
    CHECK(program->turn->alternatives.size() == 2);
    CHECK(valid(program->turn->chains[program->turn->alternatives[0]].most));
    CHECK(program->turn->then.size() == 1);
    CHECK(program->keys.size() == 1);
    CHECK(program->keys[ir::KeyId{0}].maps.size() == 1);
    CHECK(program->keys[ir::KeyId{0}].parts.size() == 1);
    CHECK(program->states[ir::StateId{1}].local);
    CHECK(program->states[ir::StateId{2}].initial.size() == 32);
    CHECK_FALSE(program->keeps_last);
}

TEST_CASE("backgammon: two indices, dice as state, the sum of a parameter over the steps") {
    const auto program = program_of(R"(game "Dice"
players White, Black
type point = 0..25
state men: player, point -> 0..15 = 2 on (_, 24), 5 on (_, 13), 3 on (_, 8), 5 on (_, 6)
state dice: 1..6 -> 0..4
def rear(p: player) = max {f: point | men[p, f] > 0}
chance roll(a: 1..6, b: 1..6)
  when (all n: 1..6: dice[n] = 0), a <= b
  weight if a = b: 1 else 2
  then dice[a] := if a = b: 4 else 1, if a < b: dice[b] := 1
move play(f: 1..25, d: 1..6)
  let t = max(0, f - d), b = 25 - t
  when dice[d] > 0, men[me, f] > 0, f = 25 or men[me, 25] = 0,
       if t > 0: men[foe, b] <= 1 else rear(me) <= 6 and (f = d or f = rear(me))
  then dice[d] -= 1, men[me, f] -= 1, men[me, t] += 1,
       if t > 0 and men[foe, b] = 1: (men[foe, b] := 0, men[foe, 25] := men[foe, 25] + 1)
turn play* most sum d
  then dice := 0
end me wins (if men[foe, 0] > 0: 1 else 2) when men[me, 0] = 15
)");
    const auto& chain = program->turn->chains[program->turn->alternatives[0]];
    CHECK(chain.steps.front().repeat == ir::PlanStep::Repeat::Star);
    REQUIRE(chain.most_sum.size() == 2);
    CHECK(valid(chain.most_sum[1]));
    CHECK(rule(*program, "roll").chance);
    CHECK(rule(*program, "play").code_count == 25 * 6);
    CHECK(program->states[ir::StateId{0}].initial.size() == 52);
    CHECK(program->states[ir::StateId{0}].initial[24] == 2);
    CHECK(program->slot_count == 58);
}

TEST_CASE("kalah: a ring, sowing along a path that skips") {
    const auto program = program_of(R"(game "Kalah"
param houses = 6, seeds = 4
players South, North
board pit = ring(2 * houses + 2)
def store(p: player) = pit(if p = South: houses + 1 else 2 * houses + 2)
def row(p: player) = store(p).~on^(1..houses)
state n: pit -> 0..2 * houses * seeds = seeds on row(_)
path round = on & pit \ store(foe) | (on & store(foe)).on
move play(h: pit)
  let last = h.round^(n[h])
  when h in row(me), n[h] > 0
  then sow(n, h, round)
  then if last = store(me): again
end when some p: player: all h in row(p): n[h] = 0
  payoff p = (sum h in row(p) | store(p): n[h]) - (sum h in row(next(p)) | store(next(p)): n[h])
)");
    const auto& play = rule(*program, "play");
    REQUIRE(play.then.size() == 3);
    CHECK(play.then[0].lets.size() == 2);
    CHECK(program->states[ir::StateId{0}].initial ==
          std::vector<std::uint32_t>{4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0});
    CHECK_FALSE(program->keeps_last); // nobody asks who moved last
}

TEST_CASE("morris: lines, optional steps of a turn") {
    const auto program = program_of(R"(game "Small Morris"
players White, Black
board point = lines
  E: a1 b1 c1, a2 b2 c2, a3 b3 c3
  N: a1 a2 a3, b1 b2 b3, c1 c2 c3
state at: point -> player?
state hand: player -> 0..3 = 3
local put: point?
move place(c: point)
  when hand[me] > 0, c in empty
  then at[c] := me, hand[me] -= 1, put := c
move shift(f: point, t: point)
  when f in at.me, t in empty, count at.me = 3 or t in f.adj
  then at[f] := none, at[t] := me, put := t
move take(c: point)
  when put in lined(3, at.me), c in either(at.foe \ lined(3, at.foe), at.foe)
  then at[c] := none
turn (place else shift) take?
end me wins when stuck or hand[foe] + count at.foe < 3
)");
    const auto& board = program->boards[ir::BoardId{0}];
    CHECK(board.dir_count == 4); // the opposites of compass names are there too
    CHECK(board.sites.front().name == "a1");
    CHECK(board.sites.back().name == "c3");
    CHECK(board.axes.count() == 2);
    CHECK(program->turn->chains.size() == 3);
}

TEST_CASE("chess: rows, default glyphs, castling, a key with a question") {
    const auto program = program_of(R"(game "Chess"
players White, Black
board square = grid(8, 8)
type kind = Pawn | Knight | Bishop | Rook | Queen | King
state at: square -> (player, kind)? = rows "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
state rooks: set square = {a1, h1, a8, h8}
state skipped: square?
def hit(p: player) = union f in men(p): f.compass | f.offsets(1, 2)
move go(f: square, t: square, as: kind)
  when at[f] is (me, k), t in f.slide(compass) \ men(me), as in (if k = Pawn: {Knight, Queen} else {k})
  then at[f] := none, at[t] := (me, as), rooks := rooks \ {f, t}, skipped := if k = Pawn: f.N else none
  ensure no at.(me, King) & hit(foe)
move castle(d: dir)
  let k = the at.(me, King), r = the rooks & at.(me, Rook) & k.slide(d)
  when r is not none, no hit(foe) & (k | k.d | k.d^2)
  then at[k] := none, at[r] := none, at[k.d^2] := (me, King), at[k.d] := (me, Rook)
end
  me wins when stuck
  draw    when earlier(at, rooks, {s = skipped | can go(_, s, _) for foe}, me) = 2
notation go "{f}{t}{if as = Queen: {a1} else {}}"
glyph (White, King) "K" white, none "-"
)");
    const auto& at = program->states[ir::StateId{0}];
    const auto pawn = program->types.ordinal(at.value, 0); // (White, Pawn)
    CHECK(at.initial[8] == *pawn);
    CHECK(at.initial[1] == *pawn + 1); // a knight on b1
    CHECK(rule(*program, "go").code_count == 64 * 64 * 6);
    CHECK(program->notations[0][0].text.size() == 3);
    CHECK(program->keys[ir::KeyId{0}].parts.size() == 3);
    const auto glyph = std::ranges::find(program->glyphs, ir::none, &ir::Glyph::value);
    REQUIRE(glyph != program->glyphs.end());
    CHECK(glyph->text == "-");
    CHECK(std::ranges::count(program->glyphs, "N", &ir::Glyph::text) == 1); // Knight, beside K for King
}

TEST_CASE("letters of members without a glyph") {
    const auto letters = [](const std::string& kinds, const std::string& glyphs = "") {
        const auto program =
            program_of(game_with("type kind = " + kinds + "\nstate on: cell -> (player, kind)? = none", "1") + glyphs);
        std::string all;
        for (const auto& glyph : program->glyphs)
            if (program->types.kind(glyph.type) == ir::TypeKind::Enum) all += glyph.text;
        return all;
    };
    CHECK(letters("King | Queen | Rook | Bishop | Knight | Pawn") == "KQRBNP");
    CHECK(letters("Pawn | Knight | Bishop | Rook | Queen | King") == "PNBRQK");
    CHECK(letters("Chariot | Horse | Advisor | Cannon") == "RHAC");
    CHECK(letters("Xy | Xx | Y | X") == "ABYX"); // no letter of their names is free
    CHECK(letters("King | Knight", "glyph (A, King) \"N\"\n") == "KI");
    CHECK(letters("King | Knight", "glyph (A, Knight) \"N\"\n") == "KN");
    CHECK(letters("King | Knight", "glyph none \"k\"\n") == "IN");
}

TEST_CASE("one glyph for all values that a pattern matches") {
    const auto program =
        program_of(game_with("type kind = Man | King\nstate on: cell -> (player, kind)? = rows \"4/x3/4/M3\"", "1") +
                   "glyph (B, _) \"x\" red\n");
    CHECK(std::ranges::count(program->glyphs, "x", &ir::Glyph::text) == 2);
    CHECK(program->states[ir::StateId{1}].initial[0] == 1);
    CHECK(program->states[ir::StateId{1}].initial[8] == 3);
}

TEST_CASE("phases give their condition to each rule") {
    const auto program = program_of(R"(game "Phases"
players A, B
state stage: 0..2
state n: 0..9
phase first when stage = 0, n < 9 {
  move more then n += 1
  move on then stage := 1
}
phase second when stage = 1 {
  chance fall(k: 1..3) then n := k, stage := 2
}
end draw when stage = 2
)");
    CHECK(rule(*program, "more").when.size() == 2);
    CHECK(rule(*program, "fall").when.size() == 1);
}

TEST_CASE("effects with names inside a branch") {
    const auto program = program_of(R"(game "Effects"
players A, B
board cell = grid(3, 3)
state at: cell -> player?
state n: 0..9
effect fill(c: cell, k: int) =
  let more = k + count at.(_)
  at[c] := me, n := min(9, more)
move mark(c: cell)
  when c in empty
  then if c = b2: fill(c, n) else at[c] := me
end draw when no empty
)");
    const std::string text = ir::print(*program);
    CHECK(text.find("let k") != std::string::npos);
    CHECK(text.find("let more") != std::string::npos);
}
