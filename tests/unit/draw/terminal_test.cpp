// Positions as a person at a terminal sees them: of every game of rules/, and line for line of a few.

#include "base/file.hpp"
#include "base/printable.hpp"
#include "draw/terminal/board_lines.hpp"
#include "draw/terminal/position.hpp"
#include "executor/random_play.hpp"
#include "tests/unit/draw/rules.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace zug;
using draw::terminal::Screen;
using draw::terminal::TerminalPositions;

namespace {

constexpr Screen wide{.unicode = true, .colour = false, .width = 100},
    ascii{.unicode = false, .colour = false, .width = 100};

std::string shown(game::Game game, const Screen& screen, const std::string& moves = "") {
    const auto state = game.play_line(game.initial(), moves);
    REQUIRE_MESSAGE(state, state.error().text);
    return "\n" + TerminalPositions(game, screen).text(game, *state);
}

std::string shown(const std::string& name, const Screen& screen, const std::string& moves = "",
                  const lang::Overrides& parameters = {}) {
    return shown(load_rules(name, parameters), screen, moves);
}

// The rules, but for the declaration of their `look`.
game::Game without_look(const std::string& name) {
    const auto file = read_file(std::string(ZUG_SOURCE_DIR) + "/rules/" + name + ".zug", 1 << 20);
    REQUIRE(file);
    const std::size_t begin = file->find("\nlook "), end = file->find("\nnotation ", begin);
    REQUIRE(begin != file->npos);
    const lang::Loaded loaded = lang::load_text("test.zug", file->substr(0, begin) + file->substr(end));
    REQUIRE_MESSAGE(loaded.program, diag::render(loaded.sources, loaded.report));
    return game::Game(loaded.program);
}

bool is_ascii(const std::string& text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

} // namespace

TEST_CASE("terminal: every game is shown, at the start and after some random moves, the same each time") {
    for (const std::string& name : names_of_rules()) {
        CAPTURE(name);
        game::Game game = load_rules(name);
        const TerminalPositions unicode(game, wide), plain(game, ascii), again(game, wide);
        const TerminalPositions colours(game, {.unicode = true, .colour = true, .width = 100});
        game::State state = game.initial(), next;
        game::MoveList moves;
        Random random(7);
        for (int ply = 0; ply < 12; ++ply) {
            const std::string text = unicode.text(game, state);
            CHECK(text == again.text(game, state));
            CHECK(text == printable(text));
            CHECK(!text.empty());
            // What is left without its colours is the same.
            std::string bare = colours.text(game, state);
            for (std::size_t at = bare.find('\x1b'); at != bare.npos; at = bare.find('\x1b'))
                bare.erase(at, bare.find('m', at) + 1 - at);
            CHECK(std::ranges::count(bare, '\n') == std::ranges::count(text, '\n'));
            if (is_ascii(game.draw(state, false))) CHECK(is_ascii(plain.text(game, state)));
            const game::NodeKind kind = game.expand(state, moves);
            if (kind != game::NodeKind::Decision && kind != game::NodeKind::Chance) break;
            REQUIRE(game.successor(state, moves, run::random_entry(moves, kind, random), next));
            std::swap(state, next);
        }
    }
}

TEST_CASE("terminal: points lie on their lines") {
    CHECK(shown("nine-mens-morris", wide, "a1 d5 g7") == R"(
7 ┌─────┬─────○
6 │ ┌───┼───┐ │
5 │ │ ┌─●─┐ │ │
4 ├─┼─┤   ├─┼─┤
3 │ │ └─┬─┘ │ │
2 │ └───┼───┘ │
1 ○─────┴─────┘
  a b c d e f g
hand: 15
● Black to move
)");
    CHECK(shown("three-mens-morris", ascii, "b2") == R"(
3 .---.---.
  | \ | / |
2 .---W---.
  | / | \ |
1 .---.---.
  a   b   c
hand: 5
Black to move
)");
    CHECK(shown("go", wide, "b2 c3", {{"size", "3"}}) == R"(
3 ┌─┬─○
2 ├─●─┤
1 └─┴─┘
  a b c
● Black to move
)");
    const Screen screen{.unicode = true};
    draw::terminal::BoardLines lines(screen);
    lines.add({0, 0}, {4, 2});
    lines.add({4, 0}, {0, 2});
    draw::terminal::Characters page;
    lines.write(page);
    CHECK(page.lines(false) == "╳\n");
}

TEST_CASE("terminal: hexagonal boards and stars have letters") {
    CHECK(shown("havannah", ascii, "c1 d3", {{"size", "3"}}) == R"(
     a b c
  5 . . . d
 4 . . . . e
3 . . . X .
 2 . . . .
  1 O . .
White to move
)");
    const std::string star = shown("chinese-checkers", ascii);
    CHECK(star.find("\n 4 e f g h i R R R R n o p q\n") != star.npos);
    // Letters that name rows.
    const std::string abalone = shown("abalone", ascii);
    CHECK(abalone.find("\n    I O O O O O\n   H O O O O O O\n") != abalone.npos);
    CHECK(abalone.find("\n    A X X X X X 6\n       1 2 3 4 5\n") != abalone.npos);
}

TEST_CASE("terminal: pits are in two rows, with what moves call them and whose they are") {
    CHECK(shown("kalah", ascii, "3 2") == R"(
p14    6    5    4    3    2    1
  0    4    4    4    4    4    4   North
  4    0    1    6    6    6    1   South
  1    2    3    4    5    6   p7
North to move
)");
}

TEST_CASE("terminal: tracks are in the rows of their look") {
    CHECK(shown("backgammon", wide, "64 24/18 13/9") == R"(
White 13 14 15 16 17 18 25 19 20 21 22 23 24
      4○  ·  ·  · 3●  ○  · 5●  ·  ·  ·  ·  ○  ·
Black 12 11 10  9  8  7     6  5  4  3  2  1  0

White 12 11 10  9  8  7     6  5  4  3  2  1  0
      5●  ·  ·  ○ 3○  ·  · 5○  ·  ·  ·  · 2●  ·
Black 13 14 15 16 17 18 25 19 20 21 22 23 24
● a chance event, Black's turn
)");
    CHECK(shown("hypergammon", ascii, "31").find("dice: [1] [3]\n") != std::string::npos);
    CHECK(shown("royal-game-of-ur", ascii, "4 0/4 2").starts_with(R"(
W  .  .  . 6W  .  *  .
.  .  .  *  .  .  .  .
*  .  .  . 7B  .  *  .
)"));
    const std::string ludo = shown("ludo", ascii, "Red");
    CHECK(ludo.find("\n        4G        .  .  .       4Y\n") != ludo.npos);
    // Too wide: the places where somebody is.
    CHECK(shown("ludo", {.unicode = false, .colour = false, .width = 40}, "Red").find("\n         0\nRed      4\n") !=
          std::string::npos);
}

TEST_CASE("terminal: without a look, tracks on which players meet are one") {
    CHECK(shown(without_look("backgammon"), wide, "64 24/18 13/9") == R"(
White  13  14  15  16  17  18  19  20  21  22  23  24
       4○   ·   ·   ·  3●  1○  5●   ·   ·   ·   ·  1○
Black  12  11  10   9   8   7   6   5   4   3   2   1

White  12  11  10   9   8   7   6   5   4   3   2   1
       5●   ·   ·  1○  3○   ·  5○   ·   ·   ·   ·  2●
Black  13  14  15  16  17  18  19  20  21  22  23  24
● a chance event, Black's turn
)");
    // Others are beside each other.
    CHECK(shown(without_look("royal-game-of-ur"), ascii, "4").find("\nWhite   7   .   .") != std::string::npos);
}

TEST_CASE("terminal: chessmen and draughtsmen, rows of numbered sites") {
    CHECK(shown("chess", wide).find("\n8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜\n") != std::string::npos);
    CHECK(shown("chess", ascii).find("\n8 r n b q k b n r\n") != std::string::npos);
    const std::string draughts = shown("english-draughts", wide);
    CHECK(draughts.find("\n13-16 ·   ·   ·   ·\n") != draughts.npos);
    // Without colours stones of other colours could not be told apart.
    CHECK(shown("hex", wide, "a1", {{"size", "2"}}).find("\n1 R ·\n") != std::string::npos);
    CHECK(shown("hex", {.unicode = true, .colour = true, .width = 80}, "a1", {{"size", "2"}}).find("●") !=
          std::string::npos);
}

TEST_CASE("terminal: before who is to move stands their sign, if it is no letter") {
    const Screen colours{.unicode = true, .colour = true, .width = 80};
    CHECK(shown("hex", colours, "", {{"size", "2"}}).ends_with("\n\x1b[31m●\x1b[0m Red to move\n"));
    CHECK(shown("hex", wide, "", {{"size", "2"}}).ends_with("\nRed to move\n"));
    CHECK(shown("tic-tac-toe", wide).ends_with("\nX to move\n"));
    CHECK(shown("chess", wide, "e2e4").ends_with("\n● Black to move\n"));
}

TEST_CASE("terminal: what players have is told by player") {
    const auto shows = [](const std::string& text, const std::string& part) {
        CAPTURE(text);
        CHECK(text.find(part) != text.npos);
    };
    shows(shown("onitama", ascii, "Cobra Goose Horse Dragon Rabbit"), "\nhand: Red Goose Cobra, Blue Dragon Horse\n");
    shows(shown("sim", ascii, "12 34"), "\ncolour: Red 12 21, Blue 34 43\n");
    shows(shown("double-dummy", ascii, "S14 C2"), "\nholder: ");
    shows(shown("double-dummy", ascii, "S14"), " S14\n");
    shows(shown("double-dummy", wide, "S14"), " ♠14\n");
    shows(shown("sim", {.unicode = false, .colour = false, .width = 10}, "12 34"),
          "colour:\n  Red 12 21\n  Blue 34 43\n");
}

TEST_CASE("terminal: sides belong to those who have to join them") {
    CHECK(shown("hex", ascii).find("\nsides: Red bottom and top, Blue left and right\n") != std::string::npos);
    for (const std::string name : {"havannah", "tic-tac-toe", "gomoku", "othello", "reverse-hex", "breakthrough"}) {
        CAPTURE(name);
        CHECK(shown(name, ascii).find("sides:") == std::string::npos);
    }
}

TEST_CASE("terminal: other graphs are drawn as pictures show them, if they fit") {
    const std::string graph = shown("mu-torere", ascii);
    for (const std::string place : {"X a", "O e", ".-m"}) CHECK(graph.find(place) != graph.npos);
    CHECK(shown("mu-torere", {.unicode = false, .colour = false, .width = 20})
              .find("at:\n  Black a b c d\n  White e f g h\n") != std::string::npos);
}
