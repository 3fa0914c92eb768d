// Conditions in terms of themselves, numbers of cells, and names that are bound inside: what new files say, and what no
// executor may leave to the reference evaluator.

#include "tests/unit/meaning/lines_of_play.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace zug::meaning_test;

namespace {

// Stones are placed where the condition holds, until `over` does.
std::string stones(const std::string& definitions, const std::string& condition, const std::string& over) {
    return "game \"Stones\"\nplayers X, O\nboard p = grid(3, 3)\ntype shape = Dot | Bar | Corner\n"
           "state at: p -> player? = X on {a1, b2}, O on c3\nstate wall: p -> bool = true on {b1}\n" +
           definitions + "\nmove put(c: p)\n  when c in empty, c in row(2) or " + condition +
           "\n  then at[c] := me\nend\n  me wins when " + over + "\n  draw when stuck\n";
}

} // namespace

TEST_CASE("conditions in terms of themselves") {
    for (const std::string definition :
         {"def joined(c: p) = at[c] = me and (y(c) = 1 or some d in c.adj: joined(d))",
          "def joined(c: p) = c in at.me and (c in row(1) or some d in c.adj & at.me: joined(d))",
          "def joined(c: p) = c in row(1) & at.me or some c.adj & {d: p | joined(d)} & at.me and at[c] = me",
          "def joined(c: p) = at[c] = me and (c in row(1) or some d in c.adj: joined(d) and at[d] = at[c])"})
        check_executors(stones(definition, "true", "some c in row(3): joined(c)"), 4);
    const std::string pairs = "def linked(a, b: p) = a = b or some s in a.adj & at.me: linked(s, b)";
    check_executors(stones(pairs, "no d in at.foe: linked(d, c)", "linked(a1, c3)"), 4);
    const std::string back = "def linked(a, b: p) = a = b or some s in b.adj & at.me: linked(a, s)";
    check_executors(stones(back, "some d in at.foe: linked(d, c)", "linked(a1, c3)"), 2);
    // What one calls the other is true of both arguments, or of none: nothing is a set then.
    check_executors(stones("def free(c: p) = some c.adj & empty or some d in c.adj: at[d] = at[c] and free(d)", "true",
                           "no d in at.foe: free(d)"),
                    3);
}

TEST_CASE("conditions in terms of themselves about members of a type") {
    check_executors("game \"Ways\"\nplayers X, O\ntype town = A | B | C | D\nstate way: town, town -> player?\n"
                    "def linked(p: player, a, b: town) = a = b or some c: town: linked(p, a, c), "
                    "way[b, c] = p or way[c, b] = p\n"
                    "move build(a, b: town)\n  when way[a, b] = none, a != b, not linked(me, a, b)\n"
                    "  then way[a, b] := me\nend\n  me wins when linked(me, A, D)\n  draw when stuck\n",
                    3);
}

TEST_CASE("the number of cells of a shape") {
    const std::string shapes = "def cells(c: p, k: shape, d: dir) = match k\n  Dot: {c, c.d.~d}\n"
                               "  Bar: {c, c.d, c.d^2}\n  Corner: {c, c.d, c.(if d = N: E else N)}\n";
    for (const std::string compared : {"= 2", "= 0", "= 3", "= 4", "< 2", "> 1", ">= 3", "!= 1", "<= number(k)",
                                       "= count at.foe", "> count at.me - 2", "< count at.me", "= -1", "> -1"})
        check_executors(stones(shapes,
                               "some k: shape: (some d in {N, E, W}: count cells(c, k, d) & empty " + compared + ")",
                               "count at.me > 3"),
                        2);
    check_executors(stones("", "2 < count c.(adj | diagonals) & empty", "count at.me > 3"), 3);
    check_executors(stones("", "count c.adj & at.me = count c.adj & at.foe", "count at.me > 3"), 3);
}

TEST_CASE("names that are bound inside a condition") {
    check_executors(stones("def gate(c: p, d: dir) = if d = N: p(x(c), y(c)) else c.S\n"
                           "def open(c: p, d: dir) = gate(c, d) in p, not wall[gate(c, d)]\n"
                           "def region(c: p) = c | (union r in region(c), d in ortho: {t = r.d | open(r, d)})\n",
                           "count region(c) > 2", "count at.me > 3"),
                    3);
}

TEST_CASE("nothing but chance, and chance that never comes") {
    check_executors("game \"Deal\"\nplayers X, O\nstate d: 0..6\nchance deal(_s: 1..4)\n  when d < 6\n  then d += 1\n"
                    "end draw when d = 6\n",
                    4);
    check_executors("game \"Maybe\"\nparam dice: bool = false\nplayers X, O\nboard p = grid(3, 3)\n"
                    "state at: p -> player?\nmove put(c: p)\n  when c in empty\n  then at[c] := me\n"
                    "chance event(_k: 1..2)\n  when dice\n  then at[a1] := X\nend draw when no empty\n",
                    3);
}

TEST_CASE("comparisons with variables of the state") {
    const auto knight = [](const std::string& state, const std::string& when, const std::string& then) {
        return "game \"Knight\"\nplayers X, O\ntype co = 1..4\nboard p = grid(4, 4)\n" + state +
               "\nstate n: 0..6\nmove go(" + when + "\n  then n += 1, " + then + "\nend\n  draw when n = 6\n" +
               "  draw when stuck\n";
    };
    check_executors(knight("state seen: co, co -> bool\nstate hx: co\nstate hy: co",
                           "i: co, j: co)\n  when abs(i - hx) * abs(j - hy) = 2, not seen[i, j]",
                           "seen[i, j] := true, hx := i, hy := j"),
                    4);
    check_executors(knight("state at: p -> player?\nstate here: p = b2",
                           "t: p)\n  when t in empty, max(abs(x(t) - x(here)), abs(y(t) - y(here))) > n - 2",
                           "at[t] := me, here := t"),
                    3);
    check_executors(knight("state at: p -> player?\nstate far: 0..3 = 1\nstate who: player = O",
                           "t: p)\n  when t in empty, x(t) mod 3 != far, (x(t) + y(t)) mod 2 = (if who = me: 0 else 1)",
                           "at[t] := me, far := x(t) mod 4, who := me"),
                    3);
    check_executors(knight("state at: p -> player?\nstate here: p? = none",
                           "t: p)\n  when t in empty, abs(x(t) - x(here)) + n < 5 or 2 * y(t) = y(here) + 1",
                           "at[t] := me, here := (if n = 2: none else t)"),
                    3);
}

TEST_CASE("what stands between two cells, by coordinates") {
    check_executors("game \"Diagonals\"\nplayers X, O\nboard p = grid(4, 4)\n"
                    "state at: p -> player? = X on row(1), O on row(4)\nstate n: 0..6\nmove go(f: p, t: p)\n"
                    "  when f in at.me, t in empty, f != t, abs(x(f) - x(t)) = abs(y(f) - y(t)),\n"
                    "       no c in at.(_): (abs(x(f) - x(c)) = abs(y(f) - y(c)) and\n"
                    "         abs(x(c) - x(t)) = abs(y(c) - y(t)) and abs(x(f) - x(t)) > abs(x(f) - x(c)) and\n"
                    "         abs(x(f) - x(t)) > abs(x(t) - x(c)))\n"
                    "  then at[f] := none, at[t] := me, n += 1\nend\n  draw when n = 6\n  draw when stuck\n",
                    4);
}

TEST_CASE("numbers that differ from cell to cell") {
    const std::string lengths =
        "def len(c: p, d: dir) = max k in {i: 0..2 | all j: 1..2: j <= i implies at[c.d^j] = foe}: k\n"
        "def gap(c: p) = min k in {i: 0..2 | some j: 1..2: j >= i and at[c.N^j] = me}: k\n"
        "def size(c: p) = if c in row(2): len(c, E) else if at[c.S] = me: 2 else x(c) - 1\n";
    for (const std::string condition : {
             "some d in ortho: len(c, d) > 0 and at[c.d^(len(c, d) + 1)] = me",
             "some d: dir: len(c, d) = 1 and at[c.d^(len(c, d) + 1)] = none",
             "len(c, N) < len(c, E)",
             "len(c, N) + len(c, S) = count at.foe",
             "len(c, E) != len(c, W) or len(c, E) * 2 = len(c, N) + 2",
             "gap(c) = 1 or gap(c) > 2",
             "max(len(c, N), gap(c)) >= count at.me",
             "size(c) = 1 and at[c.E^(size(c))] != me",
             "at[c.E^(1 - len(c, N))] is none",
             "at[c.N^(len(c, W) - 1)] = me or c.N^(gap(c)) = c.N",
             "some c.N^(len(c, N) + 1) & at.me",
             "c.S^(size(c)) in at.foe",
         })
        check_executors(stones(lengths, condition, "count at.me > 3 and gap(a1) + size(a1) >= 0"), 2);
}

TEST_CASE("sums that a condition of the rule keeps in range, and others") {
    for (const auto& [when, then] : {std::pair{"h[k] < 3", "h[k] += 1"},
                                     {"h[k] <= 2, k > 1", "h[k] += 1"},
                                     {"h[k] != 3", "h[k] += 1"},
                                     {"3 > h[k]", "h[k] += 1, h[k - 1] += 0"},
                                     {"h[k] < 2", "h[k] += 2"},
                                     {"h[k] = 1 or k > n", "h[k] += 1"},
                                     {"h[k] < 3, m > 0", "h[k] += 1, m -= 1"},
                                     {"h[k] < 3", "h[k] += 1, h[k mod 3 + 1] += (if k = 2: 1 else 0)"},
                                     {"m > 0", "m -= 1, h[k] := 2"},
                                     {"m >= 1", "m -= 2, h[k] := 3"}})
        check_executors("game \"Sums\"\nplayers X, O\nstate h: 1..3 -> 0..3 = 1 on {1, 2}\nstate m: -1..9 = 6\n"
                        "state n: 0..4\nmove add(k: 1..3)\n  when n < 4, " +
                            std::string(when) + "\n  then n += 1, " + then + "\nend\n  draw when n = 4\n" +
                            "  draw when stuck\n",
                        3);
}

TEST_CASE("numbers that a quantifier determines") {
    const std::string heights = "state h: p -> 0..4 = 2 on {a1, b2, c3}\n";
    for (const std::string condition :
         {"some i: 1..3: i = h[c] + 1 and c.N^i in at.me", "no i: 1..3: i = h[c] and at[c.E^i] = me",
          "all i: 1..2: i = count c.adj & at.me implies h[c.N^i] = i", "some i: 1..3: h[c] - 1 = i and i * i = 1",
          "some i in {2, 3}: i = h[c] and some j: 1..3: j = i and c.W^(j - 1) in at.foe"})
        check_executors(stones(heights, condition, "count at.me > 3"), 2);
}

TEST_CASE("paths that are repeated a number of times which may be negative") {
    const std::string state = "state h: p -> 0..4 = 2 on {a1, b2, c3}\nstate m: 0..3 = 0\n";
    for (const std::string condition :
         {"at[c.E^(m - 1)] = X", "c.N^(m - 1) in at.me", "some c.E^((m - 1)..m) & at.me", "at[c.E^(h[c] - 1)] = me",
          "some c.(E & empty)^(h[c] - 1)", "count c.(N | E)^(m - 2) = 0", "some c.N^((m - 2)..(h[c] - 1)) & at.foe",
          "at[c.S^((count c.adj & at.foe) - 1)] = me", "some d in ortho: at[c.d^(2 * h[c] - 3)] = O"}) {
        std::string game = stones(state, condition, "count at.me > 3");
        const std::string then = "  then at[c] := me";
        game.replace(game.find(then), then.size(),
                     then + ", m := (m + 1) mod 4, if h[c] > 0: h[c] -= 1, at[c.N^(m - 3)] := none");
        game.replace(game.find("c in empty, "), 12, "c in empty, no c.N^(m - 4), ");
        check_executors(game, 2);
    }
}
