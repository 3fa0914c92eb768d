// What only happens on a terminal: keys that edit a line, lines that disappear, columns.

#include "process.hpp"

#include <doctest/doctest.h>

#include <regex>

using zug::test::has;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::Setting;

namespace {

using Dialogue = std::vector<std::pair<std::string, std::string>>;

Result play_at_terminal(std::vector<std::string> arguments, const Dialogue& dialogue, const char* kind = "xterm") {
    arguments.insert(arguments.begin(), "play");
    Setting setting;
    setting.terminal = true;
    setting.dialogue = dialogue;
    setting.environment = {{"TERM", kind}, {"NO_COLOR", "1"}, {"HOME", "/nonexistent"}};
    setting.limit = 60;
    return run_zug(arguments, setting);
}

} // namespace

TEST_CASE("the tab key completes commands, and lists the moves that begin so") {
    const Result result = play_at_terminal({"tic-tac-toe", "--hotseat"}, {{"X> ", "pos\t\n"},
                                                                          {"moves ", ""},
                                                                          {"X> ", "A\t\t"},
                                                                          {"a1   a2   a3", "2\n"},
                                                                          {"O> ", "position\n"},
                                                                          {"moves    a2", "quit\n"}});
    CAPTURE(result.out);
    CHECK(!result.timed_out);
    CHECK(result.code == 0);
    CHECK(has(result.out, "moves    a2"));
}

TEST_CASE("lines of the session come back and can be changed") {
    const Result result = play_at_terminal({"tic-tac-toe", "--hotseat"}, {{"X> ", "b2\n"},
                                                                          {"O> ", "a1\n"},
                                                                          {"X> ", "\x1b[A\x7f"
                                                                                  "2\n"},
                                                                          {"O> ", "position\n"},
                                                                          {"moves    b2, a1, a2", "quit\n"}});
    CAPTURE(result.out);
    CHECK(!result.timed_out);
    CHECK(result.code == 0);
}

TEST_CASE("Ctrl-C leaves a line that has been begun, and at an empty one ends the game") {
    const Result result = play_at_terminal({"tic-tac-toe", "--hotseat"},
                                           {{"X> ", "b2\n"}, {"O> ", "a1\x03"}, {"O> ", "c3\n"}, {"X> ", "\x03"}});
    CAPTURE(result.out);
    CHECK(!result.timed_out);
    CHECK(result.code == 130);
    CHECK(has(result.out, "moves: b2, c3"));
}

TEST_CASE("Ctrl-D at an empty line ends the game, on a terminal without editing too") {
    for (const char* kind : {"xterm", "dumb", "no-such-terminal"}) {
        const Result result = play_at_terminal({"tic-tac-toe", "--hotseat"}, {{"X> ", "b2\n"}, {"O> ", "\x04"}}, kind);
        CAPTURE(result.out);
        CHECK(!result.timed_out);
        CHECK(result.code == 0);
        CHECK(has(result.out, "moves: b2"));
    }
}

TEST_CASE("Ctrl-D ends the game also if it is typed while a program thinks") {
    const Result result = play_at_terminal({"chess", "--against", "auto:time=1.2s"},
                                           {{"White> ", "e2e4\n"}, {"Black is thinking", "\x04"}});
    CAPTURE(result.out);
    CHECK(!result.timed_out);
    CHECK(result.code == 0);
    CHECK(has(result.out, "Black plays"));
    CHECK(has(result.out, "moves: e2e4, "));
}

TEST_CASE("the terminal is as it was after the time is over") {
    Setting setting;
    setting.terminal = true;
    setting.dialogue = {{"icanon", ""}};
    setting.environment = {{"TERM", "xterm"}};
    const Result result =
        zug::test::run({"sh", "-c", ZUG_BINARY " play tic-tac-toe --hotseat --time 300ms; stty -a"}, setting);
    CAPTURE(result.out);
    CHECK(has(result.out, "--time"));
    CHECK(!has(result.out, "-icanon"));
}

TEST_CASE("moves are listed in columns") {
    const Result result = play_at_terminal({"tic-tac-toe", "--hotseat"}, {{"X> ", "moves\n"}, {"9 c3", "quit\n"}});
    CAPTURE(result.out);
    CHECK(has(result.out, "1 a1   2 b1   3 c1"));
}

TEST_CASE("a program thinks below the board, on a line that goes") {
    const Result result = play_at_terminal({"chess", "--ascii", "--against", "auto:time=1.2s"},
                                           {{"White> ", "e2e4\n"}, {"Black plays", "quit\n"}});
    CAPTURE(result.out);
    CHECK(!result.timed_out);
    const std::size_t board = result.out.find("4 . . . . P"), thinking = result.out.find("Black is thinking: depth"),
                      gone = result.out.rfind("\r\x1b[K"), played = result.out.find("Black plays");
    REQUIRE(thinking != std::string::npos);
    CHECK(board < thinking);
    CHECK(thinking < gone);
    CHECK(gone < played);
    CHECK(has(result.out, "for Black"));
}

TEST_CASE("long work shows how much of it is done, and how long it has taken") {
    Setting setting;
    setting.terminal = true;
    setting.environment = {{"TERM", "xterm"}};
    setting.interrupt_on = " of 100,000 games, random";
    const Result match =
        run_zug({"match", "chess", "--players", "random,alphabeta:depth=2", "--games", "100000"}, setting);
    CAPTURE(match.out);
    CHECK(match.code == 130);
    CHECK(std::regex_search(match.out, std::regex("\\[[#-]{20}\\] +[0-9]+%  [0-9.]+ m?s  [0-9,]+ of 100,000 games")));

    setting.interrupt_on = "s  depth ";
    const Result perft = run_zug({"perft", "chess", "--depth", "12"}, setting);
    CAPTURE(perft.out);
    CHECK(perft.code == 130);
    CHECK(!has(perft.out, "%")); // nobody knows how many positions there will be
}

TEST_CASE("the last word of save and load is completed as the name of a file") {
    const zug::test::TemporaryFolder folder;
    const std::string file = (folder.path() / "adjourned.jsonl").string();
    const std::string begun = (folder.path() / "adj").string();
    const Result result = play_at_terminal({"tic-tac-toe", "--hotseat"}, {{"X> ", "b2\n"},
                                                                          {"O> ", "sa\t" + file + "\n"},
                                                                          {"saved in", "a1\n"},
                                                                          {"X> ", "load " + begun + "\t\n"},
                                                                          {"O> ", "quit\n"}});
    CAPTURE(result.out);
    CHECK(!result.timed_out);
    CHECK(has(result.out, "moves: b2\r\n"));
}
