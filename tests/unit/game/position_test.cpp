// Positions written in the format that a file declares, and sites with texts of their own.

#include "tests/unit/game/text_games.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace zug;
using namespace zug::game;

namespace {

std::string reread(Game& game, std::string_view text) {
    const auto state = game.parse_position(text);
    REQUIRE_MESSAGE(state, text, ": ", (state ? "" : state.error().text));
    return game.position_text(*state);
}

std::string problem(Game& game, std::string_view text) {
    const auto state = game.parse_position(text);
    REQUIRE_MESSAGE(!state, text);
    return state.error().text;
}

// All that FEN needs, and moves that lead there.
const std::string fen = R"(game "Test"
players White, Black
board square = grid(8, 8)
type kind = Pawn | Knight | Bishop | Rook | Queen | King
state at: square -> (player, kind)? = rows "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
state rooks: set square = {a1, h1, a8, h8}
state skipped: square?
state quiet: 0..100
move go(f: square, t: square)
  when at[f] is (me, _), t in empty
  then at[f] := none, at[t] := at[f], rooks := rooks \ {f}, quiet := quiet + 1,
       skipped := if t in f.N^2: f.N else none
move lift(f: square)
  when f in rooks \ {a1, h1, a8, h8}
  then rooks := rooks | {d4}
end draw when quiet = 99
position "{at} {turn} {rooks} {skipped} {quiet} {_ 1}"
  turn White "w", Black "b"
  rooks h1 "K", a1 "Q", h8 "k", a8 "q"
)";

} // namespace

TEST_CASE("FEN, out and in") {
    Game game = game_of(fen);
    const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    CHECK(game.position_text(game.initial()) == start);
    CHECK(game.position_text(after(game, "go e2e4")) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 1 1");
    for (const std::string& text : std::vector<std::string>{
             start, std::string("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
             std::string("8/8/8/8/8/8/8/8 b - a3 99 1"), std::string("8/8/8/8/8/8/8/8 b Kq - 7 1")})
        CHECK(reread(game, text) == text);
    CHECK(reread(game, " 8/8/8/8/8/8/8/8   b  qK - 7 31 ") == "8/8/8/8/8/8/8/8 b Kq - 7 1");
    CHECK(reread(game, "8/8/8/8/8/8/8/8 Black {h1,a8} none") == "8/8/8/8/8/8/8/8 b Kq - 0 1");
    CHECK(reread(game, "") == start);
    CHECK(reread(game, "8/8/8/8/8/8/8/8") == "8/8/8/8/8/8/8/8 w KQkq - 0 1");
    CHECK(reread(game, "quiet=9 turn=Black at=a1:none") == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR b KQkq - 9 1");
}

TEST_CASE("text at the ends") {
    Game game = game_of(R"(game "Test"
players A, B
board cell = grid(2, 2)
state at: cell -> player?
move mark(c: cell)
  when c in empty
  then at[c] := me
end draw when no empty
position "a/ {turn}; {at}/b"
)");
    CHECK(game.position_text(after(game, "a1")) == "a/ B; 2/A1/b");
    CHECK(reread(game, "a/ B ;   2/A1") == "a/ B; 2/A1/b");
}

TEST_CASE("members without a text") {
    Game game = game_of(fen);
    CHECK(reread(game, "at=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR rooks={a1,d4} turn=White") ==
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w {a1,d4} - 0 1");
}

TEST_CASE("what is wrong with a position") {
    Game game = game_of(fen);
    const std::string empty = "8/8/8/8/8/8/8/8";
    CHECK(problem(game, "8/8/8/8/8/8/8 w") == "position, column 1: found 7 rows, `square` has 8");
    CHECK(problem(game, empty + " x") == "position, column 17: found `x`, expected one of w, b, White, Black");
    CHECK(problem(game, empty + " w KX") == "position, column 20: found `X`, expected one of K, Q, k, q, or `-`");
    CHECK(problem(game, empty + " w KK") == "position, column 20: a second `K`");
    CHECK(problem(game, empty + " w K e9") == "position, column 21: found `e9`; did you mean `e1`?");
    CHECK(problem(game, empty + " w K - 101") == "position, column 23: found `101`; did you mean `10`?");
    CHECK(problem(game, empty + " w K - 1 1 0") == "position, column 27: found `0` after the end of the position");
    CHECK(problem(game, "turm=w") == "position, column 1: unknown field `turm`; did you mean `turn`?");
}

TEST_CASE("the format of a file that is extended, which fits or not") {
    const auto chess_with = [](const std::string& more) {
        const lang::Loaded loaded =
            lang::load_text("test.zug", "extends \"chess.zug\"\n" + more, {}, {ZUG_SOURCE_DIR "/rules"});
        INFO(diag::render(loaded.sources, loaded.report));
        REQUIRE(loaded.program);
        return Game(loaded.program, ExecutorKind::Reference);
    };
    const auto has = [](const std::string& text, std::string_view part) {
        return text.find(part) != std::string::npos;
    };
    Game limited = chess_with("param quiet_limit = 9\n");
    const std::string wrong = problem(limited, "4k3/8/8/8/8/8/8/4K3 w - - 99 1");
    CHECK(has(wrong, "position, column 27: found `99`"));
    CHECK(has(wrong, "(in `{quiet}` of the `position` of "));
    CHECK(has(wrong, "chess.zug:"));

    Game counted = chess_with("state passes: 0..9\nmove pass\n  when passes < 9\n  then passes += 1\n");
    const std::string unread = problem(counted, "4k3/8/8/8/8/8/8/4K3 w - - 7 1");
    CHECK(has(unread, "is not used, because it does not fit this game: "));
    CHECK(has(unread, "the format of positions leaves out `passes`"));
    CHECK(!has(problem(counted, "turm=White"), "not used"));
}

TEST_CASE("other formats: text between fields, lists, locals, who moved last") {
    const std::string text = R"(game "Test"
players A, B
state n: player -> 0..9
state most: 0..9
local here: 0..3
move add(k: 1..3)
  when n[me] < 6
  then n[me] += k, here := k, if k > 1: again, most := max(most, k)
end draw when n[me] > 5
position "at {n};{turn} by {last} most={most}/"
)";
    Game game = game_of(text);
    CHECK(game.program().keeps_last);
    CHECK(game.position_text(game.initial()) == "at -;A by B most=0/");
    CHECK(game.position_text(after(game, "1")) == "at A:1;B by A most=1/");
    CHECK(reread(game, "at A:3,B:4 ; B  by  A most=2/") == "at A:3,B:4;B by A most=2/");
    CHECK(reread(game, "at _:3,B:4;B") == "at A:3,B:4;B by A most=0/");
    // The local variable is no part of the format.
    CHECK(game.position_text(after(game, "2")) == "n=A:2 most=2 here=2 turn=A last=A");
    CHECK(problem(game, "at A:3:B") == "position, column 4: found `A:3:B`, expected `index:value`");
    CHECK(problem(game, "to A:3;B") == "position, column 1: found `to`, expected `at `");
    CHECK(problem(game, "at A:3;B by A least=0/") == "position, column 15: found `least=0/`, expected `most=`");
}

TEST_CASE("sites in texts of their own") {
    Game game = game_of(R"(game "Test"
players Black, White
board square = grid(8, 8) where (x + y) mod 2 = 0
type kind = Man | King
state at: square -> (player, kind)? = (Black, Man) on row(1..3), (White, Man) on row(6..8)
state marks: set square
state seen: square -> 0..3
state from: square?
move step(f: square, d: dir)
  when f in men(me), f.d in empty
  then at[f.d] := at[f], at[f] := none, marks := {f, f.d}, seen[f] := 3, from := f
move go(f: square, t: square)
  when f in men(me), t in empty, from != a3
  then at[t] := at[f], at[f] := none
end draw when no empty
notation step "{f}-{f.d}"
notation square(c) "{4 * (8 - y(c)) + (x(c) + 1) div 2}"
)");
    const State state = after(game, "21-17");
    CHECK(game.position_text(state) == "at=1m1m1m1m/m1m1m1m1/1m1m1m1m/8/1M6/2M1M1M1/1M1M1M1M/M1M1M1M1 marks={21,17} "
                                       "seen=21:3 from=21 turn=White");
    CHECK(reread(game, game.position_text(state)) == game.position_text(state));
    CHECK(reread(game, "at=21:none,17:(Black,King) from=32") ==
          "at=1m1m1m1m/m1m1m1m1/1m1m1m1m/8/1K6/2M1M1M1/1M1M1M1M/M1M1M1M1 from=32 turn=Black");
    CHECK(problem(game, "from=a1") == "position, column 6: found `a1`; did you mean `31`?");
    CHECK(game.draw(state, false).find("a b c d e f g h") != std::string::npos);
    MoveList moves;
    game.expand(game.initial(), moves);
    const auto texts = game.move_texts(game.initial(), moves);
    CHECK(std::ranges::find(texts, "go 21-17") != texts.end());
    CHECK(texts.size() > 50);
}

TEST_CASE("glyphs of several characters in rows, drawings and moves") {
    Game game = game_of(R"(game "Test"
players Sente, Gote
board square = grid(3, 2)
type kind = Pawn | Gold | Tokin | Stone
state at: square -> (player, kind)? = rows "+pg1/1*G"
move go(f: square, t: square)
  when f in men(me), t in f.compass \ men(me)
  then at[f] := none, at[t] := at[f]
end draw when no men(Sente)
glyph Tokin "+P", (Sente, Stone) "*"
notation go "{at[f]}{f}{t}"
)");
    CHECK(game.position_text(game.initial()) == "at=+pg1/1*G turn=Sente");
    CHECK(game.draw(game.initial(), false) == "2 +p  g  .\n"
                                              "1  .  *  G\n"
                                              "   a  b  c\n"
                                              "Sente to move\n");
    const State state = after(game, "*b1b2 +pa2a1");
    CHECK(game.position_text(state) == "at=1*1/+p1G turn=Sente");
    CHECK(reread(game, "at=s+Ps/3 turn=Gote") == "at=s+Ps/3 turn=Gote");
    const auto wrong = game.parse_position("at=+q2/3");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().text == "position, column 4: unknown glyph `+`; the glyphs are P G +P * p g +p s");
}

TEST_CASE("tuples by their glyphs") {
    Game game = game_of(R"(game "Test"
players A, B
board cell = ring(3)
type size = Tall | Short
type hue = Dark | Pale
state at: cell -> (size, hue)?
state given: (size, hue)?
move put(c: cell, s: size, h: hue)
  when at[c] = none
  then at[c] := (s, h), given := (s, h)
end draw when no at.none
glyph (Tall, Dark) "TD", (Tall, Pale) "tt", (Short, Dark) "tt"
notation put "{c}{(s, h)}{given}"
)");
    const State state = after(game, "p1TD p2ttTD (put p2-Tall-Pale)");
    CHECK(game.position_text(state) == "at=p1:TD,p2:(Tall,Pale) given=(Tall,Pale) turn=A");
    CHECK(reread(game, "at=p1:(Tall,Dark),p2:(Tall,Pale) given=TD") == "at=p1:TD,p2:(Tall,Pale) given=TD turn=A");
}
