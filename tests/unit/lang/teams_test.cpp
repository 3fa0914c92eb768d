// Who plays together, as files say it.

#include "ir/print.hpp"
#include "support.hpp"

#include <doctest/doctest.h>

using namespace zug;
using namespace zug::lang;

namespace {

using Teams = std::vector<std::uint32_t>;

std::string game_of(const std::string& players, const std::string& end = "end draw when n = 3") {
    return "players " + players + "\nstate n: 0..3\nmove go\n  when n < 3\n  then n += 1\n" + end + "\n";
}

Teams teams_of(const std::string& players) {
    const Loaded loaded = load_text("test.zug", game_of(players));
    INFO(said(loaded));
    REQUIRE(loaded.program);
    return loaded.program->teams;
}

} // namespace

TEST_CASE("teams are numbered by their first members, in whatever order they are named") {
    CHECK(teams_of("A, B, C, D\nteams A C, B D") == Teams{0, 1, 0, 1});
    CHECK(teams_of("A, B, C, D\nteams D B, C A") == Teams{0, 1, 0, 1});
    CHECK(teams_of("A, B, C, D\nteams D C") == Teams{0, 1, 2, 2});
    CHECK(teams_of("A, B, C\nteams C, B A") == Teams{0, 0, 1});
}

TEST_CASE("without partners there are no teams") {
    CHECK(teams_of("A, B, C").empty());
    CHECK(teams_of("A, B, C\nteams B, C").empty());
    CHECK(ir::print(*load_text("test.zug", game_of("A, B, C\nteams B, C")).program) ==
          ir::print(*load_text("test.zug", game_of("A, B, C")).program));
}

TEST_CASE("who does not take part is left out of their team") {
    CHECK(teams_of("3 of A, B, C, D\nteams A C, B D") == Teams{0, 1, 0});
    CHECK(teams_of("4 of A, B, C, D, E\nteams A E, B D").size() == 4);
}

TEST_CASE("a team has one payoff: of one member, or the mean of all") {
    const std::string players = "A, B, C, D\nteams A C, B D\nstate m: player -> 0..3";
    const auto payoffs = [&](const std::string& clauses) {
        const Loaded loaded = load_text("test.zug", game_of(players, "end when n = 3\n  " + clauses));
        INFO(said(loaded));
        REQUIRE(loaded.program);
        const ir::EndClause& end = loaded.program->ends.front();
        CHECK(end.payoffs[0] == end.payoffs[2]);
        CHECK(end.payoffs[1] == end.payoffs[3]);
        const std::string text = ir::print(*loaded.program);
        const auto line = text.substr(text.find("payoffs ") + 8);
        return line.substr(0, line.find('\n'));
    };
    CHECK(payoffs("payoff C = 1\n  payoff B = -payoff(A)") == "1, -1, 1, -1");
    CHECK(payoffs("payoff D = 3\n  payoff p = number(p)") == "2, 3, 2, 3");
    // What is the same for all members is written once, whatever its variables are called.
    CHECK(payoffs("payoff p = sum q in team(p): m[q]").find('*') == std::string::npos);
    CHECK(payoffs("payoff p = m[p]").find("(* (+ ") == 0);
}

TEST_CASE("new players in a file that extends another make new teams") {
    const std::string base = std::string(ZUG_SOURCE_DIR) + "/rules/halma";
    const auto load = [&](const std::string& more) {
        return load_text("test.zug", "extends \"" + base + "\"\n" + more);
    };
    const Loaded same = load("game \"Same\"\n");
    INFO(said(same));
    REQUIRE(same.program);
    CHECK(same.program->teams == Teams{0, 1, 0, 1});
    const Loaded other = load("teams Red Yellow, Green Blue\ndef goal(p: player) = home(next(next(p)))\n");
    INFO(said(other));
    REQUIRE(other.program);
    CHECK(other.program->teams == Teams{0, 0, 1, 1});
    const Loaded alone = load("players Red, Yellow, Green, Blue\ndef goal(p: player) = home(next(next(p)))\n");
    INFO(said(alone));
    REQUIRE(alone.program);
    CHECK(alone.program->teams.empty());
}
