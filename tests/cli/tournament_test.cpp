// zug tournament: interruptions and what follows them, wrong input, the files it writes.

#include "process.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <regex>

using zug::test::has;
using zug::test::read_file;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::Setting;
using zug::test::TemporaryFolder;

namespace {

using Line = std::vector<std::string>;

Line tournament(Line rest) {
    rest.insert(rest.begin(), {"tournament", "tic-tac-toe", "--executor", "interpreter", "--json"});
    return rest;
}

const Line three_players = {"--players", "random; alphabeta:depth=2; maxn:depth=1", "--games", "10", "--opening", "1"};

Line with(Line line, const Line& more) {
    line.insert(line.end(), more.begin(), more.end());
    return line;
}

// What does not depend on time, or on how many runs it took.
nlohmann::json table(const Result& result) {
    auto json = result.json();
    json.erase("seconds");
    json.erase("resumed");
    for (auto& player : json["players"])
        for (const char* key : {"seconds", "longest_move", "late_games"}) player.erase(key);
    return json;
}

} // namespace

TEST_CASE("after a kill, and after Ctrl-C, a tournament ends with the same table") {
    const TemporaryFolder folder;
    const Result whole = run_zug(tournament(three_players));
    CAPTURE(whole.err);
    REQUIRE(whole.code == 0);
    CHECK(whole.json()["finished"] == 30);
    const auto file = folder.path() / "results.jsonl";
    const Line line = tournament(with(three_players, {"-o", file.string()}));
    Setting killed;
    killed.kill_on = file;
    CHECK(run_zug(line, killed).signal == 9);
    const Result resumed = run_zug(line);
    CAPTURE(resumed.err);
    REQUIRE(resumed.code == 0);
    CHECK(table(resumed) == table(whole));
    // Whatever of the file is left.
    const std::string text = read_file(file);
    folder.write("results.jsonl", text.substr(0, text.size() * 2 / 3));
    const Result torn = run_zug(line);
    CHECK(torn.code == 0);
    CHECK(has(torn.err, "1 line can't be read; their games are played again"));
    CHECK(table(torn) == table(whole));
    CHECK(torn.json()["resumed"] > 10);
    const Result threads = run_zug(tournament(with(three_players, {"--threads", "4"})));
    CHECK(table(threads) == table(whole));
}

TEST_CASE("Ctrl-C ends a tournament soon, with the games so far, which the next run has") {
    const TemporaryFolder folder;
    const Line line = {"--players", "random; random", "--games", "1000000", "-o", (folder.path() / "r").string()};
    Setting setting;
    setting.interrupt_after = 0.5;
    const Result stopped = run_zug(tournament(line), setting);
    REQUIRE(stopped.code == 130);
    const auto games = stopped.json()["finished"].get<std::uint64_t>();
    CHECK(games > 10);
    CHECK(stopped.json()["pairs"][0]["wins"] > 0);
    Line more = tournament(line);
    *std::ranges::find(more, "1000000") = "10";
    const Result fewer = run_zug(more);
    CHECK(fewer.code == 0);
    CHECK(fewer.json()["resumed"] == 10);
    Setting gone;
    gone.close_pipe_early = true;
    CHECK(run_zug({"replay", (folder.path() / "r").string()}, gone).err.empty());
}

TEST_CASE("the games of a tournament are replayed") {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "r").string();
    const std::string openings = folder.write("openings.txt", "# two\nb2 a1\nmoves c3\n");
    const Result played = run_zug(with(
        tournament({"--players", "random; alphabeta:depth=1", "--games", "4", "-o", file}), {"--openings", openings}));
    CAPTURE(played.err);
    REQUIRE(played.code == 0);
    const Result replayed = run_zug({"replay", file, "--json"});
    CAPTURE(replayed.err);
    REQUIRE(replayed.code == 0);
    CHECK(replayed.json().size() == 4);
    for (const auto& record : replayed.json()) {
        CHECK(record["moves"][0] == (record["index"] < 2 ? "b2" : "c3"));
        CHECK(record["seconds"].size() == 2);
        CHECK(record["decisions"][0] >= 1);
    }
}

TEST_CASE("several games, of any number of players, with parameters of their own") {
    const Result result =
        run_zug({"tournament", "tic-tac-toe", "hexapawn:width=3,height=3", "three-tic-tac-toe", "truel", "--executor",
                 "interpreter", "--players", "random; maxn:depth=2; random", "--games", "6", "--json"});
    CAPTURE(result.err);
    REQUIRE(result.code == 0);
    const auto json = result.json();
    REQUIRE(json["games"].size() == 4);
    CHECK(json["games"][1]["game"] == "Hexapawn width=3 height=3");
    CHECK(json["games"][0]["finished"] == 18);
    CHECK(json["games"][2]["finished"] == 6);
    CHECK(json["players"][2]["name"] == "random (2)");
    const Result family = run_zug({"tournament", "hexapawn", "-D", "width=3..4", "--executor", "interpreter",
                                   "--players", "random; random", "--games", "2", "--json"});
    CHECK(family.json()["games"].size() == 2);
}

TEST_CASE("a sequential test stops a tournament") {
    const Result result = run_zug(tournament(
        {"--players", "alphabeta:depth=4; random", "--games", "100000", "--opening", "1", "--sprt", "0,50"}));
    CAPTURE(result.err);
    REQUIRE(result.code == 0);
    CHECK(result.json()["sprt"]["accepted"] == "elo1");
    CHECK(result.json()["finished"] < 1000);
    CHECK(result.json()["sprt"]["llr"] > 2.9);
}

TEST_CASE("the page needs nothing else, is closed properly, and shows no text as markup") {
    const TemporaryFolder folder;
    const std::string page = (folder.path() / "page.html").string(), csv = (folder.path() / "table.csv").string();
    const Result result =
        run_zug(tournament({"--players", "random; alphabeta:depth=1; random", "--games", "8", "--html", page, "--csv",
                            csv, "--openings", folder.write("<b>&.txt", "b2\n")}));
    CAPTURE(result.err);
    REQUIRE(result.code == 0);
    const std::string text = read_file(page);
    for (const char* forbidden : {"http", "<script", "src=", "@import", "url(", "<b>", "nan", "inf,", ">inf"})
        CHECK_MESSAGE(!has(text, forbidden), forbidden);
    CHECK(has(text, "&lt;b&gt;&amp;.txt"));
    std::vector<std::string> open;
    const std::regex tag("<(/?)([a-z0-9]+)[^>]*?(/?)>");
    for (auto it = std::sregex_iterator(text.begin(), text.end(), tag); it != std::sregex_iterator(); ++it) {
        const std::string name = (*it)[2];
        if ((*it)[3].length() > 0 || name == "meta") continue;
        if ((*it)[1].length() == 0) {
            open.push_back(name);
            continue;
        }
        REQUIRE_MESSAGE(!open.empty(), name);
        CHECK(open.back() == name);
        open.pop_back();
    }
    CHECK(open.empty());
    const std::string lines = read_file(csv);
    CHECK(std::ranges::count(lines, '\n') == 1 + 3 + 6 + 6);
    CHECK(lines.starts_with("game,player,opponent,wins,draws,losses,points,elo,elo_low,elo_high,seconds,moves,"));
}

TEST_CASE("what is wrong with a tournament is said in a sentence") {
    const TemporaryFolder folder;
    const std::string text = folder.write("text", "hello\n"), nothing = folder.write("nothing", "# only a comment\n");
    struct Wrong {
        Line line;
        int code;
        std::string says;
    };
    const Line two = {"--players", "random; random"};
    for (const Wrong& wrong : {
             Wrong{{"--players", "random"}, 2, "a tournament needs at least two players"},
             Wrong{{"--players", " ; "}, 2, "there is no player ``"},
             Wrong{{"--players", "random; alphabetta"}, 2, "there is no player `alphabetta`"},
             Wrong{{"--players", "random; human"}, 2, "a tournament is between programs"},
             Wrong{with(two, {"--games", "0"}), 2, "--games"},
             Wrong{with(two, {"--sprt", "10,0"}), 2, "--sprt: the first Elo difference must be less"},
             Wrong{{"--players", "random; random; random", "--sprt", "0,10"}, 2, "a sequential test is between two"},
             Wrong{with(two, {"-o", text}), 1, "is no file of a tournament; choose another file"},
             Wrong{with(two, {"-o", "/no/such/folder/x"}), 1, "can't open /no/such/folder/x: No such file"},
             Wrong{with(two, {"-o", "/dev/full"}), 1, "can't write to /dev/full: No space left"},
             Wrong{with(two, {"--csv", "/no/such/folder/x"}), 1, "can't write to /no/such/folder/x"},
             Wrong{with(two, {"--html", "/dev/full", "--games", "2"}), 1, "can't write to /dev/full: No space left"},
             Wrong{with(two, {"--openings", "/no/such/file"}), 1, "can't read /no/such/file"},
             Wrong{with(two, {"--openings", nothing}), 1, "for Tic-Tac-Toe: there is no opening in it"},
             Wrong{with(two, {"--openings", text}), 1, "line 1: move 1"},
             Wrong{with(two, {"--openings", text, "--openings", text}), 2, "2 times for 1 games"},
             Wrong{with(two, {"-D", "nothing=1"}), 2, "nothing"},
         }) {
        const Result result = run_zug(tournament(wrong.line));
        CAPTURE(result.err);
        CAPTURE(wrong.says);
        CHECK(result.code == wrong.code);
        CHECK(has(result.err, wrong.says));
    }
    CHECK(run_zug({"tournament", "no-such-game", "--players", "random; random"}).code == 2);
    CHECK(has(run_zug({"tournament", "pig", "--players", "random; alphabeta"}).err, "player `alphabeta` in Pig"));
}
