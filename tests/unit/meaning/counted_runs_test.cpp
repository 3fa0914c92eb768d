// Lines that are found by counting along runs from one of their sites, and what only looks like that.

#include "tests/unit/meaning/lines_of_play.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace zug::meaning_test;

namespace {

// Stones are put down until the condition holds.
std::string put_down(const std::string& board, const std::string& condition, const std::string& definition = "") {
    return "game \"Stones\"\nplayers X, O\nboard p = " + board + "\nstate at: p -> player?\n" + definition +
           "\nmove put(c: p)\n  when c in empty\n  then at[c] := me\nend\n  me wins when " + condition +
           "\n  draw when stuck\n";
}

} // namespace

TEST_CASE("runs both ways from a member of a set") {
    for (const std::string condition :
         {"some c in at.me, d in axes: count c.(d & at.me)^+ + count c.(~d & at.me)^+ >= 2",
          "some c in at.me, d in axes: count c.(~d & at.me)^* + count c.(d & at.me)^+ > 2",
          "some d in ortho, c in at.me: 3 <= count c.(d & at.me)^* + count c.(~d & at.me)^*",
          "some c in at.me, d in axes: count c.(d & at.me)^+ + count c.(~d & at.me)^+ + 1 >= 3",
          "some c in at.me, d in axes: count c.((d | ~d) & at.me)^* >= 3",
          "some c in at.me, d in axes: count c.((~d | d) & at.me)^+ > 1",
          "some c in at.me, d in axes: count c.((d | ~d) & at.me)^+ >= 1",
          "some c in empty, d in axes: count c.((d | ~d) & at.me)^* >= 3",
          "some c in at.me: count c.((N | ~E) & at.me)^* >= 3",
          // The sites counted are others, one way, or the first one need not be among them.
          "some c in at.me, d in axes: count c.(d & at.me)^+ + count c.(~d & at.foe)^+ >= 2",
          "some c in empty, d in axes: count c.(d & at.me)^+ + count c.(~d & at.me)^+ >= 2",
          "some c: p, d in axes: count c.(d & at.me)^+ + count c.(~d & at.me)^+ >= 2",
          "some c in at.me \\ row(1), d in axes: count c.(d & at.me)^+ + count c.(~d & at.me)^+ >= 2",
          "some c in at.me, d in axes: count c.(d & at.me)^+ + count c.(~d & at.me)^+ = 2",
          "some c in at.me, d in axes: count c.(d & at.me)^+ + count c.(~d & at.me)^+ >= 2 and c.N in empty",
          // The other way is no opposite.
          "some c in at.me, d in axes: count c.(d & at.me)^+ + count c.(d & at.me)^+ >= 2",
          "some c in at.me: count c.(N & at.me)^+ + count c.(~E & at.me)^+ >= 2"})
        check_executors(put_down("grid(3, 3)", condition), 5);
}

TEST_CASE("runs one way") {
    for (const std::string condition :
         {"some c: p, d in ortho: count c.(d & at.me)^+ >= 2", "some c in empty, d in axes: count c.(~d & at.me)^+ > 1",
          "some c in at.foe: count c.(N & at.me)^* >= 2 and no at.me & row(3)",
          "no c: p, d in ortho: count c.(d \\ at.me)^+ >= 2"})
        check_executors(put_down("grid(3, 3)", condition), 5);
}

TEST_CASE("runs on boards of other shapes") {
    check_executors(put_down("hex rhombus(3)",
                             "some c in at.me, d in compass: count c.(d & at.me)^+ + count c.(~d & at.me)^+ >= 2"),
                    5);
    // Runs come round to where they began.
    for (const std::string count : {"2", "4", "5"})
        check_executors(
            put_down("ring(5)", "some c in at.me: count c.(on & at.me)^+ + count c.(back & at.me)^+ >= " + count), 5);
    check_executors(
        put_down("ring(4)", "some c in at.me, d in axes: count c.(d & at.me)^+ + count c.(~d & at.me)^+ > 2"), 4);
    check_executors(put_down("lines\n  E: a b c d\n  N: a e, d f",
                             "some c in at.me, d in axes: count c.(d & at.me)^+ + "
                             "count c.(~d & at.me)^+ >= 2"),
                    6);
}
