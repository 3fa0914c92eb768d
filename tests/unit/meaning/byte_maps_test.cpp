// Maps of small numbers, which are kept in bytes: at the ends of a byte's range, and with sums that leave it.

#include "tests/unit/meaning/lines_of_play.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace zug::meaning_test;

namespace {

// A game of heaps that are changed until one is as wanted, or for some plies.
std::string heaps(const std::string& state, const std::string& move, const std::string& wanted) {
    return "game \"Heaps\"\nplayers A, B\nstate " + state + "\nstate ply: 0..6\n" + move + ", ply += 1\nend\n" +
           "  me wins when " + wanted + "\n  draw when ply = 6 or stuck\n";
}

} // namespace

TEST_CASE("numbers at the ends of a byte's range") {
    for (const std::string range : {"-127..126", "-128..126", "-127..127", "0..126", "0..127", "0..200", "-5..5"})
        check_executors(heaps("n: 1..9 -> " + range + " = 3",
                              "move change(i: {2, 9}, k: {-5, 5})\n  when n[i] + k in " + range + "\n  then n[i] += k",
                              "n[9] = 10 or some i: 1..9: n[i] < -9"),
                        4);
}

TEST_CASE("sums that leave a byte's range on the way") {
    // Of both signs: the total counts.
    check_executors(heaps("n: 1..9 -> 0..100 = 8",
                          "move change(i: 1..3, k: {0, 5, 30})\n  then n[i] += 120, n[i] += k, n[i] -= 120",
                          "n[1] > 60 and n[2] > 30"),
                    3);
    // Again and again.
    check_executors(heaps("n: 1..9 -> 0..100 = 10",
                          "move change(i: 1..3)\n  then for j in {1, 2, 4}: (n[i] += 40 * j, n[i] -= 40 * j + j - 2)",
                          "n[1] = 8"),
                    4);
    // Each entry once, in a loop over the entries.
    check_executors(heaps("n: 1..12 -> 0..100 = 10",
                          "move change(i: 1..3)\n  then for j in 1..12: n[j] += i * j, ply += 0", "n[12] > 60"),
                    4);
}

TEST_CASE("rows of bytes that fill no word") {
    for (const auto& [index, condition] : {std::pair<std::string, std::string>{"1..7", "n[me, i] > 1"},
                                           {"1..8", "n[foe, i] >= n[me, 3]"},
                                           {"1..9", "n[me, i] = n[foe, 5]"},
                                           {"0..16", "n[me, 8 - i] < 2"},
                                           {"1..33", "n[me, i] != 2"},
                                           {"1..70", "n[me, i] > 1"},
                                           {"1..9", "n[foe, i] >= n[me, 3]"},
                                           {"1..70", "n[me, i] = n[foe, 5]"}})
        check_executors(
            heaps("n: player, " + index + " -> 0..20 = 2 on (_, {3, 5})",
                  "move change(i: 1..7)\n  when " + condition + "\n  then n[me, i] += 1, n[foe, 8 - i] := 3",
                  "n[me, 7] > 1 and max {i: " + index + " | n[me, i] > 2} = 7"),
            3);
}

TEST_CASE("whole maps of bytes") {
    check_executors(
        heaps("n: 1..9 -> -3..30 = 2", "move change(i: 1..9, k: {-3, 7})\n  then n := k, n[i] += 4", "n[9] = 11"), 3);
    check_executors(heaps("n: player, 1..9 -> 1..30 = 2",
                          "move change(i: 1..9, k: {3, 7})\n  then n[me, _] := k, n[foe, i] += k", "n[foe, 9] > 12"),
                    3);
}
