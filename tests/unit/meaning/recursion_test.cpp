// Sets and conditions that are defined by themselves elsewhere, or by a number that counts down: whatever a compiler
// makes of them, each executor finds what the reference evaluator does.

#include "tests/unit/meaning/lines_of_play.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace zug::meaning_test;

namespace {

// A stone goes from f to t, and leaves one behind where `stays` holds.
std::string walks(const std::string& definitions, const std::string& target, const std::string& stays = "false") {
    return "game \"Walks\"\nplayers X, O\nboard p = grid(4, 3)\nstate at: p -> player? = X on {a1, c1}, O on {d3, b3}\n"
           "state hole: p -> bool = true on {b2}\nstate n: 0..5\n" +
           definitions + "\nmove go(f: p, t: p)\n  when f in at.me, t != f, t in " + target + "\n  then at[f] := (if " +
           stays + ": me else none), at[t] := me, n += 1\nend\n  draw when n = 5\n  draw when stuck\n";
}

// A stone is put down, and taken away where `taken` holds of it.
std::string captures(const std::string& definitions, const std::string& taken, const std::string& refused) {
    return "game \"Captures\"\nplayers X, O\nboard p = grid(3, 3)\nstate at: p -> player? = O on {b1}, X on {c2}\n"
           "state n: 0..5\n" +
           definitions + "\nmove put(c: p)\n  when c in empty\n  then at[c] := me, n += 1\n  then at[{e in at.foe | " +
           taken + "}] := none\n  ensure no e in at.me: " + refused + "\nend\n  draw when n = 5 or stuck\n";
}

} // namespace

TEST_CASE("sets that are defined by themselves at the next cell") {
    for (const std::string definition : {
             "def ray(c: p, d: dir) = if c.d in empty: c.d | ray(c.d, d) else {}",
             "def ray(c: p, d: dir) = if c.d in empty: {c.d} | ray(c.d, d) else {c.d} \\ at.me",
             "def ray(c: p, d: dir) = if some c.d and c.d in empty: {c.d} | ray(c.d, d) else {c.d} & at.foe",
             "def ray(c: p, d: dir) = if c.d in at.me: {} else {c.d} | (if c.d in at.foe: {} else ray(c.d, d))",
             "def ray(c: p, d: dir) = c.d | (if some c.d: ray(c.d, d) else {})",
             "def ray(c: p, d: dir) = c.d^2 | (if some c.d and not hole[c.d]: ray(c.d, d) else {c})",
             "def ray(c: p, d: dir) = {x: p | x in c.d.adj & empty} | (if c.d in empty: ray(c.d, d) else {})",
             "def ray(c: p, d: dir) = if at[c] = me or c in empty: c.d | (if some c.d: ray(c.d, d) else {}) else {}",
         })
        check_executors(walks(definition, "ray(f, _) \\ at.me"), 3);
    check_executors(walks("def ray(c: p, d: dir) = {c} | (if some c.d: ray(c.d, d) else {a1})", "ray(f, _) \\ at.me"),
                    3, Asks::Maybe);
}

TEST_CASE("sets that are defined by themselves at neighbours") {
    for (const std::string definition : {
             "def reach(c: p) = c | (union e in c.adj & empty: reach(e))",
             "def reach(c: p) = {c} | (union e in {e in c.adj | not hole[e]}: if e in empty: reach(e) else {})",
             "def reach(c: p) = c.adj & empty | (union e in c.adj: if at[e] = none: reach(e) else {})",
             "def reach(c: p) = {c} | (union d in {N, E}: if c.d in empty: {c.d} | reach(c.d) else {})",
             "def reach(c: p) = {c} | (union d in ortho: if some c.d and not hole[c.d]: reach(c.d) else {}) \\ {}",
             "def reach(c: p) = {c} | (union e in c.adj: union g in e.adj \\ at.foe: reach(g))",
             "def reach(c: p) = {c} | (union e in c.adj: if hole[e] = hole[c]: reach(e) else {})",
             "def reach(c: p) = {c} | (union e in {e in c.adj | at[e] = at[c]}: reach(e)) | c.(N | S) & empty",
             "def reach(c: p) = if hole[c]: c.diagonals else {c} | (union e in c.adj & empty: reach(e))",
         }) {
        check_executors(walks(definition, "reach(f) & empty"), 3);
        check_executors(walks(definition, "f.adj & empty", "count reach(t) > 3"), 2);
        check_executors(walks(definition, "{x in empty | some x.adj & reach(f)}"), 2);
    }
    // Steps of which one keeps what another one does not, that go by what is not the same, or are narrowed afterwards.
    for (const std::string definition : {
             "def reach(c: p) = {c} | (union e in c.adj: if at[e] = at[c]: reach(e) else {}) | (union e in c.N & "
             "empty: "
             "reach(e))",
             "def reach(c: p) = {c} | (union e in c.adj: (if at[e] = at[c]: reach(e) else {}) | (if e in empty: "
             "reach(e) "
             "else {}))",
             "def reach(c: p) = {c} | (union e in c.adj: if at[e] != at[c]: reach(e) else {})",
             "def reach(c: p) = {c} | (union e in c.adj: reach(e) & empty)",
         })
        check_executors(walks(definition, "f.adj & empty", "count reach(t) > 3"), 2, Asks::Maybe);
}

TEST_CASE("groups of one colour, said in several ways") {
    const std::string liberties = "def libs(c: p) = {e in empty | some e.adj & group(c)}";
    for (const std::string group : {
             "def group(c: p) = c | (union d in group(c): {e in d.adj | at[e] = at[c]})",
             "def group(c: p) = c | (union n in c.adj: if at[n] = at[c]: group(n) else {})",
             "def group(c: p) = c | (union n in {e in c.adj | at[e] = at[c]}: group(n))",
             "def group(c: p) = {c} | (union d in ortho: if some c.d and at[c.d] = at[c]: group(c.d) else {})",
         }) {
        std::string both = group + "\n" + liberties;
        check_executors(captures(both, "no libs(e)", "no libs(e)"), 3);
        check_executors(captures(group, "no group(e).adj & empty", "no group(e).adj & empty"), 3);
    }
    for (const std::string alive : {
             "def alive(c: p) = some c.adj & empty or some e in c.adj: at[e] = at[c] and alive(e)",
             "def alive(c: p) = some c.adj & empty or some e in {e in c.adj | at[e] = at[c]}: alive(e)",
             "def alive(c: p) = (some e in c.adj: e in empty) or (some e in c.adj & at.(at[c]): alive(e))",
             "def alive(c: p) = some c.adj & empty or (some e in c.adj: at[e] = at[c] and alive(e)) or some e in "
             "c.diagonals: e in at.me and alive(e)",
         })
        check_executors(captures(alive, "not alive(e)", "not alive(e)"), 3);
}

TEST_CASE("truths that are branches of a condition") {
    for (const std::string ends : {
             "def ends(c: p, d: dir) = if c in at.foe: ends(c.d, d) else c in at.me",
             "def ends(c: p, d: dir) = if c in at.me: true else if c in at.foe: ends(c.d, d) else false",
             "def ends(c: p, d: dir) = if c in at.foe: (some n in c.d: ends(n, d)) else not c in empty",
             "def ends(c: p, d: dir) = if c in at.foe: some c.d and ends(c.d, d) else some e in c.adj: e in at.me",
         })
        check_executors(walks(ends, "f.adj \\ at.me", "(some d in ortho: some t.d and ends(t.d, d)) or ends(t, E)"), 3);
}

TEST_CASE("definitions that call each other") {
    for (const std::string ends : {
             "def ends(c: p, d: dir) = c in at.foe and more(c.d, d)\ndef more(c: p, d: dir) = c in at.me or ends(c, d)",
             "def ends(c: p, d: dir) = if c in at.foe: more(c.d, d) else false\n"
             "def more(c: p, d: dir) = if c in empty: hole[c] else c in at.me or ends(c, d)",
             "def ends(c: p, d: dir) = c in at.foe and (some n in c.d: more(n, d))\n"
             "def more(c: p, d: dir) = c in at.me or (some n in c.d: third(n, d))\n"
             "def third(c: p, d: dir) = hole[c] or ends(c, d)",
         })
        check_executors(walks(ends, "f.adj \\ at.me", "(some d in ortho: some t.d and ends(t.d, d)) or ends(t, E)"), 3);
    for (const std::string reach : {
             "def reach(c: p) = {c} | (union n in c.(E | W) & empty: upright(n))\n"
             "def upright(c: p) = {c} | (union n in c.(N | S) \\ at.foe: reach(n))",
             "def reach(c: p) = {c} | (union n in c.adj: onward(n))\n"
             "def onward(c: p) = if c in empty: reach(c) else {}",
         }) {
        check_executors(walks(reach, "reach(f) & empty"), 3);
        check_executors(walks(reach, "f.adj & empty", "count reach(t) > 3 or t in reach(c1)"), 2);
    }
    // What is not written out: no one of them lies on all cycles, or numbers are passed.
    check_executors(walks("def a(c: p) = c in at.me or b(c.E) or e(c.N)\ndef b(c: p) = hole[c] or a(c.N) or e(c.E)\n"
                          "def e(c: p) = c in at.foe or a(c.S) or b(c.W)",
                          "f.adj \\ at.me", "a(t) and b(t)"),
                    2, Asks::Maybe);
    check_executors(walks("def far(c: p, k: 0..3) = k = 0 or near(c.E, k - 1)\n"
                          "def near(c: p, k: 0..3) = c in empty and far(c, k)",
                          "f.adj \\ at.me", "far(t, 2)"),
                    2, Asks::Maybe);
}

TEST_CASE("definitions that count") {
    for (const std::string definition : {
             "def run(c: p, d: dir, k: int) = k = 0 or (at[c] = me and (k = 1 or (some c.d and run(c.d, d, k - 1))))",
             "def run(c: p, d: dir, k: int) = if k > 0: at[c] = me and (k <= 1 or run(c.d, d, k - 1)) else true",
             "def run(c: p, d: dir, k: int) = k = 0 or c in at.me and (k = 1 or (some e in c.d: run(e, d, k - 1)))",
         })
        check_executors(walks(definition, "f.adj \\ at.me", "(some d in ortho: run(t, d, 3)) or run(t, N, 2)"), 3);
    check_executors(
        walks("def within(c: p, k: int) = if k = 0: {c} else {c} | (union e in c.adj & empty: within(e, k - 1))",
              "within(f, 3) & empty"),
        3);
    check_executors(
        walks("def rise(c: p, k: 0..4) = k = 4 or at[c] = none and rise(c.E, k + 1)", "f.adj \\ at.me", "rise(t, 2)"),
        2);
    // Numbers that are not known, that leave the range, or that never end.
    check_executors(walks("def down(c: p, k: 0..3) = k = 0 or at[c] != foe and (some c.E and down(c.E, k - 1))",
                          "f.adj \\ at.me", "down(t, count at.foe) and down(t, 1)"),
                    2, Asks::Maybe);
    check_executors(walks("def spin(c: p, k: int) = c in at.me or (some e in c.E: spin(e, (k + 1) mod 2))",
                          "f.adj \\ at.me", "spin(t, 0)"),
                    2, Asks::Maybe);
}

TEST_CASE("conditions on two cells at once") {
    const std::string hits = "def hits(a: p, b: p) = if hole[a]: b in a.diagonals else b in a.slide(ortho)";
    for (const std::string stays : {
             "no a, b: p: at[b] = me and at[a] = foe and hits(a, b)",
             "some a, b: p: a in at.me and b in empty and (b in a.adj or hole[b] and b in a.diagonals)",
             "all a in at.me, b in at.foe: b in a.adj implies hole[a]",
             "some a in at.me, b in at.foe: a in b.slide(diagonals) or a = b.N or b.N = a",
             "no a in at.me, b in a.adj: at[b] = foe and (hole[a] or a in row(2) or not hole[b])",
             "some b in empty: no a in at.me: hits(a, b)",
             "all b in empty, a in at.me: not (hits(a, b) and hole[b])",
             "count {b in empty | some a in at.foe: hits(a, b)} > 4",
             "some (union a in at.me: {b: p | hits(a, b)}) & at.foe",
             "some a in at.me, b in at.foe: some a.adj & b.adj & empty",
             "all a in at.me: some b in at.foe: b.W in a.slide(ortho)",
         })
        check_executors(walks(hits, "{x: p | hits(f, x) and at[x] != me}", stays), 2);
}

TEST_CASE("sets that are parts of others") {
    for (const std::string stays : {
             "some c in at.me, d in ortho: c.d^(1..2) & empty = c.d^(1..2)",
             "all c in at.me: c.adj = c.adj & (empty | at.me)",
             "some c in at.me: c.adj & at.foe = {}",
             "some c in at.foe: {} = c.adj \\ empty",
             "some c in at.foe: c.adj & empty = c.adj and count c.adj > 2",
             "all c in at.me, d in ortho: c.d = c.d & empty",
             "some c in at.me: c.adj & c.diagonals = c.adj",
         })
        check_executors(walks("", "f.slide(ortho) & empty", stays), 3);
}

TEST_CASE("distances that a condition limits") {
    for (const std::string when : {"some f.d^k, all i: 1..3: i <= k implies f.d^i in empty",
                                   "f.d^k in empty, no i: 1..3: i < k and f.d^i in at.me | at.foe",
                                   "some f.d^k, f.d^k not in at.me, f.d^(k - 1) in empty or k = 1"}) {
        check_executors("game \"Distances\"\nplayers X, O\nboard p = grid(4, 3)\n"
                        "state at: p -> player? = X on {a1, c1}, O on {d3, b3}\nstate n: 0..5\n"
                        "move go(f: p, d: dir, k: 1..3)\n  when f in at.me, d in ortho, " +
                            std::string(when) +
                            "\n  then at[f] := none, at[f.d^k] := me, n += 1\nend\n  draw when n = 5\n"
                            "  draw when stuck\n",
                        3);
    }
}

TEST_CASE("a move beyond the range of a counter is asked for where somebody may be stuck") {
    check_executors("game \"Counter\"\nplayers X, O\nboard p = grid(3, 2)\nstate at: p -> player? = X on a1, O on c2\n"
                    "state n: 0..3\nmove go(f: p, t: p)\n  when f in at.me, t in f.adj & empty\n"
                    "  then at[f] := none, at[t] := me, n += 1\n  ensure n > 0, no at.me & b1 or n = 3\nend\n"
                    "  me wins when stuck\n  draw when n = 3\n",
                    3);
}

TEST_CASE("the parameters of a rule in any order") {
    for (const std::string params : {"t: p, f: p)\n  when t in empty, f in t.slide(ortho) & at.me",
                                     "t: p, k: bool, f: p)\n  when t in empty, f in t.adj & at.me, k or hole[f]",
                                     "t: p, f: p)\n  when t in empty, f in at.me, x(t) + y(f) = 4"})
        check_executors("game \"Orders\"\nplayers X, O\nboard p = grid(4, 3)\n"
                        "state at: p -> player? = X on {a1, c1}, O on {d3, b3}\nstate hole: p -> bool = true on {b3}\n"
                        "state n: 0..5\nmove go(" +
                            params + "\n  then at[f] := none, at[t] := me, n += 1\nend\n  draw when n = 5\n" +
                            "  draw when stuck\n",
                        3);
}

TEST_CASE("loops in effects, beside and around definitions that call themselves") {
    const auto flips = [](const std::string& definitions, const std::string& effects) {
        return "game \"Flips\"\nplayers X, O\nboard p = grid(4, 3)\n"
               "state at: p -> player? = X on {a1, c2}, O on {b1, b2, c1}\nstate n: 0..9\nstate marked: set p = {a1, "
               "d3}\n"
               "def cap(c: p, d: dir) = c.d in at.foe and (c.d^2 in at.me or cap(c.d, d))\n"
               "def ray(c: p, d: dir) = if c.d in at.foe: c.d | ray(c.d, d) else {}\n" +
               definitions + "\nmove put(c: p)\n  when c in empty or n = 2\n  then n += 1, " + effects +
               "\nend\n  me wins when count at.me + count marked > 7 and (some d: dir: cap(a1, d) or some ray(a1, d))\n"
               "  draw when n = 9\n";
    };
    for (const std::string effects : {
             "at[c] := me, for d in {N, S}: if cap(c, d): at[c.d] := me",
             "at[c] := me, for d in {d: dir | cap(c, d)}: at[ray(c, d)] := me",
             "for d in ortho: (if cap(c, d): at[ray(c, d) | c] := me)",
             "for e in at.foe & c.adj: at[e] := me, marked := at.me, if n > 1: (for g in marked: at[g] := none)",
             "for e in at.me & c.adj: at[e] := foe, marked := marked | {g: p | some g.adj & at.me & marked}",
             "for e in at.me: at[e] := (if some e.adj & at.foe: foe else me)",
             "for e in c.adj: (for g in e.E & at.me: at[g] := (if e in at.foe: none else me))",
             "if c in empty: (for e in c.adj: at[e] := at[c.N]), marked := (union e in at.me: e.adj & at.foe)",
         })
        check_executors(flips("", effects), 2);
    // What no path leads to is asked of the reference evaluator: before the loop, not in it.
    const std::string both = "def one(c: p) = c | (union m in c.adj & at.me: two(m))\n"
                             "def two(c: p) = union m in c.adj & empty: one(m)";
    for (const std::string effects :
         {"for e in one(c): at[e] := me", "marked := two(c), for e in c.adj & at.foe: at[e] := me",
          "for e in c.adj & at.foe: at[e] := me, at[c] := (if count one(c) > 2: me else foe)"})
        check_executors(flips(both, effects), 2, Asks::Maybe);
}

TEST_CASE("definitions of several arguments that differ from call to call") {
    const std::string ways = "type way = Up | Right | Down\n";
    const std::string after = "def after(w: way) = match w\n  Up: Right\n  Right: Down\n  Down: Up\n";
    const std::string leads = "path leads(w: way) = match w\n  Up: N\n  Right: E\n  Down: S\n";
    for (const std::string& definition :
         {// A walk whose direction depends on what it meets, as a set and as a condition.
          leads + "def led(w: way) = (if w = Up: {a1} else {}) | (led(w) \\ at.foe).(leads(w)) | "
                  "(if w = Right: (led(Up) & at.foe).E else {}) | (if w = Down: (led(Right) & at.foe).S else {})",
          after + leads +
              "def to(c: p, w: way) = c = a1 and w = Up or (some b: p: b.(leads(w)) = c and b not in at.foe and "
              "to(b, w)) or (some b in at.foe, v: way: w = after(v) and to(b, v) and c in b.adj)\n"
              "def led(w: way) = {c: p | to(c, w)}",
          // Of a player, too.
          after + "def of(q: player, w: way) = at.q | (of(next(q), w) & row(1)).N | (of(q, after(w)) & at.foe)\n"
                  "def led(w: way) = of(me, w)",
          // Of a number.
          after + "def of(n: 1..3) = (if n = 1: at.me else {}) | (of(if n = 3: 1 else 2) \\ at.foe).N | (of(3) & "
                  "row(2)).E | "
                  "(if n = 3: of(2) else {})\ndef led(w: way) = of(match w Up: 1 Right: 2 Down: 3) | of(match after(w) "
                  "Up: 1 "
                  "_: 3)",
          // With one argument that stays.
          after + "def far(from: p, w: way) = {from} | (far(from, after(w)) \\ at.me).E | (far(from, w) & empty).N\n"
                  "def led(w: way) = far(b2, w)"})
        check_executors(walks(ways + definition, "led(Up) | led(Down)", "t in led(Right)"), 3);
}

TEST_CASE("definitions called with numbers outside of the ranges of their parameters") {
    for (const std::string definition :
         {"def lit(x, y: 1..3) = x > 4 or on[x, y] and lit(y, x)", "def lit(x: 1..3, y: 1..5) = on[x, y] or lit(y, 4)",
          "def from(x: 1..3) = {x} | (if on[1, x]: from(4 - min(3, x)) else {2})\ndef lit(x, y: 1..5) = count from(y) "
          "> x",
          "def from(x, y: 1..3) = {x} | (if on[x, y]: from(y, x) else {1})\ndef lit(x, y: 1..5) = y in from(x, y)"})
        check_executors("game \"Lamps\"\nplayers X, O\nstate on: 1..5, 1..5 -> bool = true on (_, 5)\n" + definition +
                            "\nmove turn_on(a, b: 1..5)\n  when lit(a, b) or not on[a, b], a < 3\n"
                            "  then on[a, b] := not on[a, b]\nend\n  me wins when lit(5, 1) and on[1, 1]\n"
                            "  draw when stuck\n",
                        3, Asks::Maybe);
}
