// Pictures of positions: of every game of rules/, and what a few of them show.

#include "draw/board/layout/layout.hpp"
#include "draw/board/picture.hpp"
#include "draw/board/pieces/palette.hpp"
#include "draw/board/roles.hpp"
#include "executor/random_play.hpp"
#include "tests/unit/draw/pictures.hpp"
#include "tests/unit/draw/rules.hpp"
#include "tests/unit/draw/xml.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace zug;
using namespace zug::draw::board;
using zug::test::Xml;

namespace {

// That the picture is well-formed, refers to nothing outside, and has each site of each board that is drawn once, and
// each cell of each track.
void check(const game::Game& game, const std::string& svg) {
    const Xml xml(svg);
    CAPTURE(xml.wrong());
    CHECK(xml.wrong().empty());
    CHECK(xml.count("script") == 0);
    CHECK(xml.count("image") == 0);
    CHECK(xml.values("href").empty());
    CHECK(xml.count("desc") == 1);
    std::map<std::string, int> sites;
    for (const std::string& site : xml.values("data-site")) ++sites[site];
    std::size_t expected = 0;
    for (const BoardRole& role : roles_of(game.program(), false).boards) {
        const ir::Board& board = game.program().boards[role.board];
        expected += board.sites.size();
        for (const ir::Site& site : board.sites) CHECK(sites[board.name + ":" + site_text(site)] == 1);
    }
    for (const ir::PlaceLook& look : game.program().looks.places) {
        std::set<std::int32_t> cells;
        for (const auto& of_player : look.cells) cells.insert(of_player.begin(), of_player.end());
        cells.erase(-1);
        expected += cells.size();
        for (const std::int32_t cell : cells) CHECK(sites[cell_key(game.program(), look, cell)] == 1);
    }
    CHECK(sites.size() == expected);
}

} // namespace

TEST_CASE("every game can be drawn, at the start and after some random moves") {
    int games = 0;
    for (const auto& name : names_of_rules()) {
        CAPTURE(name);
        game::Game game = load_rules(name);
        check(game, drawn(game));
        Random random(7);
        game::State state = game.initial(), next;
        std::vector<std::uint64_t> ids;
        game::MoveList moves;
        for (int ply = 0; ply < 10; ++ply) {
            const game::NodeKind kind = game.expand(state, moves);
            if (kind == game::NodeKind::Terminal) break;
            const std::size_t chosen = run::random_entry(moves, kind, random);
            REQUIRE(game.successor(state, moves, chosen, next));
            ids.push_back(moves.id(chosen));
            std::swap(state, next);
        }
        const PictureOptions options{.flip = true, .dark = true, .targets = true, .all = true, .size = 300};
        const auto picture = picture_of(game, state, last_move(game, game.initial(), ids), options);
        REQUIRE_MESSAGE(picture, picture.error().text);
        check(game, *picture);
        ++games;
    }
    CHECK(games * static_cast<int>(test::one_game_in) >= 80);
}

TEST_CASE("a picture says what stands where") {
    game::Game chess = load_rules("chess");
    const std::string start = drawn(chess);
    CHECK(count(start, "data-site=\"square:") == 64);
    CHECK(count(start, "<title>e1: White King</title>") == 1);
    CHECK(count(start, ": White Pawn</title>") == 8);
    CHECK(count(start, ": Black ") - count(start, "; a7") >= 16);
    CHECK(count(start, ">to move</text>") == 1);
    const std::string moved = drawn(chess, "e2e4 e7e5");
    CHECK(count(moved, "<title>e4: White Pawn</title>") == 1);
    CHECK(count(moved, ">e7e5</text>") == 1);
    CHECK(count(drawn(chess, "f2f3 e7e5 g2g4 d8h4"), "Black wins") == 2); // in the panel and in the title
}

TEST_CASE("marks: the last move on two squares, targets only when asked for") {
    game::Game chess = load_rules("chess");
    const std::string moved = "fill=\"" + std::string(theme(false).moved) + "\"";
    const std::string target = std::string(theme(false).target);
    CHECK(count(drawn(chess), moved) == 0);
    CHECK(count(drawn(chess, "e2e4"), moved) == 2);
    CHECK(count(drawn(chess), target) == 0);
    // 16 squares in front of pawns and before knights, and ten pieces that can move.
    CHECK(count(drawn(chess, "", {.targets = true}), "fill=\"" + target) == 16);
    CHECK(count(drawn(chess, "", {.targets = true}), "stroke=\"" + target) == 10);
}

TEST_CASE("the panel has hands and scores, and with --all what only counts towards draws") {
    game::Game chess = load_rules("chess");
    CHECK(count(drawn(chess), ">quiet</text>") == 0);
    CHECK(count(drawn(chess, "", {.all = true}), ">quiet</text>") == 1);
    CHECK(count(drawn(chess, "", {.all = true}), ">rooks</text>") == 1);
    game::Game morris = load_rules("nine-mens-morris");
    CHECK(count(drawn(morris), ">hand</text>") == 1);
}

TEST_CASE("a board is seen from the other side when it is turned") {
    game::Game chess = load_rules("chess");
    const auto first_site = [&](bool flip) {
        const Layout layout = layout_of(chess.program().boards[ir::BoardId{0}], {.flip = flip});
        return layout.sites.front().centre - (layout.low + layout.high) * 0.5;
    };
    CHECK(first_site(false).x < 0);
    CHECK(first_site(false).y > 0);
    CHECK(first_site(true).x > 0);
    CHECK(first_site(true).y < 0);
}

TEST_CASE("sites of a board never lie on each other") {
    for (const auto& name : names_of_rules()) {
        CAPTURE(name);
        const game::Game game = load_rules(name);
        for (std::size_t b = 0; b < game.program().boards.size(); ++b) {
            const Layout layout = layout_of(game.program().boards[static_cast<ir::BoardId>(b)], {});
            double nearest = 1e9;
            for (std::size_t i = 0; i < layout.sites.size(); ++i)
                for (std::size_t j = i + 1; j < layout.sites.size(); ++j)
                    nearest = std::min(nearest, length_of(layout.sites[i].centre - layout.sites[j].centre));
            CHECK(nearest > 0.85);
        }
    }
}

TEST_CASE("cells are of two colours where play is diagonal, points where the file says so") {
    const auto shades = [](const std::string& name) {
        game::Game game = load_rules(name);
        const auto travels = travels_of(game, 300);
        const Layout layout = layout_of(game.program().boards[ir::BoardId{0}], {.travels = &travels[0]});
        std::set<Shade> found;
        for (const SiteShape& site : layout.sites) found.insert(site.shade);
        return found.size();
    };
    CHECK(shades("chess") == 2);
    CHECK(shades("halma") == 2);
    CHECK(shades("glinski") == 3);
    CHECK(shades("tablut") == 1);
    CHECK(shades("hex") == 1);
    CHECK(surface_of(load_rules("go").program().boards[ir::BoardId{0}]) == Surface::Points);
    CHECK(surface_of(load_rules("chess").program().boards[ir::BoardId{0}]) == Surface::Cells);
    CHECK(surface_of(load_rules("chinese-checkers").program().boards[ir::BoardId{0}]) == Surface::Holes);
}

TEST_CASE("texts of strangers are escaped") {
    game::Game game = game_from(R"(
game "<script>alert(\"&\")</script>"
players A, B
board cell = grid(2, 2)
state at: cell -> player?
move place(c: cell)
  when c in empty
  then at[c] := me
end draw when no empty
notation place "<b>{c}&\""
)");
    const std::string svg = drawn(game, "<b>a1&\"");
    check(game, svg);
    CHECK(svg.find("<b>") == svg.npos);
    CHECK(svg.find("&lt;script&gt;") != svg.npos);
}

TEST_CASE("without boards: men of a race are stacked, ties are lines, dice are dice") {
    game::Game race = game_from(R"(
game "A race without a look"
players White, Black
type point = 0..25
state men: player, point -> 0..15 = 2 on (_, 24), 5 on (_, 13), 3 on (_, 8), 5 on (_, 6)
move go(f: point)
  when men[me, f] > 0, f > 0
  then men[me, f] -= 1, men[me, f - 1] += 1
end me wins when men[me, 0] = 15
)");
    const std::string start = drawn(race);
    const auto stones = [&](const std::string& svg, std::string_view colour) {
        return count(svg, "fill=\"" + std::string(colour) + "\" stroke=");
    };
    CHECK(count(start, ">men</text>") == 1);
    CHECK(stones(start, player_inks(race.program())[0].fill) == 15 + 3); // at the heads of two rows, and to move
    CHECK(stones(start, player_inks(race.program())[1].fill) == 15 + 2);
    game::Game ties = load_rules("sim");
    const std::string red(player_inks(ties.program())[0].fill);
    CHECK(count(drawn(ties), "stroke=\"" + red + "\" stroke-width=\"5\"") == 0);
    CHECK(count(drawn(ties, "12"), "stroke=\"" + red + "\" stroke-width=\"5\"") == 1);
}

TEST_CASE("cards have signs for their suits and letters for their court") {
    game::Game game = load_rules("double-dummy");
    const auto state = game.parse_position("table=West:(H,14),North:(S,3)");
    REQUIRE_MESSAGE(state, state.error().text);
    const auto picture = picture_of(game, *state, {}, {});
    REQUIRE(picture);
    CHECK(count(*picture, ">West ♥ A</text>") == 1);
    CHECK(count(*picture, ">North ♠ 3</text>") == 1);
}

TEST_CASE("players have the colours of their names, of their glyphs, or those left") {
    const auto inks = [](const std::string& name) { return player_inks(load_rules(name).program()); };
    CHECK(inks("go")[0] == ink_named("black"));
    CHECK(inks("go")[1] == ink_named("white"));
    CHECK(inks("tic-tac-toe")[0] == ink_named("red"));
    CHECK(inks("kalah")[0] == ink_named("white"));
    CHECK(inks("kalah")[1] == ink_named("black"));
}

TEST_CASE("a game without a board has a panel") {
    game::Game nim = load_rules("nim");
    const std::string svg = drawn(nim);
    CHECK(Xml(svg).values("data-site").empty());
    CHECK(count(svg, ">left</text>") == 1);
}
