// `zug solve` and `zug query`: families, tables, and what scripts read.

#include "process.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

using zug::test::has;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::TemporaryFolder;

TEST_CASE("a family of instances as text, CSV and JSON") {
    const TemporaryFolder folder;
    const std::string solved = (folder.path() / "solved").string();
    const Result text =
        run_zug({"solve", "hexapawn", "-D", "width=3..4", "-D", "height=3..4", "-o", solved, "--verify"});
    CHECK(text.code == 0);
    CHECK(has(text.out, "hexapawn width=4 height=3  White wins"));
    // The databases are there now.
    const Result csv = run_zug({"solve", "hexapawn", "-D", "width=3..4", "-o", solved, "--csv"});
    CHECK(csv.code == 0);
    CHECK(has(csv.out, "instance,value,remoteness,positions,with_symmetry,seconds,peak_memory,bytes\n"
                       "hexapawn width=3,-1,6,135,71,"));
    const auto json = run_zug({"solve", "hexapawn", "tic-tac-toe", "-o", solved, "--json"}).json();
    REQUIRE(json.size() == 2);
    CHECK(json[0].at("value") == -1);
    CHECK(json[0].at("remoteness") == 6);
    CHECK(json[0].at("positions") == 135);
    CHECK(json[1].at("positions") == 5478);
    CHECK(json[1].at("with_symmetry") == 765);
    CHECK(json[1].at("symmetries") == 8);
    for (const char* field : {"seconds", "bytes", "peak_memory"}) CHECK(json[1].at(field) > 0);
    CHECK(has(text.out, "with symmetry"));
}

TEST_CASE("one position stands for its images, or each by itself") {
    CHECK(has(run_zug({"solve", "tic-tac-toe"}).out, "symmetries   8: 765 positions represent all"));
    const auto each = run_zug({"solve", "tic-tac-toe", "--no-symmetry", "--json"}).json();
    CHECK(each[0].at("positions") == 5478);
    CHECK(each[0].at("with_symmetry") == 5478);
    CHECK(each[0].at("symmetries") == 1);
}

TEST_CASE("rules less symmetric than they seem are solved again when that is found out") {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "numbers.zug").string(), solved = (folder.path() / "solved").string();
    std::ofstream(file) << "players A, B\nboard site = graph\n  p: q\n  q: p\nstate here: site?\n"
                           "state said: 1..4 -> 0..17 = 9\nstate n: 0..4\n"
                           "move choose(s: site)\n  when here = none\n  then here := s\n"
                           "move say(k: 0..17)\n  when here != none, n < 4\n  then said[n + 1] := k, n += 1\n"
                           "end\n  A wins when here = q, said[1] = 3, said[2] = 1, said[3] = 4, said[4] = 5, n = 4\n"
                           "  me wins when n = 4, said[4] mod 2 = 0\n  me loses when n = 4\n";
    const auto seeming = run_zug({"solve", file, "-o", solved, "--json"}).json();
    CHECK(seeming[0].at("symmetries") == 2);
    const Result wrong = run_zug({"solve", file, "-o", solved, "--verify"});
    CHECK(wrong.code == 1);
    CHECK(has(wrong.err, "--no-symmetry"));
    const Result again = run_zug({"solve", file, "-o", solved, "--verify", "--again", "--json"});
    CHECK(again.code == 0);
    CHECK(again.json()[0].at("symmetries") == 1);
}

TEST_CASE("chance: the probability of a win") {
    const auto json = run_zug({"solve", "2048", "-D", "size=2", "-D", "goal=5", "--json"}).json();
    CHECK(json[0].at("win_probability").get<double>() == doctest::Approx(0.082887289072).epsilon(1e-10));
    CHECK(json[0].at("remoteness").is_null());
}

TEST_CASE("chance: databases, questions to them, and a player that knows them") {
    const TemporaryFolder folder;
    const std::string solved = folder.path().string();
    const Result made = run_zug({"solve", "pig", "-D", "goal=10", "-o", solved, "--verify"});
    CHECK(made.code == 0);
    CHECK(has(made.out, "A wins with probability 0."));
    CHECK(has(made.out, "error        at most "));
    const std::vector<std::string> ask = {"query", solved, "pig", "-D", "goal=10"};
    const auto with = [&](std::vector<std::string> options) {
        options.insert(options.begin(), ask.begin(), ask.end());
        return run_zug(options);
    };
    const auto json = with({"--moves", "roll 4", "--json"}).json();
    CHECK(json.at("value_error") < 1e-9);
    CHECK(json.at("remoteness").is_null());
    CHECK(json.at("to_move") == "A");
    CHECK(json.at("moves").size() == 2);
    CHECK(json.at("moves")[0].at("win_probability") == json.at("win_probability"));
    CHECK(json.at("line").size() == 1);
    CHECK(json.at("outcomes").size() == 6);
    CHECK(json.at("outcomes")[0].at("probability") == doctest::Approx(1.0 / 6));
    // Where chance moves, what may come is what there is instead of moves.
    const auto thrown = with({"--moves", "roll", "--json"}).json();
    CHECK(thrown.at("to_move").is_null());
    CHECK(thrown.at("moves")[5].at("probability") == doctest::Approx(1.0 / 6));
    CHECK(has(with({"--moves", "roll"}).out, "  6   16.6667 %  A wins with probability"));
    CHECK(has(with({"--statistics"}).out, "chance moves"));
    CHECK(with({"--statistics", "--json"}).json().at("chance") > 0);
    const auto drawn = with({"--random", "0.2..0.3", "--json"}).json();
    const double value = drawn.at("value");
    CHECK(std::abs(drawn.at("to_move") == "A" ? value - 0.25 : -value - 0.25) <= 0.05);
    for (const char* wrong : {"0.3..0.2", "0.2", "a..b", "winning"}) CHECK(with({"--random", wrong}).code == 2);
    const Result match = run_zug(
        {"match", "pig", "-D", "goal=10", "--players", "solved:" + solved + ",random", "--games", "400", "--json"});
    REQUIRE(match.code == 0);
    CHECK(match.json().at("mean_utility")[0] > 0.2);
    const Result cycle = run_zug({"solve", "pig", "-D", "n=3", "-D", "goal=3", "-o", solved});
    CHECK(cycle.code == 1);
    CHECK(has(cycle.err, "can come back to the position"));
}

TEST_CASE("questions to a database") {
    const TemporaryFolder folder;
    const std::string solved = folder.path().string();
    REQUIRE(run_zug({"solve", "tic-tac-toe", "-o", solved}).code == 0);
    const auto json = run_zug({"query", solved, "tic-tac-toe", "--moves", "b2 a2", "--json"}).json();
    CHECK(json.at("value") == 1);
    CHECK(json.at("remoteness") == 5);
    CHECK(json.at("moves").size() == 7);
    CHECK(json.at("moves")[6].at("move") == "c2");
    CHECK(json.at("moves")[6].at("value") == 0);
    CHECK(json.at("line").size() == 5);
    CHECK(has(run_zug({"query", solved, "tic-tac-toe"}).out, "value     draw in 9"));
    CHECK(has(run_zug({"query", solved, "tic-tac-toe", "--statistics"}).out, "2,358"));
    const auto statistics = run_zug({"query", solved, "tic-tac-toe", "--statistics", "--json"}).json();
    std::uint64_t positions = 0;
    for (const auto& row : statistics.at("results")) positions += row.at("positions").get<std::uint64_t>();
    CHECK(positions == 5478);
    CHECK(run_zug({"query", solved, "tic-tac-toe", "--random", "lost", "--json"}).json().at("remoteness") >= 0);
    const Result missing = run_zug({"query", solved, "hexapawn"});
    CHECK(missing.code == 1);
    CHECK(has(missing.err, "there is no database " + solved + "/hexapawn,width=3,height=3.zugdb; `zug solve"));
    REQUIRE(run_zug({"solve", "hexapawn", "-D", "width=2..4", "-D", "height=3..4", "-o", solved}).code == 0);
    CHECK(has(
        run_zug({"query", solved, "hexapawn", "-D", "width=5"}).err,
        ", but of hexapawn with width=2,height=3; width=2,height=4; width=3,height=3; width=3,height=4 and 2 more"));
    CHECK(has(run_zug({"query", solved, "tic-tac-toe", "--random", "2..3"}).err, "no position is worth 2..3 for"));
    CHECK(has(run_zug({"query", solved, "hexapawn", "--random", "drawn"}).err, "no position is drawn for"));
    for (const auto& wrong : std::vector<std::vector<std::string>>{{"--random", "won", "--moves", "b2"},
                                                                   {"--statistics", "--moves", "b2"},
                                                                   {"--statistics", "--random", "won"}}) {
        std::vector<std::string> command = {"query", solved, "tic-tac-toe"};
        command.insert(command.end(), wrong.begin(), wrong.end());
        CHECK(run_zug(command).code == 2);
    }
}

TEST_CASE("a solved player that teases wins more, and no less is asked of its text") {
    const TemporaryFolder folder;
    const std::string solved = (folder.path() / "width=3,height=3").string();
    REQUIRE(run_zug({"solve", "tic-tac-toe", "-o", solved}).code == 0);
    const auto match = [](const std::string& players) {
        return run_zug({"match", "tic-tac-toe", "--players", players, "--games", "400", "--json"});
    };
    const auto plain = match("solved:" + solved + ",random").json();
    const auto teasing = match("solved:" + solved + ",tease=on,error=0.5,random").json();
    CHECK(teasing.at("losses")[0] == 0);
    CHECK(teasing.at("wins")[0] > plain.at("wins")[0]);
    const Result several = run_zug({"tournament", "tic-tac-toe", "--players",
                                    "solved:" + solved + ",tease=on; random; solved:" + solved, "--games", "2"});
    CHECK_MESSAGE(several.code == 0, several.err);
    const Result maybe = match("solved:" + solved + ",tease=maybe,random");
    CHECK(maybe.code == 2);
    CHECK(has(maybe.err, "tease must be on or off, not `maybe`"));
    const Result misspelt = match("solved:" + solved + ",teas=on,random");
    CHECK(misspelt.code == 2);
    CHECK(has(misspelt.err, "did you mean `tease`?"));
    CHECK(
        has(match("solved:" + solved + "/deeper,tease=on,random").err, "there is no database " + solved + "/deeper/"));
    CHECK(has(run_zug({"help", "players"}).out, "tease=on"));
}

TEST_CASE("a damaged database: what to do is said, and it helps") {
    const TemporaryFolder folder;
    const std::string solved = folder.path().string();
    REQUIRE(run_zug({"solve", "tic-tac-toe", "-o", solved}).code == 0);
    const std::filesystem::path path = folder.path() / "tic-tac-toe.zugdb";
    const auto damage = [&] {
        std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(500) << '\xAA' << '\x55';
    };
    damage();
    const Result damaged = run_zug({"query", solved, "tic-tac-toe"});
    CHECK(damaged.code == 1);
    CHECK(has(damaged.err, "tic-tac-toe.zugdb is damaged: "));
    CHECK(has(damaged.err, "`zug solve --again` replaces it"));
    REQUIRE(run_zug({"solve", "tic-tac-toe", "-o", solved, "--again"}).code == 0);
    CHECK(run_zug({"query", solved, "tic-tac-toe"}).code == 0);
    damage();
    const Result anew = run_zug({"solve", "tic-tac-toe", "-o", solved});
    CHECK(anew.code == 0);
    CHECK(has(anew.err, "tic-tac-toe.zugdb is damaged in block "));
    CHECK(has(anew.err, "; solving again"));
    CHECK(run_zug({"query", solved, "tic-tac-toe"}).code == 0);
}

TEST_CASE("a database for another rule of ties is none") {
    const TemporaryFolder folder;
    const auto solve = [&](const std::string& file, const std::string& ties) {
        return run_zug({"solve", file, "-o", folder.path().string(), "--ties", ties}).out;
    };
    solve("pirates", "spiteful");
    CHECK(!has(solve("pirates", "kind"), "from an existing database"));
    CHECK(has(solve("pirates", "kind"), "from an existing database"));
    solve("tic-tac-toe", "spiteful"); // two players whose utilities add up to zero know no ties
    CHECK(has(solve("tic-tac-toe", "kind"), "from an existing database"));
}

TEST_CASE("the bench of solving") {
    const auto json = run_zug({"bench", "hexapawn", "-D", "width=3..4", "--solve", "--json"}).json();
    const auto& figures = json.at("solving").at(1);
    CHECK(figures.at("positions") == 1128);
    CHECK(figures.at("with_symmetry") == 569);
    for (const char* field : {"found_per_second_and_core", "solved_per_second_and_core", "disk_per_position",
                              "look_up_seconds", "look_up_again_seconds"})
        CHECK(figures.at(field) > 0);
    CHECK(run_zug({"bench", "pig", "-D", "goal=5", "--solve"}).code == 0);
    const Result large = run_zug({"bench", "go", "--solve"});
    CHECK(large.code == 1);
    CHECK(large.out.empty());
    CHECK(has(large.err, "zug: go: "));
    CHECK(run_zug({"bench", "--solve"}).code == 2);
}

TEST_CASE("wrong command lines and games that can't be solved") {
    CHECK(run_zug({"solve", "tic-tac-toe", "--verify"}).code == 2);
    CHECK(run_zug({"solve", "tic-tac-toe", "-o", "x", "--moves", "a1"}).code == 2);
    CHECK(run_zug({"solve", "hexapawn", "-D", "width=4..3"}).code == 2);
    CHECK(run_zug({"solve", "hexapawn", "-D", "wide=3"}).code == 2);
    CHECK(has(run_zug({"solve", "hexapawn", "-D", "width=3..x"}).err, "with whole numbers"));
    for (const auto& wrong : std::vector<std::vector<std::string>>{{"--again"},
                                                                   {"--checkpoint", "5"},
                                                                   {"--csv", "--json"},
                                                                   {"--table", "1G"},
                                                                   {"--prove", "--memory", "1G"},
                                                                   {"--prove", "--no-symmetry"},
                                                                   {"--positions", "0"},
                                                                   {"--positions", "-1"},
                                                                   {"--memory", "-5"},
                                                                   {"--memory", "12X"},
                                                                   {"--memory", "G"},
                                                                   {"--memory", "5ib"},
                                                                   {"--threads", "0"}}) {
        std::vector<std::string> command = {"solve", "tic-tac-toe"};
        command.insert(command.end(), wrong.begin(), wrong.end());
        CAPTURE(wrong.front());
        CHECK(run_zug(command).code == 2);
    }
    for (const char* bytes : {"0", "500000000", "1.5G", "900m", "640MiB", "1gb"})
        CHECK(run_zug({"solve", "hexapawn", "--memory", bytes}).code == 0);
    const Result some = run_zug({"solve", "hexapawn", "chess", "--positions", "1000"});
    CHECK(some.code == 1);
    CHECK(has(some.out, "Black wins"));
    CHECK(has(some.err, "63 bits"));
    CHECK(has(some.err, "`--prove` finds the value"));
    const Result dice = run_zug({"solve", "backgammon", "--positions", "1000"});
    CHECK(has(dice.err, "63 bits"));
    CHECK(!has(dice.err, "--prove"));
    // Scripts find every instance, and no value where there is none.
    const auto json = run_zug({"solve", "hexapawn", "chess", "--positions", "1000", "--json"}).json();
    REQUIRE(json.size() == 2);
    CHECK(json[1].at("value").is_null());
    CHECK(json[1].at("remoteness").is_null());
    CHECK(has(json[1].at("error"), "more than 1000 positions"));
    CHECK(!json[0].contains("error"));
    const std::string csv = run_zug({"solve", "chess", "--positions", "1000", "--csv"}).out;
    CHECK(has(csv, "\nchess,,,,,"));
    CHECK(has(csv, ",\n"));
    CHECK(run_zug({"solve", "hexapawn", "-o", "/proc/nowhere"}).code == 1);
}
