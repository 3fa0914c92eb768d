// Interrupts, full disks, closed and broken streams.

#include "process.hpp"

#include <doctest/doctest.h>

using zug::test::Result;
using zug::test::run_zug;
using zug::test::Setting;
using zug::test::TemporaryFolder;

namespace {

// Prints something on each of these lines, soon.
const std::vector<std::vector<std::string>> printing = {
    {"list"},
    {"info", "tic-tac-toe"},
    {"info", "tic-tac-toe", "--core"},
    {"info", "tic-tac-toe", "--ir"},
    {"info", "tic-tac-toe", "--why-slow", "--seconds", "0.05"},
    {"perft", "tic-tac-toe", "--depth", "3", "--split"},
    {"search", "tic-tac-toe", "--depth", "4", "--json"},
    {"match", "tic-tac-toe", "--players", "random,random", "--games", "2"},
    {"tournament", "tic-tac-toe", "--players", "random;random", "--games", "2"},
    {"check", "tic-tac-toe", "--no-tests"},
    {"fmt", "rules/tic-tac-toe.zug", "--stdout"},
    {"bench", "tic-tac-toe", "--seconds", "0.05"},
    {"--help"},
    {"--version"},
};

} // namespace

TEST_CASE("output that can't be written is exit code 1 and no crash") {
    Setting full, closed, gone;
    full.output_file = "/dev/full";
    closed.close_output = true;
    gone.close_pipe_early = true;
    for (const auto& line : printing) {
        CAPTURE(line[0]);
        const Result on_full = run_zug(line, full);
        CHECK(on_full.code == 1);
        CHECK(on_full.err.find("No space left") != std::string::npos);
        CHECK(run_zug(line, closed).code == 1);
        const Result on_gone = run_zug(line, gone);
        CHECK(on_gone.code == 1);
        CHECK(on_gone.err.empty());
    }
}

TEST_CASE("a record that can't be written is an error") {
    const Result result =
        run_zug({"match", "tic-tac-toe", "--players", "random,random", "--games", "2", "--record", "/dev/full"});
    CHECK(result.code == 1);
    CHECK(!result.err.empty());
    CHECK(
        run_zug({"match", "tic-tac-toe", "--players", "random,random", "--games", "2", "--record", "/no/such/folder/x"})
            .code == 1);
}

TEST_CASE("Ctrl-C ends a search with the best so far") {
    Setting setting;
    setting.interrupt_after = 2.0;
    const Result result = run_zug({"search", "othello", "--method", "alphabeta", "--depth", "60", "--json"}, setting);
    CAPTURE(result.err);
    REQUIRE(result.code == 130);
    CHECK(result.json()["depth"] >= 1);
    CHECK(result.json()["pv"].size() >= 1);
}

TEST_CASE("Ctrl-C ends a match with the games so far") {
    Setting setting;
    setting.interrupt_after = 2.0;
    const Result result =
        run_zug({"match", "tic-tac-toe", "--players", "random,random", "--games", "1000000000", "--json"}, setting);
    REQUIRE(result.code == 130);
    CHECK(result.json()["games"] > 0);
}

TEST_CASE("Ctrl-C ends perft, bench and check") {
    Setting setting;
    setting.interrupt_after = 1.0;
    for (const auto& line : std::vector<std::vector<std::string>>{{"perft", "othello", "--depth", "20"},
                                                                  {"bench", "--seconds", "100000"},
                                                                  {"bench", "othello", "--seconds", "100000"}}) {
        const Result result = run_zug(line, setting);
        CAPTURE(line[0]);
        CHECK(result.code == 130);
    }
}

TEST_CASE("a match's record is read back by replay") {
    const TemporaryFolder folder;
    const std::string record = (folder.path() / "games.txt").string();
    const Result match = run_zug({"match", "connect-four", "--players", "random,alphabeta:depth=2", "--games", "4",
                                  "--seed", "11", "--record", record});
    REQUIRE(match.code == 0);
    const Result replay = run_zug({"replay", record});
    CAPTURE(replay.err);
    CHECK(replay.code == 0);
    CHECK(!replay.out.empty());
    const std::string text = zug::test::read_file(record);
    folder.write("games.txt", text.substr(0, text.size() / 2) + "??");
    CHECK(run_zug({"replay", record}).code == 1);
}
