// What scripts rely on: the JSON output of the commands, their exit codes, and options common to all commands.

#include "process.hpp"
#include "tests/sanitized.hpp"

#include <doctest/doctest.h>

using zug::test::Result;
using zug::test::run_zug;

TEST_CASE("perft --json has nodes and seconds") {
    const Result result = run_zug({"perft", "rules/tic-tac-toe.zug", "--depth", "5", "--json"});
    REQUIRE(result.code == 0);
    CHECK(result.json()["nodes"] == 15120);
    CHECK(result.json()["seconds"].is_number());
    CHECK(result.err.empty());
}

TEST_CASE("perft --split gives the moves, which add up") {
    const Result result = run_zug({"perft", "tic-tac-toe", "--depth", "4", "--split", "--json"});
    REQUIRE(result.code == 0);
    const auto split = result.json()["split"];
    REQUIRE(split.size() == 9);
    std::uint64_t sum = 0;
    for (const auto& part : split) sum += part["nodes"].get<std::uint64_t>();
    CHECK(sum == 3024);
    CHECK(split[0]["move"].is_string());
}

TEST_CASE("search --json has value, nodes, depth, pv and seconds") {
    const Result result = run_zug({"search", "tic-tac-toe", "--method", "alphabeta", "--depth", "9", "--json"});
    REQUIRE(result.code == 0);
    const auto json = result.json();
    CHECK(json["value"] == 0);
    CHECK(json["nodes"] > 0);
    CHECK(json["depth"] == 9);
    CHECK(json["pv"].size() == 9);
    CHECK(json["pv"][0].is_string());
    CHECK(json["seconds"].is_number());
}

TEST_CASE("plain minimax of tic-tac-toe visits every node") {
    const Result result = run_zug({"search", "tic-tac-toe", "--method", "minimax", "--depth", "9", "--json"});
    REQUIRE(result.code == 0);
    CHECK(result.json()["nodes"] == 549946);
}

TEST_CASE("max^n gives a value for each player") {
    const Result result = run_zug({"search", "three-tic-tac-toe", "--method", "maxn", "--depth", "3", "--json"});
    REQUIRE(result.code == 0);
    CHECK(result.json()["value"].size() == 3);
}

TEST_CASE("the value is the first player's, whoever moves") {
    // X threatens two lines and O is to move.
    const Result result = run_zug(
        {"search", "tic-tac-toe", "--moves", "a1 b2 c3 a3 c1", "--method", "alphabeta", "--depth", "9", "--json"});
    REQUIRE(result.code == 0);
    CHECK(result.json()["value"] == 1);
}

TEST_CASE("match --json has games, score, wins and draws") {
    const std::vector<std::string> line = {
        "match", "tic-tac-toe", "--players", "random,alphabeta:depth=9", "--games", "6", "--seed", "7", "--json"};
    const Result result = run_zug(line);
    REQUIRE(result.code == 0);
    const auto json = result.json();
    CHECK(json["games"] == 6);
    REQUIRE(json["score"].size() == 2);
    REQUIRE(json["wins"].size() == 2);
    CHECK(json["wins"][0] == 0);
    CHECK(json["wins"][0].get<int>() + json["wins"][1].get<int>() + json["draws"].get<int>() == 6);
    CHECK(json["score"][1] > json["score"][0]);
    auto again = run_zug(line).json();
    again["seconds"] = json["seconds"];
    CHECK_MESSAGE(again == json, "the same seed gives the same match");
}

TEST_CASE("bench FILE --json has its three figures") {
    const Result result = run_zug({"bench", "tic-tac-toe", "--seconds", "0.1", "--json"});
    REQUIRE(result.code == 0);
    CHECK(result.json()["playouts_per_second"] > 0);
    CHECK(result.json()["states_per_second"] > 0);
    CHECK(result.json()["mean_plies"] > 5);
    CHECK(result.json()["mean_plies"] < 9);
}

TEST_CASE("bench FILE compares the executors and the program by hand") {
    const auto compared = [](std::vector<std::string> line) {
        line.insert(line.end(), {"--seconds", "0.05", "--json"});
        const Result result = run_zug(line);
        CAPTURE(result.err);
        REQUIRE(result.code == 0);
        std::string names;
        const auto json = result.json();
        for (const auto& contestant : json["contestants"]) {
            CHECK(contestant["states_per_second"] > 0);
            CHECK(contestant["perft_nodes_per_second"] > 0);
            names += (names.empty() ? "" : ", ") + contestant["name"].get<std::string>();
        }
        return names;
    };
    const auto ends_by_hand = [](const std::string& names) { return names.ends_with(", by hand"); };
    CHECK(ends_by_hand(compared({"bench", "connect-four"})));
    const auto four = run_zug({"bench", "connect-four", "--seconds", "0.05", "--json"}).json();
    CHECK(four["alpha_beta_nodes_per_second"] > 0);
    CHECK(four["alpha_beta_ratio"] > 0);
    CHECK(ends_by_hand(compared({"bench", "tic-tac-toe", "--threads", "2"})));
    CHECK(ends_by_hand(compared({"bench", "chess", "-D", "insufficient=false", "-D", "repetition=false"})));
    if (!zug::test::sanitized) { // whose time goes into machine code of chess
        CHECK(ends_by_hand(compared({"bench", "chess"})));
        CHECK(!ends_by_hand(compared({"bench", "chess", "-D", "repetition=false"})));
    }
    CHECK(!ends_by_hand(compared({"bench", "connect-four", "--moves", "d1"})));
    CHECK(!ends_by_hand(compared({"bench", "hexapawn"})));
    CHECK(compared({"bench", "tic-tac-toe", "--executor", "reference"}) == "reference, by hand");
    CHECK(compared({"bench", "nim", "--executor", "interpreter"}) == "interpreter");
}

TEST_CASE("-D sets a parameter, before or after the file, and with or without a blank") {
    for (const auto& line : std::vector<std::vector<std::string>>{
             {"perft", "connect-four", "-D", "width=5", "--depth", "1", "--json"},
             {"perft", "-D", "width=5", "connect-four", "--depth", "1", "--json"},
             {"perft", "-Dwidth=5", "-Dheight=4", "connect-four", "--depth", "1", "--json"}}) {
        const Result result = run_zug(line);
        REQUIRE(result.code == 0);
        CHECK(result.json()["nodes"] == 5);
    }
    for (const auto& line : std::vector<std::vector<std::string>>{
             {"perft", "connect-four", "-D", "width=5", "-D", "height=4", "-D", "width=6", "--depth", "1"},
             {"solve", "nim", "-D", "a=1..2", "-D", "a=3"}}) {
        const Result result = run_zug(line);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK(result.err.find("twice") == result.err.rfind("twice"));
        CHECK(result.err.find("twice") != std::string::npos);
    }
}

TEST_CASE("all executors answer alike, or say why not") {
    for (const auto* executor : {"interpreter", "reference", "native"}) {
        const Result result = run_zug({"perft", "connect-four", "--depth", "3", "--executor", executor, "--json"});
        if (result.code != 0 && std::string_view(executor) == "native") { // a build without LLVM
            CHECK(result.err.find("--executor native: ") != std::string::npos);
            continue;
        }
        REQUIRE(result.code == 0);
        CHECK(result.json()["nodes"] == 343);
    }
}

TEST_CASE("--moves and the --position that is printed name the same place") {
    zug::test::Setting setting;
    setting.input = "position\n";
    const Result shown = run_zug({"play", "tic-tac-toe", "--hotseat", "--moves", "b2 a1"}, setting);
    REQUIRE(shown.code == 0);
    const auto label = shown.out.find("position ");
    REQUIRE(label != std::string::npos);
    const auto begin = label + std::string("position ").size();
    const std::string position = shown.out.substr(begin, shown.out.find('\n', begin) - begin);
    const Result by_moves = run_zug({"perft", "tic-tac-toe", "--moves", "b2 a1", "--depth", "3", "--json"});
    const Result by_position = run_zug({"perft", "tic-tac-toe", "--position", position, "--depth", "3", "--json"});
    REQUIRE(by_position.code == 0);
    CHECK(by_moves.json()["nodes"] == 7 * 6 * 5);
    CHECK(by_position.json()["nodes"] == by_moves.json()["nodes"]);
}

TEST_CASE("list, info and check also speak JSON") {
    const Result list = run_zug({"list", "--json"});
    REQUIRE(list.code == 0);
    CHECK(list.json().size() >= 10);
    CHECK(list.json()[0]["title"].is_string());

    const Result info = run_zug({"info", "tic-tac-toe", "--json"});
    REQUIRE(info.code == 0);
    // Nine cells of three values and the turn: log2(3^9 * 2) = 15.26.
    CHECK(info.json()["state_bits"] == 16);
    CHECK(info.json()["players"] == nlohmann::json({"X", "O"}));
    CHECK(info.json()["zero_sum"] == true);
    CHECK(info.json()["chance"] == false);

    const Result check = run_zug({"check", "tic-tac-toe", "--json"});
    REQUIRE(check.code == 0);
    CHECK(check.json()[0]["errors"] == 0);
}
