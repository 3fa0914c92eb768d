// What `look` changes in pictures of positions.

#include "draw/board/layout/layout.hpp"
#include "draw/board/pieces/palette.hpp"
#include "draw/board/pieces/view.hpp"
#include "tests/unit/draw/pictures.hpp"
#include "tests/unit/draw/rules.hpp"
#include "tests/unit/draw/xml.hpp"

#include <algorithm>
#include <cmath>

using namespace zug;
using namespace zug::draw::board;

namespace {

// A game on a board named `cell`, with pieces that are named for no shape.
game::Game with_look(const std::string& looks, const std::string& board = "grid(3, 3)") {
    return game_from(R"(
game "Looks"
param n = 3
players Red, Blue
type kind = Duke | Guard
board cell = )" + board +
                     R"(
state at: cell -> (player, kind)? = (Red, Duke) on cell
state hero: player -> cell?
state lot: 0..20 = 5
state open: set 1..4 = {2, 3}
state trump: kind = Guard
move go(c: cell)
  when at[c] = (Red, Duke)
  then at[c] := none, hero[me] := c, lot := 3, open := {1}, trump := Duke
end draw when no at.(Red, Duke)
)" + looks + "\n");
}

Layout layout_for(const game::Game& game, bool flip = false) {
    const ir::Program& program = game.program();
    const auto look = std::ranges::find(program.looks.boards, ir::BoardId{0}, &ir::BoardLook::board);
    const bool given = look != program.looks.boards.end();
    return layout_of(program.boards[ir::BoardId{0}], {.flip = flip, .look = given ? &*look : nullptr});
}

std::size_t shaded(const Layout& layout, Shade shade) {
    return static_cast<std::size_t>(std::ranges::count(layout.sites, shade, &SiteShape::shade));
}

Look look_of_member(const game::Game& game, const std::string& name) {
    const ir::Program& program = game.program();
    for (std::size_t i = 0; i < program.types.size(); ++i) {
        const auto type = static_cast<ir::TypeId>(i);
        if (program.types.kind(type) != ir::TypeKind::Enum) continue;
        const auto& members = program.enums[static_cast<ir::EnumId>(program.types[type].ref)];
        if (const auto found = std::ranges::find(members, name); found != members.end())
            return Looks(program).of(type, found - members.begin());
    }
    return {};
}

} // namespace

TEST_CASE("look: cells are checkered, plain or shaded as the file says") {
    CHECK(shaded(layout_for(with_look("")), Shade::Dark) == 0);
    CHECK(shaded(layout_for(with_look("look cell checkered")), Shade::Dark) == 5);
    CHECK(shaded(layout_for(with_look("look cell shaded row(1)")), Shade::Middle) == 3);
    const Layout both = layout_for(with_look("look cell checkered, shaded row(1), marked {a1, b1}"));
    CHECK(shaded(both, Shade::Middle) == 3);
    CHECK(std::ranges::count(both.sites, true, &SiteShape::marked) == 2);
    game::Game half = with_look("look cell plain", "grid(4, 4) where (x + y) mod 2 = 0");
    CHECK(shaded(layout_for(half), Shade::Dark) == 0);
    CHECK(shaded(layout_for(with_look("", "grid(4, 4) where (x + y) mod 2 = 0")), Shade::Dark) == 8);
}

TEST_CASE("look: sites are cells, points or holes") {
    CHECK(layout_for(with_look("")).surface == Surface::Cells);
    CHECK(layout_for(with_look("look cell points")).surface == Surface::Points);
    CHECK(layout_for(with_look("look cell holes", "hex hexagon(3)")).surface == Surface::Holes);
    CHECK(layout_for(with_look("look cell cells", "ring(6)")).surface == Surface::Cells);
    // Where men go diagonally points are joined so, unless they are plain.
    for (const std::string looks : {"look cell points", "look cell points, plain"}) {
        const game::Game game = with_look(looks);
        const std::vector<Travel> travels{{0, 4}};
        const Layout layout = layout_of(game.program().boards[ir::BoardId{0}],
                                        {.travels = &travels, .look = &game.program().looks.boards.front()});
        CHECK(layout.lines.size() == (looks.ends_with("plain") ? 12 : 13));
    }
}

TEST_CASE("look: rows place the sites of a listed board") {
    const std::string board = "graph\n  a: b c\n  b: d\n  c: d\n";
    const Layout layout = layout_for(with_look("look cell \". a .\", \"b . c\", \". d .\"", board));
    CHECK(layout.lines.size() == 4);
    CHECK(length_of(layout.sites[0].centre - Point{1, 0}) < 1e-9);
    CHECK(length_of(layout.sites[1].centre - Point{0, 1}) < 1e-9);
    CHECK(length_of(layout.sites[2].centre - Point{2, 1}) < 1e-9);
    CHECK(length_of(layout.sites[3].centre - Point{1, 2}) < 1e-9);
}

TEST_CASE("look: each edge of hex belongs to one player, all around") {
    for (const bool flip : {false, true}) {
        game::Game hex = load_rules("hex", {{"size", "5"}});
        const Layout layout = layout_for(hex, flip);
        // Of a rhombus of side n, 8n - 2 edges of cells have no cell behind them; two of these are shared.
        CHECK(layout.sides.size() == 40);
        CHECK(std::ranges::count(layout.sides, 0U, &SideEdge::player) == 20);
        for (const SideEdge& side : layout.sides) {
            const Point at = (side.line.from + side.line.to) * 0.5, middle = (layout.low + layout.high) * 0.5;
            if (std::abs(at.y - middle.y) < 1) CHECK(side.player == 1);
        }
    }
    // The edges of a row lie below it, not beside its ends.
    CHECK(layout_for(with_look("look cell Red on row(1)")).sides.size() == 3);
    // In the middle of a board no edge is free: the site itself is coloured.
    const Layout inner = layout_for(with_look("look cell Red on b2"));
    CHECK(inner.sides.empty());
    CHECK(inner.sites[4].owner == 0U);
}

TEST_CASE("look: loops of surakarta lie outside of the board") {
    const Layout layout = layout_for(load_rules("surakarta"));
    CHECK(layout.loops.size() == 8);
    for (const auto& loop : layout.loops)
        for (const Point point : loop) {
            const bool inside = point.x > 1.01 && point.x < 5.99 && point.y < -1.01 && point.y > -5.99;
            CHECK(!inside);
            CHECK(point.x > layout.low.x);
            CHECK(point.x < layout.high.x);
        }
}

TEST_CASE("look: members, players and variables have the shapes that the file gives them") {
    const game::Game plain = with_look("");
    CHECK(look_of_member(plain, "Duke").form == Form::Lettered);
    const game::Game shaped = with_look("look Duke rook\nlook Guard knight, lettered\nlook Red star");
    CHECK(look_of_member(shaped, "Duke").form == Form::Chessman);
    CHECK(look_of_member(shaped, "Duke").man == Man::Rook);
    CHECK(!look_of_member(shaped, "Duke").badge);
    CHECK(look_of_member(shaped, "Guard").man == Man::Knight);
    CHECK(look_of_member(shaped, "Guard").badge);
    CHECK(look_of_member(shaped, "Guard").text == "G");
    const Looks looks(shaped.program());
    CHECK(looks.of(shaped.program().player_type, 0).form == Form::Star);
    CHECK(looks.of(shaped.program().player_type, 1).form == Form::Disc);
    for (const auto& [word, form] : std::initializer_list<std::pair<const char*, Form>>{{"pawn", Form::Chessman},
                                                                                        {"queen", Form::Chessman},
                                                                                        {"stone", Form::Disc},
                                                                                        {"crowned", Form::Crowned},
                                                                                        {"tile", Form::Tile},
                                                                                        {"cross", Form::Cross},
                                                                                        {"nought", Form::Nought},
                                                                                        {"wall", Form::Block},
                                                                                        {"crate", Form::Crate},
                                                                                        {"dot", Form::Dot},
                                                                                        {"lettered", Form::Lettered}}) {
        CAPTURE(word);
        game::Game game = with_look(std::string("look Duke ") + word);
        CHECK(look_of_member(game, "Duke").form == form);
        const std::string svg = drawn(game, "a1");
        CHECK(zug::test::Xml(svg).wrong().empty());
    }
}

TEST_CASE("look: a sub-type's values look as in the wider type") {
    const game::Game game = with_look("type some_kinds = {Guard}\nstate kept: some_kinds?\nlook Guard rook");
    const ir::Program& program = game.program();
    CHECK(program.looks.pieces.size() == 2);
}

TEST_CASE("look: where a variable says where a piece is, it has its shape") {
    const std::string rules = R"(
game "Hunters"
players Red, Blue
board cell = grid(3, 3)
state hero: player -> cell = a1
move go(c: cell)
  when c != hero[me]
  then hero[me] := c
end draw when hero[Red] = hero[Blue], hero[Red] = b1
)";
    game::Game plain = game_from(rules), knights = game_from(rules + "look hero knight\n");
    CHECK(drawn(plain) != drawn(knights));
    CHECK(Looks(knights.program()).standing(ir::StateId{0}, nullptr).man == Man::Knight);
    CHECK(Looks(plain.program()).standing(ir::StateId{0}, nullptr).form == Form::Disc);
}

TEST_CASE("look: numbers are dice, values are cards") {
    game::Game plain = with_look(""), game = with_look("look lot dice\nlook trump cards");
    const auto pips = [](const std::string& svg) { return count(svg, "rx=\"9\" ry=\"9\""); };
    CHECK(pips(drawn(plain)) == 0);
    CHECK(pips(drawn(game)) == 5);
    CHECK(pips(drawn(game, "a1")) == 3);
    // No rule asks for it, but the file says how it is shown.
    CHECK(count(drawn(plain), ">lot</text>") == 0);
    CHECK(count(drawn(game), ">lot</text>") == 1);
    const auto cards = [](const std::string& svg) { return count(svg, " rx=\"4\""); };
    CHECK(cards(drawn(plain)) == 2); // of the set
    CHECK(cards(drawn(game)) == 3);
}

TEST_CASE("look: backgammon is a board of points") {
    game::Game race = load_rules("backgammon");
    const std::string start = drawn(race);
    CHECK(count(start, ">men</text>") == 0);
    const auto stones = [&](std::size_t player) {
        return count(start, "fill=\"" + std::string(player_inks(race.program())[player].fill) + "\" stroke=");
    };
    CHECK(stones(0) == 15 + 1); // and to throw
    CHECK(stones(1) == 15);
    CHECK(count(start, "<title>24: White 2</title>") == 1);
    CHECK(count(start, "<title>13: White 5</title>") == 1);
    CHECK(count(start, "<title>1: Black 2</title>") == 1); // as White counts
    CHECK(start.find("men: White 6: 5; White 8: 3; White 13: 5; White 24: 2; Black 6: 5") != start.npos);
}

TEST_CASE("look: men of ludo run round the board, and the last move and its targets are marked") {
    game::Game game = load_rules("ludo");
    const std::string moved = "fill=\"" + std::string(theme(false).moved) + "\"";
    const std::string target = "stroke=\"" + std::string(theme(false).target) + "\"";
    CHECK(count(drawn(game), moved) == 0);
    CHECK(count(drawn(game, "Red 6 0"), moved) == 2); // from the yard to the start
    CHECK(count(drawn(game, "Red 6"), target) == 0);
    CHECK(count(drawn(game, "Red 6", {.targets = true}), target) == 1);
    CHECK(count(drawn(game, "Red 6 0"), "<title>1: Red 1</title>") == 1);
    // Quarters of the track lie the same way for each player, turned.
    const ir::PlaceLook& look = game.program().looks.places.at(0);
    REQUIRE(look.cells.size() == 4);
    for (std::size_t player = 0; player < 4; ++player) {
        CHECK(look.cells[player][1] == look.cells[(player + 1) % 4][1 + 39]);
        CHECK(look.cells[player][14] == look.cells[(player + 1) % 4][1]);
    }
    // With other numbers of squares the rows don't fit, and it is drawn as a table.
    CHECK(load_rules("ludo", {{"quarter", "10"}}).program().looks.places.empty());
}

TEST_CASE("look: of several for a name the first that applies counts") {
    const std::string looks = "look cell points when n = 4\nlook cell holes when n = 3\nlook cell cells\n";
    CHECK(layout_for(with_look(looks)).surface == Surface::Holes);
    CHECK(with_look(looks).program().looks.boards.size() == 1);
    const std::string pieces = "look Duke rook when n = 4\nlook Duke star\nlook Duke king\n";
    CHECK(look_of_member(with_look(pieces), "Duke").form == Form::Star);
}
