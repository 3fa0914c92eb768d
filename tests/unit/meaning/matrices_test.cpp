// Maps of several numbers or enumerations: conditions on their entries, and moves of them, mean the same as one by one.

#include "tests/unit/meaning/lines_of_play.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace zug::meaning_test;

namespace {

void check_matrix(const std::string& rules, int depth = 4) {
    check_executors("game \"Matrix\"\nplayers X, O\n" + rules, depth);
}

const std::string small = "state at: 1..4, 1..3 -> player?\n";
const std::string put_one = "move put(c: 1..4, r: 1..3)\n  when at[c, r] = none\n  then at[c, r] := me\n";

std::string wins_when(const std::string& condition) {
    return "\nend\n  me wins when " + condition + "\n  draw when stuck\n";
}

} // namespace

TEST_CASE("steps within a matrix, kept in range at its edges or not") {
    check_matrix(small + put_one + wins_when("some c: 1..2, r: 1..3: all i: 0..2: at[c + i, r] = me"), 6);
    check_matrix(
        small + put_one + wins_when("some c: 1..4, r: 1..3: c <= 2 and all i: 0..2: at[min(4, c + i), r] = me"), 6);
    check_matrix(small + put_one + wins_when("some c: 1..4, r: 1..3: all i: 0..2: at[min(4, c + i), r] = me"), 6);
    check_matrix(small + put_one + wins_when("some r: 1..3, c: 1..4: at[c, r] = me and at[c, max(1, r - 1)] = foe"));
    check_matrix(small + put_one + wins_when("some c: 1..3, r: 1..3: at[r, c] = me and at[c, r] = foe"));
}

TEST_CASE("all entries of a matrix, and conditions beside the second variable") {
    check_matrix(small + put_one + wins_when("all c: 1..2, r: 1..2: at[c, r] != none or r = 2"), 5);
    check_matrix(small + put_one + wins_when("all c: 1..4, r: 1..3: c > 2 or at[c, r] = me or at[c + 1, r] = me"), 6);
    check_matrix(small + put_one +
                     wins_when("some c: 1..4: at[c, 1] = me and some r: 2..3: at[c, r] = me and at[1, r] = me"),
                 6);
    check_matrix(small + put_one + wins_when("all c: 1..2: at[c, 1] != none or all r: 2..3: at[c, r] = me"), 5);
}

TEST_CASE("rows of a matrix") {
    check_matrix("type suit = Club | Heart | Spade\nstate left: suit, 2..7 -> player?\nstate led: suit\n"
                 "move lead(s: suit, n: 2..7)\n  when left[s, n] = none, no m: 2..7: m > n and left[led, m] = me\n"
                 "  then left[s, n] := me, led := s\n" +
                 wins_when("some s: suit: all n: 2..3: left[s, n] = me"));
    check_matrix("state at: 1..9, 1..9 -> player?\nstate last: 1..9\n"
                 "move put(c: 1..9, r: 1..9)\n  when at[c, r] = none, r = last or at[last, r] != none\n"
                 "  then at[c, r] := me, last := c\n" +
                     wins_when("some c: 1..8, r: 1..8: at[c, r] = me and at[c + 1, r + 1] = me"),
                 3);
}

TEST_CASE("three indices, and more values than two") {
    check_matrix("state at: 1..3, 1..3, 1..3 -> player?\n"
                 "move put(x: 1..3, y: 1..3, z: 1..3)\n  when at[x, y, z] = none, z = 1 or at[x, y, max(1, z - 1)] "
                 "!= none\n  then at[x, y, z] := me\n" +
                 wins_when("some x: 1..2, y: 1..3, z: 1..3: at[x, y, z] = me and at[x + 1, y, z] = me"));
    check_matrix("state high: 1..3, 1..4 -> 0..3\n"
                 "move raise(c: 1..3, r: 1..4)\n  when high[c, r] < 3, r = 1 or high[c, max(1, r - 1)] > high[c, r]\n"
                 "  then high[c, r] := high[c, r] + 1\n" +
                     wins_when("some c: 1..3, r: 1..4: high[c, r] = 2 and c + r > 3"),
                 5);
}

TEST_CASE("moves from entry to entry, with `ensure` and `can`") {
    const std::string start = "state at: 1..4, 1..4 -> player?\nstate n: 0..9\n"
                              "move put(c: 1..4, r: 1..4)\n  when n < 3, at[c, r] = none, c + r < 6\n"
                              "  then at[c, r] := me, n += 1\n";
    const std::string go = "move go(c: 1..4, r: 1..4, d: 1..4, q: 1..4)\n"
                           "  when n = 3, at[c, r] = me, at[d, q] = none, c = d or r = q\n"
                           "  then at[c, r] := none, at[d, q] := me\n"
                           "  ensure some c: 1..3, r: 1..4: at[c, r] = me and at[c + 1, r] = none\n";
    check_matrix(start + go + wins_when("some c: 1..3, r: 1..3: at[c, r] = me and at[c + 1, r + 1] = me"), 5);
    check_matrix(start + go + wins_when("n = 3 and not can go(1, _, _, _) for foe"), 5);
    check_matrix(start + go + wins_when("n = 3 and some c: 1..4: can go(c, c, _, _) for me"), 5);
}
