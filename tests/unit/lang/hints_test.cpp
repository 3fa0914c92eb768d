// What the checker suggests where something is written in another way than the language has it, and types with short
// names that are written as they are elsewhere.

#include "support.hpp"

#include <doctest/doctest.h>

using namespace zug;
using namespace zug::lang;

namespace {

std::string told(const std::string& declarations, const std::string& value = "1") {
    return said(load_text("test.zug", game_with(declarations, value)));
}

// The only message's fix.
std::string fix_of(const std::string& declarations, const std::string& value = "1") {
    const Loaded loaded = load_text("test.zug", game_with(declarations, value));
    const auto all = loaded.report.sorted();
    INFO(said(loaded));
    REQUIRE(all.size() == 1);
    return all.front().fix;
}

} // namespace

TEST_CASE("directions in braces are a type by themselves and behind a name") {
    const std::string heading = "state facing: player -> heading = N\n";
    for (const std::string type : {"{N, E, S, W}", "dir & ortho", "dir \\ diagonals"})
        CHECK(told("type heading = " + type + "\n" + heading, "if facing[A] = N: 1 else 0").empty());
    // Of a board that is declared further down, too.
    CHECK(said(load_text("test.zug", "players A, B\ntype heading = {N, S}\n" + heading +
                                         "board cell = grid(2, 2)\nmove turned(d: heading)\n  then facing[me] := d\n"
                                         "end draw when facing[A] = S\n"))
              .empty());
    CHECK(fix_of("type colour = {Red, Green}\n") == "an enumeration is written `type colour = Red | Green`");
    CHECK(fix_of("state facing: player -> ortho = N\n") == "the type of some directions is written `dir & ortho`");
}

TEST_CASE("an enumeration may have one member") {
    const std::string thing = "type thing = Hole\nstate on: cell -> thing? = Hole on a1\n";
    CHECK(told(thing, "count on.Hole + count thing").empty());
    CHECK(told("type thing = hole\n").find("unknown-type") != std::string::npos);
    // A misspelt name of a type is none.
    CHECK(fix_of("type Kind = Rook | Pawn\ntype piece = Kinds\n") == "did you mean `Kind`?");
    CHECK(told("type Kind = Rook | Pawn\ntype piece = Kind\nstate best: piece = Pawn\n", "number(best)").empty());
}

TEST_CASE("a type of sets can have a name") {
    const std::string cards = "type cards = set 1..8\nstate hand: player -> cards = {1..3} on A\n";
    CHECK(told(cards, "count hand[A]").empty());
    CHECK(told(cards + "def lowest(s: cards) = min s\n", "lowest(hand[A])").empty());
    CHECK(told(cards + "move play(s: cards)\n  when some s, no s \\ hand[me]\n  then hand[me] := hand[me] \\ s\n",
               "count hand[A]")
              .empty());
    CHECK(told(cards, "count cards").find("found a set of a set of numbers 1..8, which sets can't hold") !=
          std::string::npos);
}

TEST_CASE("what follows a sum belongs to it") {
    const std::string counts = "def n(c: cell) = x(c)\n";
    CHECK(fix_of(counts, "if sum c: cell: n(c) >= 5: 1 else 0") ==
          "`sum` takes in all that follows; a comparison with it is `(sum ...) >= 1`");
    CHECK(fix_of(counts, "if max c: cell: n(c) > 0: 1 else 0") ==
          "`max` takes in all that follows; a comparison with it is `(max ...) >= 1`");
    CHECK(told(counts, "if (sum c: cell: n(c)) >= 5: 1 else 0").empty());
}

TEST_CASE("a pattern behind `in` is one mistake, and stands behind `is`") {
    const std::string holds = "state on: cell -> (player, 1..3)? = (A, 2) on a1\n";
    CHECK(fix_of(holds, "count {c: cell | on[c] in {none, (_, 2)}}") ==
          "a pattern stands behind `is`: `is none | (_, 2)`");
    CHECK(fix_of(holds, "count {c: cell | on[c] in (A, _)}") == "a pattern stands behind `is`: `is (A, _)`");
    CHECK(told(holds, "count {c: cell | on[c] is none | (_, 2)}").empty());
}

TEST_CASE("inside a path an offset is written by directions") {
    const std::string offset = "`c.(1, 2)` is the site at one offset, `c.offsets(1, 2)` are those at all eight; inside "
                               "a path it is ";
    CHECK(fix_of("path right = E | (-3, 0)\n", "count a1.right") == offset + "`W^3`");
    CHECK(fix_of("", "count a1.((1, -2) | N)") == offset + "`E.S^2`");
    CHECK(fix_of("path right = (1, 0)\n", "count a1.right") == offset + "`E`");
    CHECK(told("path right = E | W^3\n", "count d1.right").empty());
}

TEST_CASE("the opposite of a direction is a path, and no direction") {
    const std::string said_so = "`~d` is a path; which direction it is, a definition says: `match d N: S ...`";
    CHECK(fix_of("state facing: dir = N\nmove turned\n  then facing := ~facing\n") == said_so);
    CHECK(told("def beside(c: cell, d: dir) = c.d\n", "count b2.(~N) + count beside(b2, ~N)").empty());
}
