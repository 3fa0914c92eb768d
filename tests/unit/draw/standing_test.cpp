// Boards of games that say by variables where things stand: in pipes, on terminals, and as pictures.

#include "draw/terminal/position.hpp"
#include "tests/unit/draw/pictures.hpp"
#include "tests/unit/draw/rules.hpp"

#include <doctest/doctest.h>

using namespace zug;

namespace {

const std::string game_head = "players Red, Blue\nboard cell = grid(4, 3)\nstate n: 0..9\n";
const std::string game_tail = "\nmove wait\n  then n += 1\nend draw when n = 9\n";
const std::string pawn_rules = "state pawn: player -> cell? = a1 on Red, d3 on Blue\nmove go(t: cell)\n"
                               "  when t in pawn[me].ortho\n  then pawn[me] := t\n";

std::string in_pipe(const game::Game& original, const std::string& moves = "") {
    game::Game game = original.clone();
    const auto state = game.play_line(game.initial(), moves);
    REQUIRE_MESSAGE(state, state.error().text);
    return "\n" + game.draw(*state, false);
}

std::string at_terminal(const game::Game& original, bool unicode, const std::string& moves = "") {
    game::Game game = original.clone();
    const auto state = game.play_line(game.initial(), moves);
    REQUIRE_MESSAGE(state, state.error().text);
    const draw::terminal::Screen screen{.unicode = unicode, .colour = false, .width = 80};
    return "\n" + draw::terminal::TerminalPositions(game, screen).text(game, *state);
}

game::Game game_of(const std::string& declarations) { return game_from(game_head + declarations + game_tail); }

} // namespace

TEST_CASE("standing: pieces have the glyphs of their players, sets of sites a mark") {
    const game::Game game = game_of(
        pawn_rules + "state gone: set cell\nmove cut(c: cell)\n  when c not in gone\n  then gone := gone | c\n");
    const std::string board = "\n3 . . . B\n2 R . . .\n1 . # . .\n  a b c d\n";
    CHECK(in_pipe(game, "go a2; cut b1") == board + "n: 0\nRed to move\n");
    CHECK(at_terminal(game, false, "go a2; cut b1") == board + "Red to move\n");
    CHECK(at_terminal(game, true, "go a2; cut b1") == "\n3 · · · B\n2 R · · ·\n1 · # · ·\n  a b c d\nRed to move\n");
    // A piece hides what it stands on.
    CHECK(in_pipe(game, "cut a1").starts_with("\n3 . . . B\n2 . . . .\n1 R . . .\n"));
}

TEST_CASE("standing: members and numbers are pieces, several sets have letters that nothing else has") {
    const game::Game game = game_of(
        "type animal = Fox | Goose\nstate den: animal -> cell? = b2 on Fox\nstate walls: set cell = {a1}\n"
        "state wells: set cell = {c1}\nmove place(a: animal, c: cell)\n  then den[a] := c, walls := walls | c.N, "
        "wells := wells \\ c\n");
    CHECK(in_pipe(game).starts_with("\n3 . . . .\n2 . F . .\n1 w . e .\n"));
    CHECK(in_pipe(game, "place Goose-d2").starts_with("\n3 . . . w\n2 . F . G\n1 w . e .\n"));
    const game::Game numbers =
        game_of("state man: 1..3 -> cell? = b1 on 1, b2 on 2\nmove go(k: 1..3, c: cell)\n  then man[k] := c\n");
    CHECK(in_pipe(numbers, "go 3-c1").starts_with("\n3 . . . .\n2 . 2 . .\n1 . 1 3 .\n"));
}

TEST_CASE("standing: of several variables each has a letter, small for the second player") {
    const game::Game game = game_of("state rover: player -> cell = a1 on Red, d3 on Blue\nstate rock: cell? = b2\n"
                                    "move go(c: cell)\n  then rover[me] := c, if c = rock: rock := none\n");
    CHECK(in_pipe(game).starts_with("\n3 . . . r\n2 . O . .\n1 R . . .\n"));
    CHECK(at_terminal(game, false) == "\n3 . . . r\n2 . O . .\n1 R . . .\n  a b c d\nRed to move\n");
}

TEST_CASE("standing: a pile is its values, the lowest first") {
    const std::string piles = "type level = 1..3\nstate pile: cell, level -> player?\nmove put(c: cell, l: level)\n"
                              "  when pile[c, l] = none, l = 1 or pile[c, l - 1] != none\n  then pile[c, l] := me";
    const std::string board = "3  .  .  .  .\n2  .  . RB  .\n1  R  .  .  .\n   a  b  c  d\n";
    CHECK(in_pipe(game_of(piles), "put c2-1; put c2-2; put a1-1").starts_with("\n" + board));
    CHECK(at_terminal(game_of(piles), false, "put c2-1; put c2-2; put a1-1") == "\n" + board + "Blue to move\n");
    // One text has one colour, so that it needs letters.
    game::Game game = game_of(piles);
    const auto state = game.play_line(game.initial(), "put c2-1; put c2-2");
    REQUIRE(state);
    const draw::terminal::Screen colours{.unicode = true, .colour = true, .width = 80};
    CHECK(draw::terminal::TerminalPositions(game, colours).text(game, *state).find("RB") != std::string::npos);
    // Beside another map there are two boards.
    const std::string both =
        in_pipe(game_of("state height: cell -> 0..3\n" + piles + ", height[c] += 1\n"), "put b1-1");
    CHECK(
        both.starts_with("\nheight:\n3 0 0 0 0\n2 0 0 0 0\n1 0 1 0 0\n  a b c d\npile:\n3 . . . .\n2 . . . .\n1 . R . "
                         ".\n  a b c d\n"));
}

TEST_CASE("standing: maps to truths are marks, maps to numbers boards of their own, and where men face is told") {
    const game::Game flags = game_of(
        pawn_rules + "state gone: cell -> bool\nmove cut(c: cell)\n  when not gone[c]\n  then gone[c] := true\n");
    CHECK(in_pipe(flags, "cut b1").starts_with("\n3 . . . B\n2 . . . .\n1 R # . .\n  a b c d\nn: 0\n"));
    const game::Game heights = game_of(
        pawn_rules + "state height: cell -> 0..3\nmove build(c: cell)\n  when height[c] < 3\n  then height[c] += 1\n");
    CHECK(in_pipe(heights, "build b1") == "\nheight:\n3 0 0 0 0\n2 0 0 0 0\n1 0 1 0 0\n  a b c d\npawn:\n3 . . . B\n"
                                          "2 . . . .\n1 R . . .\n  a b c d\nn: 0\nBlue to move\n");
    const game::Game robots = game_of(pawn_rules + "state facing: player -> dir = N\nmove face(d: {N, E})\n"
                                                   "  then facing[me] := d\n");
    CHECK(at_terminal(robots, false, "face E") ==
          "\n3 . . . B\n2 . . . .\n1 R . . .\n  a b c d\nfacing: Red E, Blue N\nBlue to move\n");
    // A map that says all itself is the only board.
    const game::Game told = game_of("state at: cell -> player?\nstate seen: set cell\nmove put(c: cell)\n"
                                    "  when c in empty\n  then at[c] := me, seen := seen | c\n");
    CHECK(at_terminal(told, false, "put b1") == "\n3 . . . .\n2 . . . .\n1 . R . .\n  a b c d\nBlue to move\n");
}

TEST_CASE("standing: pictures show and say it, and a set has the shape of its look") {
    const std::string text = pawn_rules + "state gone: set cell = {b1}\nmove cut(c: cell)\n  when c not in gone\n"
                                          "  then gone := gone | c\n";
    game::Game plain = game_of(text), crates = game_of(text + "look gone crate\n");
    const std::string svg = drawn(plain);
    CHECK(svg.find("a1: Red pawn; b1: gone; d3: Blue pawn.") != svg.npos);
    CHECK(drawn(crates) != svg);
    (void)game_of("state at: cell -> player?\nstate seen: set cell = {a1}\nmove put(c: cell)\n"
                  "  when c in empty\n  then at[c] := me, seen := seen | c\nlook seen cards\n");
    game::Game piles = game_of("state pile: cell, 1..3 -> player?\nmove put(c: cell, l: 1..3)\n"
                               "  when pile[c, l] = none\n  then pile[c, l] := me\n");
    CHECK(drawn(piles, "put b1-1; put b1-2").find("b1: Red, Blue.") != std::string::npos);
}
