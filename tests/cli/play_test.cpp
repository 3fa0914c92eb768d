// `zug play`: at a pipe and at a terminal.

#include "process.hpp"

#include <doctest/doctest.h>

using zug::test::has;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::Setting;

namespace {

Result play(std::vector<std::string> arguments, const std::string& input, bool terminal = false) {
    arguments.insert(arguments.begin(), "play");
    Setting setting;
    setting.input = input;
    setting.terminal = terminal;
    setting.environment = {{"TERM", "xterm"}, {"NO_COLOR", ""}};
    return run_zug(arguments, setting);
}

} // namespace

TEST_CASE("a game from a pipe, to its end") {
    const Result result = play({"tic-tac-toe", "--hotseat"}, "a1\na2\nb1\nb2\nc1\n");
    CHECK(result.code == 0);
    CHECK(has(result.out, "X wins"));
    CHECK(result.err.empty());
}

TEST_CASE("the input may end before the game does") {
    const Result result = play({"tic-tac-toe", "--hotseat"}, "a1\na2");
    CHECK(result.code == 0);
    CHECK(has(result.out, "a2"));
    CHECK(!has(result.out, "wins"));
}

TEST_CASE("an illegal line is reported, the game goes on, and the exit code tells") {
    const Result result = play({"tic-tac-toe", "--hotseat"}, "a1\na1\nzebra\na2\nb1\nb2\nc1\n");
    CHECK(result.code == 1);
    CHECK(has(result.err, "a1"));
    CHECK(has(result.err, "zebra"));
    CHECK(has(result.out, "X wins"));
}

TEST_CASE("a person against a program") {
    const Result result = play({"tic-tac-toe", "--as", "X", "--against", "alphabeta:depth=9"}, "b2\nquit\n");
    CHECK(result.code == 0);
    CHECK(has(result.out, "O plays "));
    const Result second = play({"tic-tac-toe", "--as", "O", "--against", "random", "--seed", "3"}, "quit\n");
    CHECK(second.code == 0);
    CHECK(has(second.out, "X plays "));
}

TEST_CASE("moves are listed and picked by number, taken back, hinted at") {
    const Result result = play({"tic-tac-toe", "--hotseat"}, "moves\n1\nundo\nb2\nhint\nposition\nhelp\nquit\n");
    CAPTURE(result.out);
    CHECK(result.code == 0);
    CHECK(result.err.empty());
    CHECK(has(result.out, "a1"));
    CHECK(has(result.out, "hint"));
    CHECK(has(result.out, "undo"));
}

TEST_CASE("chance events are shown, and a seed repeats them") {
    const Result first = play({"pig", "--hotseat", "--seed", "5"}, "roll\n");
    CHECK(first.code == 0);
    CHECK(has(first.out, "die"));
    CHECK(play({"pig", "--hotseat", "--seed", "5"}, "roll\n").out == first.out);
}

TEST_CASE("a terminal gets a prompt, colours and a board with coordinates") {
    const Result result = play({"tic-tac-toe", "--hotseat"}, "b2\nquit\n", true);
    CAPTURE(result.out);
    CHECK(result.code == 0);
    CHECK(has(result.out, "X to move"));
    CHECK(has(result.out, "\x1b["));
    CHECK(has(result.out, "a"));
    Setting plain;
    plain.terminal = true;
    plain.input = "b2\nquit\n";
    plain.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}};
    CHECK(!has(run_zug({"play", "tic-tac-toe", "--hotseat"}, plain).out, "\x1b[3"));
}

TEST_CASE("Ctrl-C at the prompt ends the game cleanly") {
    Setting setting;
    setting.terminal = true;
    setting.environment = {{"TERM", "xterm"}};
    setting.interrupt_on = "X to move";
    const Result result = run_zug({"play", "tic-tac-toe", "--hotseat"}, setting);
    CHECK(result.code == 130);
}
