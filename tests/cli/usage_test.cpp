// Wrong command lines (exit code 2), wrong rule files (exit code 1), and help.

#include "process.hpp"

#include <doctest/doctest.h>

#include <array>
#include <regex>

using zug::test::Result;
using zug::test::run_zug;
using zug::test::TemporaryFolder;

TEST_CASE("the help of every command has an example") {
    for (const auto* command : {"play", "check", "search", "tree", "draw", "match", "tournament", "replay", "perft",
                                "bench", "info", "list", "fmt", "lsp"}) {
        const Result result = run_zug({command, "--help"});
        CAPTURE(command);
        CHECK(result.code == 0);
        CHECK(result.out.find("Example") != std::string::npos);
        CHECK(result.out.find("  zug " + std::string(command)) != std::string::npos);
        CHECK(result.err.empty());
    }
    CHECK(run_zug({"--help"}).code == 0);
    static const std::regex version(R"(zug \d+\.\d+\.\d+ \([0-9a-z-]+, [A-Za-z]+\)\n)");
    CHECK(std::regex_match(run_zug({"--version"}).out, version));
}

TEST_CASE("a wrong command line is exit code 2, a message on standard error and nothing on standard output") {
    for (const auto& line : std::vector<std::vector<std::string>>{
             {},
             {"fly"},
             {"--fly"},
             {"check"},
             {"check", "tic-tac-toe", "--fly"},
             {"check", "no-such-game"},
             {"perft", "tic-tac-toe"},
             {"perft", "tic-tac-toe", "--depth", "many"},
             {"perft", "tic-tac-toe", "--depth", "-1"},
             {"perft", "tic-tac-toe", "--depth", "3", "--executor", "steam"},
             {"perft", "tic-tac-toe", "--depth", "3", "-D", "width"},
             {"perft", "tic-tac-toe", "--depth", "3", "--threads", "0"},
             {"bench", "tic-tac-toe", "--seconds", "0"},
             {"bench", "tic-tac-toe", "--threads", "0"},
             {"bench", "tic-tac-toe", "--cliffs", "tests/cliffs"},
             {"bench", "--cliffs", "tests/cliffs", "--solve"},
             {"bench", "chess", "-D", "repetition=maybe"},
             {"search", "tic-tac-toe", "--method", "guess"},
             {"search", "tic-tac-toe", "--nodes", "-5"},
             {"replay", "games.jsonl", "--line", "-1"},
             {"match", "tic-tac-toe", "--players", "random,random", "--seed", "-1"},
             {"solve", "tic-tac-toe", "--threads", "-1"},
             {"perft", "tic-tac-toe", "--depth", "3", "--memory", "-1"},
             {"perft", "tic-tac-toe", "--depth", "3", "--time", "-1"},
             {"match", "tic-tac-toe", "--players", "random,nobody"},
             {"match", "tic-tac-toe", "--players", "random,alphabeta:deep=3"},
             {"match", "tic-tac-toe", "--players", "random"},
             {"match", "tic-tac-toe", "--players", "random,random", "--games", "none"},
             {"play", "tic-tac-toe", "--as", "Z"},
             {"play", "tic-tac-toe", "--against", "nobody"},
             {"replay"},
             {"info", "tic-tac-toe", "--ir", "--why-slow"},
             {"info", "tic-tac-toe", "--core", "--ir"},
             {"info", "tic-tac-toe", "--seconds", "2"},
             {"info", "tic-tac-toe", "--without", "lift"},
             {"info", "tic-tac-toe", "--passes", "--without", "emit"},
             {"info", "tic-tac-toe", "--passes", "--without", "lifts"},
             {"info", "tic-tac-toe", "--dump-after", "nothing"},
             {"info", "tic-tac-toe", "--passes", "--ir"},
             {"info", "tic-tac-toe", "--ir", "--executor", "reference"},
             {"info", "tic-tac-toe", "--why-slow", "--seconds", "0"},
         }) {
        const Result result = run_zug(line);
        std::string text;
        for (const auto& word : line) text += " " + word;
        CAPTURE(text);
        CAPTURE(result.out);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK(!result.err.empty());
    }
}

TEST_CASE("a number that an option can't have is refused with the numbers that it can have") {
    const std::vector<std::string> match = {"match", "tic-tac-toe", "--players", "random,random"};
    const std::string seeds = "--seed: must be a whole number from 0 to 18446744073709551615\n";
    for (const auto& [option, value, message] : std::vector<std::array<std::string, 3>>{
             {"--games", "0", "--games: must be at least 1\n"},
             {"--games", "-3", "--games: must be a whole number from 0 to "},
             {"--games", "", "--games: must be a whole number from 0 to "},
             {"--max-plies", "0", "--max-plies: must be at least 1\n"},
             {"--seed", "", seeds},
             {"--seed", "-1", seeds},
             {"--seed", "7 ", seeds},
             {"--seed", "18446744073709551616", seeds},
             {"--threads", "0", "--threads: must be a whole number from 1 to 1024\n"},
             {"--threads", "", "--threads: must be a whole number from "},
             {"--memory", "0", "--memory: must be at least 1\n"},
             {"--memory", "", "--memory: must be a number of bytes, as in 512M or 8G\n"},
         }) {
        std::vector<std::string> line = match;
        line.insert(line.end(), {option, value});
        const Result result = run_zug(line);
        CAPTURE(option);
        CAPTURE(value);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK(result.err.find(message) != std::string::npos);
    }
    CHECK(run_zug({"learn", "tic-tac-toe", "--games", "0"}).err.find("must be at least 1\n") != std::string::npos);
#ifndef ZUG_SANITIZED // the address sanitizer's allocator knows no limit
    const Result little = run_zug({"check", "tic-tac-toe", "--memory", "1M"});
    CHECK(little.err.find("more memory is needed than 1.0M (--memory") != std::string::npos);
#endif
}

TEST_CASE("words that are no command and no argument are named in their order, with the nearest command") {
    CHECK(run_zug({"chek", "x"}).err.starts_with("there is no command `chek`; did you mean `check`?\n"));
    CHECK(run_zug({"qqqqqq", "x"}).err.starts_with("there is no command `qqqqqq`\n"));
    CHECK(run_zug({"list", "one", "two"}).err.starts_with("not expected: one two\n"));
    CHECK(run_zug({"--fly"}).err.starts_with("not expected: --fly\n"));
}

TEST_CASE("a name that is nearly a game's gets a hint") {
    const Result result = run_zug({"check", "tic-tak-toe"});
    CHECK(result.code == 2);
    CHECK(result.err.find("did you mean `tic-tac-toe`?") != std::string::npos);
}

TEST_CASE("a wrong rule file is exit code 1 with every diagnostic, its place and the line") {
    const TemporaryFolder folder;
    const std::string file = folder.write("wrong.zug", "game \"Wrong\"\n"
                                                       "players A, B\n"
                                                       "state stones: 0..10 = 10\n"
                                                       "move take(n: 1..3)\n"
                                                       "  when n <= stomes\n"
                                                       "  then stones := stones - m\n"
                                                       "end me wins when stones = 0\n");
    for (const auto* command : {"check", "info", "perft"}) {
        std::vector<std::string> line = {command, file};
        if (line[0] == "perft") line.insert(line.end(), {"--depth", "1"});
        const Result result = run_zug(line);
        CAPTURE(result.err);
        CHECK(result.code == 1);
        CHECK(result.out.empty());
        CHECK(result.err.find(file + ":5:13: error:") != std::string::npos);
        CHECK(result.err.find("did you mean `stones`?") != std::string::npos);
        CHECK(result.err.find(file + ":6:27: error:") != std::string::npos);
        CHECK(result.err.find("when n <= stomes") != std::string::npos);
        CHECK(result.err.find('^') != std::string::npos);
    }
}

TEST_CASE("check: a test in the file that fails is exit code 1") {
    const TemporaryFolder folder;
    const std::string rules = zug::test::read_file("rules/tic-tac-toe.zug");
    const std::string file = folder.write("toe.zug", rules + "\ntest \"too many\": perft 2 = 73\n");
    const Result result = run_zug({"check", file});
    CHECK(result.code == 1);
    CHECK(result.err.find("72") != std::string::npos);
    CHECK(result.err.find("73") != std::string::npos);
    CHECK(run_zug({"check", file, "--no-tests"}).code == 0);
}

TEST_CASE("times have units") {
    for (const char* time : {"60", "60s", "1m", "60000ms", "0.1h"})
        CHECK(run_zug({"search", "tic-tac-toe", "--time", time}).code == 0);
    for (const char* time : {"5x", "-1", "", "s", "nan"})
        CHECK(run_zug({"search", "tic-tac-toe", "--time", time}).code == 2);
    CHECK(run_zug({"bench", "tic-tac-toe", "--seconds", "0"}).code == 2);
}

TEST_CASE("search says what positions at the depth limit count as in a file without `eval`") {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("walk.zug", "players P\nstate n: 0..50\nmove go(k: 1..2)\n  when n + k <= 50\n"
                                 "  then n += k\nend\n  P wins when n = 49\n  draw when n = 50\n");
    const std::string counts = "positions at the depth limit count as 0.5, since the file has no `eval`";
    for (const auto* method : {"maxn", "expectimax", "auto"}) {
        const Result result = run_zug({"search", file, "--method", method, "--depth", "3"});
        CAPTURE(method);
        CAPTURE(result.out);
        CHECK((result.out.find(counts) != std::string::npos) == (std::string(method) != "auto"));
    }
    CHECK(run_zug({"search", "tic-tac-toe", "--method", "alphabeta"}).out.find("count as") == std::string::npos);
}

TEST_CASE("long words of positions, moves and tests are cut where a message shows them") {
    const TemporaryFolder folder;
    const std::string word(50'000, 'x'), rules = zug::test::read_file("rules/tic-tac-toe.zug");
    for (const std::string& test : {"from \"" + word + "\": perft 1 = 1", "from \"turn=" + word + "\": perft 1 = 1",
                                    "from \"" + word + "=1\": perft 1 = 1", "after \"" + word + "\": perft 1 = 1",
                                    ": legal \"" + word + "\"", "\"" + word + "\": perft 1 = 1"}) {
        const Result result = run_zug({"check", folder.write("long.zug", rules + "\ntest " + test + "\n")});
        CAPTURE(test.substr(0, 20));
        CHECK(result.code == 1);
        CHECK(result.err.find("test failed") != std::string::npos);
        CHECK(result.err.size() < 500);
    }
    CHECK(run_zug({"perft", "tic-tac-toe", "--depth", "1", "--moves", word}).err.size() < 300);
}

TEST_CASE("check takes several files and judges them all") {
    const TemporaryFolder folder;
    const std::string wrong = folder.write("wrong.zug", "game \"Wrong\"\n");
    const Result result = run_zug({"check", "tic-tac-toe", wrong, "nim"});
    CHECK(result.code == 1);
    CHECK(result.err.find(wrong) != std::string::npos);
    CHECK(result.out.find("tic-tac-toe") != std::string::npos);
    CHECK(result.out.find("nim") != std::string::npos);
}

TEST_CASE("hostile files are refused quickly") {
    const TemporaryFolder folder;
    std::string deep = "game \"Deep\"\nplayers A\nmove m when ";
    deep += std::string(200000, '(') + "true" + std::string(200000, ')') + "\nend draw\n";
    const auto files = {
        folder.write("empty.zug", ""),
        folder.write("deep.zug", deep),
        folder.write("nul.zug", std::string("game \"N\0l\"\n", 11)),
        folder.write("latin.zug", "game \"caf\xe9\"\n"),
        folder.write("wide.zug", "game \"Wide\"\nplayers A, B\nboard cell = grid(1000000, 1000000)\n"
                                 "state at: cell -> player?\nmove m(c: cell) then at[c] := me\nend draw when true\n"),
        folder.path().string(),
        std::string("/dev/null"),
    };
    for (const auto& file : files) {
        CAPTURE(file);
        const Result result = run_zug({"check", file});
        CHECK(result.code != 0);
        CHECK(result.signal == 0);
        CHECK(!result.err.empty());
    }
}

TEST_CASE("an illegal line of moves or position says what is wrong") {
    const Result moves = run_zug({"perft", "tic-tac-toe", "--depth", "1", "--moves", "b2 b2"});
    CHECK(moves.code == 1);
    CHECK(moves.err.find("b2") != std::string::npos);
    const Result position = run_zug({"perft", "tic-tac-toe", "--depth", "1", "--position", "nonsense"});
    CHECK(position.code == 1);
    CHECK(!position.err.empty());
}

TEST_CASE("a parameter that the file has not") {
    const Result result = run_zug({"info", "connect-four", "-D", "widht=5"});
    CHECK(result.code == 2);
    CHECK(result.err.find("width") != std::string::npos);
}

TEST_CASE("fmt --check judges, fmt --stdout shows, fmt rewrites, and what it writes is stable") {
    const TemporaryFolder folder;
    const std::string file = folder.write("toe.zug", zug::test::read_file("rules/tic-tac-toe.zug") + "\n\n\n");
    const Result shown = run_zug({"fmt", file, "--stdout"});
    REQUIRE(shown.code == 0);
    CHECK(run_zug({"fmt", file}).code == 0);
    CHECK(zug::test::read_file(file) == shown.out);
    CHECK(run_zug({"fmt", "--check", file}).code == 0);
    CHECK(run_zug({"check", file}).code == 0);
    folder.write("toe.zug", "   " + shown.out);
    const Result judged = run_zug({"fmt", "--check", file});
    CHECK(judged.code == 1);
    CHECK(judged.err.find(file) != std::string::npos);
}
