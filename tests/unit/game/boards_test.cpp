// Text and drawings of boards and variables of other kinds.

#include "game/game.hpp"
#include "tests/unit/executor/games.hpp"

#include <doctest/doctest.h>

using namespace zug;
using namespace zug::game;

namespace {

struct Boards : run::Counting {
    Boards() : Counting(9) { rule(adding("add", 1)); }

    // A hexagon of side 2: seven cells, in rows of 2, 3 and 2.
    ir::BoardId hexagon(ir::BoardShape shape) {
        ir::Board b;
        b.name = "hex";
        b.shape = shape;
        b.width = 3;
        b.height = 3;
        for (std::int32_t y = 1; y <= 3; ++y)
            for (std::int32_t x = 1; x <= 3; ++x)
                if (shape != ir::BoardShape::Hexagon || (x + y >= 3 && x + y <= 5))
                    b.sites.push_back({.name = static_cast<char>('a' + x - 1) + std::to_string(y), .x = x, .y = y});
        const std::uint64_t count = b.sites.size();
        const auto id = program.boards.push(std::move(b));
        types().set_site_count(id, count);
        return id;
    }
    Game game() { return Game(finish(), ExecutorKind::Reference); }
    // The drawing of a position, which must also go through its text.
    std::string drawing(std::string_view position) {
        Game g = game();
        const auto state = g.parse_position(position);
        REQUIRE_MESSAGE(state, (state ? "" : state.error().text));
        const std::string text = g.position_text(*state);
        CHECK(text == position);
        return g.draw(*state, false);
    }
};

} // namespace

TEST_CASE_FIXTURE(Boards, "a hexagon") {
    const auto board = hexagon(ir::BoardShape::Hexagon);
    state("at", {types().site(board)}, types().optional(program.player_type));
    CHECK(drawing("at=A2/1B1/2B turn=A") == "   3 A .\n"
                                            "  2 . B .\n"
                                            "   1 . B\n"
                                            "n: 0\nA to move\n");
}

TEST_CASE_FIXTURE(Boards, "a rhombus") {
    const auto board = hexagon(ir::BoardShape::Rhombus);
    state("at", {types().site(board)}, types().optional(program.player_type));
    CHECK(drawing("at=3/B2/2A turn=B") == "   3 . . .\n"
                                          "  2 B . .\n"
                                          " 1 . . A\n"
                                          "  a b c\n"
                                          "n: 0\nB to move\n");
}

TEST_CASE_FIXTURE(Boards, "numbers on a grid, and variables of all kinds") {
    const auto board = grid(3, 2);
    const auto site = types().site(board);
    const auto kind = program.enums.push({"Pawn", "King"});
    program.enum_names = {"kind"};
    types().set_enum_size(kind, 2);
    const auto kinds = types().enumeration(kind), piece = types().tuple({program.player_type, kinds});
    program.glyphs = {{kinds, 0, "P", ""}, {kinds, 1, "K", ""}};
    state("tile", {site}, types().optional(types().integer(1, 11)));
    state("at", {site}, types().optional(piece));
    state("rooks", {}, types().set(site));
    state("men", {program.player_type, types().integer(0, 2)}, types().integer(0, 15));
    state("seen", {program.player_type}, types().set(program.player_type));
    state("put", {}, types().optional(piece));
    state("begun", {}, types().boolean());
    program.states[state("chain", {}, types().optional(site))].local = true;
    program.states[state("fixed", {site}, types().integer(0, 3))].assigned = false;
    CHECK(drawing("n=3 tile=a1:11,c2:2 at=p1K/1k1 rooks={a1,c2} men=(A,1):7,(B,2):15 seen=A:{B} put=(A,King) "
                  "begun=true chain=b1 turn=B") == "tile:\n"
                                                   "2  .  .  2\n"
                                                   "1 11  .  .\n"
                                                   "   a  b  c\n"
                                                   "at:\n"
                                                   "2 p . K\n"
                                                   "1 . k .\n"
                                                   "  a b c\n"
                                                   "n: 3\n"
                                                   "rooks: {a1,c2}\n"
                                                   "men: (A,0) 0, (A,1) 7, (A,2) 0, (B,0) 0, (B,1) 0, (B,2) 15\n"
                                                   "seen: A {B}, B {}\n"
                                                   "put: (A,King)\n"
                                                   "begun: true\n"
                                                   "chain: b1\n"
                                                   "B to move\n");
    Game g = game();
    auto problem = [&](std::string_view text) {
        const auto position = g.parse_position(text);
        REQUIRE(!position);
        return position.error().text;
    };
    CHECK(problem("fixed=a1:2") == "position, column 1: `fixed` never changes, so it can't be set");
    CHECK(problem("rooks=a1") == "position, column 7: found `a1`, expected a set in braces");
    CHECK(problem("men=(A):3") == "position, column 5: found `(A)`, expected 2 indices in parentheses");
    CHECK(problem("men=(A,9):3") == "position, column 8: found `9`, expected one of 0, 1, 2");
    CHECK(problem("put=(A,Kin)") == "position, column 5: found `(A,Kin)`; did you mean `(A,King)`?");
}

TEST_CASE_FIXTURE(Boards, "glyphs and colours of the file") {
    const auto board = grid(2, 1);
    state("at", {types().site(board)}, types().optional(program.player_type));
    program.glyphs = {{.type = program.player_type, .value = 0, .text = "♔", .colour = "red"},
                      {.type = types().none_type(), .value = ir::none, .text = "_", .colour = ""}};
    CHECK(drawing("at=♔1 turn=A") == "1 ♔ _\n  a b\nn: 0\nA to move\n");
    Game g = game();
    CHECK(g.draw(*g.parse_position("at=♔1"), true).starts_with("1 \x1b[31m♔\x1b[0m _"));
}
