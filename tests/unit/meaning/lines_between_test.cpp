// What stands between two sites: however it is said, and whether or not it is on a line of the board.

#include "tests/unit/meaning/lines_of_play.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace zug::meaning_test;

namespace {

// Men that go to any square to which the condition lets them.
std::string men(const std::string& board, const std::string& definition, const std::string& condition) {
    return "game \"Men\"\nplayers X, O\nboard p = " + board +
           "\nstate at: p -> player? = X on {a1, c1, c2}, O on {b1, b3, c3}\n" + definition +
           "\nmove go(f, t: p)\n  when f in at.me, t not in at.me, f != t, " + condition +
           "\n  then at[f] := none, at[t] := me\nend\n  me wins when no at.foe\n  draw when stuck\n";
}

const std::string between_in_rows =
    "def between(f, c, t: p) = y(f) = y(t) and y(c) = y(f) and x(c) > min(x(f), x(t)) and "
    "x(c) < max(x(f), x(t))";
const std::string set_between_in_rows =
    "def between(f, t: p) = {c: p | y(f) = y(t) and y(c) = y(f) and x(c) > min(x(f), x(t)) "
    "and x(c) < max(x(f), x(t))}";

} // namespace

TEST_CASE("obstacles on a line, said in several ways") {
    for (const std::string condition :
         {"no c in at.(_): between(f, c, t)", "all c: p: between(f, c, t) implies at[c] = none",
          "not (some c: p: at[c] != none and between(f, c, t))", "all c: p: between(f, c, t) implies c in empty",
          "no c in at.(_) \\ at.me: between(f, c, t)", "some c in at.(_): between(f, c, t)",
          "all c: p: at[c] = me or not between(f, c, t)", "no c in at.(_): between(t, c, f)"})
        check_executors(men("grid(4, 3)", between_in_rows, condition), 2);
    for (const std::string condition : {"no between(f, t) & at.(_)", "all c in between(f, t): c in empty",
                                        "some at.foe & between(f, t) or x(f) = x(t)", "no at.(_) & between(t, f)",
                                        "between(f, t) & empty = between(f, t)", "count between(f, t) & at.(_) < 1"})
        check_executors(men("grid(4, 3)", set_between_in_rows, condition), 2);
}

TEST_CASE("what is between two sites need not be on lines of the board") {
    // The middle, the squares next to both, those of a box, those on one side only, those beyond.
    for (const std::string condition :
         {"x(f) + x(t) = 2 * x(c) and y(f) + y(t) = 2 * y(c)", "c in f.ortho & t.ortho",
          "abs(x(c) - x(f)) + abs(x(c) - x(t)) + abs(y(c) - y(f)) + abs(y(c) - y(t)) < 4",
          "y(f) = y(t) and y(c) = y(f) and x(c) > x(f) and x(c) < x(t)",
          "y(f) = y(t) and y(c) = y(f) and x(c) >= min(x(f), x(t)) and x(c) < max(x(f), x(t))",
          "y(f) = y(t) and y(c) = y(f) and x(c) > max(x(f), x(t))"})
        check_executors(men("grid(4, 3)", "", "no c in at.(_): " + condition), 2);
}

TEST_CASE("obstacles on boards of other shapes") {
    check_executors(men("hex rhombus(4)", "", "no c in at.(_): some d in compass: c in f.d^+ and t in c.d^+"), 2);
    check_executors(men("grid(3, 3)", "", "no c in at.(_): some d in compass: c = f.d and t = f.d^2"), 2);
}

TEST_CASE("numbers beside sites in the condition") {
    check_executors(
        men("grid(4, 3)", "", "no c in at.(_), k: 1..2: x(c) = x(f) + k and x(t) = x(f) + k + 1 and y(c) = y(t)"), 2);
    check_executors(men("grid(4, 3)", "", "no k: 1..2, c in at.(_): x(c) = x(f) + k and x(t) > x(c) and y(c) = y(t)"),
                    2);
}

TEST_CASE("a site that steps lead to, said from either end") {
    for (const std::string condition :
         {"some e in at.me: e.N.E = t", "some e in at.me: t = e.N.N and e.E in empty",
          "some u in at.foe, e in at.me: u = e.N.E and e != f", "some e in at.me, u in at.foe: e.E.N = u and u != t",
          "some e: p, d in ortho: e.d = t and at[e] = me and e != f",
          "some d in ortho, e: p: t = e.d^2 and e in at.foe",
          "no e in at.me, d in diagonals: t in e.d and e.(~d) in empty", "some e: p: e.N = e.E or e.N = t",
          "some e in at.me, k: 1..2: e.N^k = t and k != 3", "some e in at.me: e.E.W = t"})
        check_executors(men("grid(4, 3)", "", "(" + condition + ") or x(f) = x(t)"), 2);
}
