// What teams get, and what their positions are worth.

#include "tests/unit/game/text_games.hpp"

#include <doctest/doctest.h>
#include <vector>

using namespace zug;
using namespace zug::game;

namespace {

constexpr const char* pairs_of_six = "players A, B, C, D, E, F\nteams A D, B E, C F\nstate done: bool\n"
                                     "move win\n  then done := true\nmove lose\n  then done := true, next prev(me)\n";

using Values = std::vector<double>;

Values payoffs(const std::string& text, std::string_view line, ExecutorKind kind) {
    Game game = game_of(text, kind);
    Values found(game.players());
    REQUIRE(game.payoffs(after(game, line), found));
    return found;
}

Values worth(const std::string& text, std::string_view position) {
    Game game = game_of(text);
    const auto state = game.parse_position(position);
    REQUIRE(state);
    Values found(game.players());
    game.evaluate(*state, found);
    return found;
}

} // namespace

TEST_CASE("a team wins together, and the others pay in equal parts by team") {
    for (const auto kind : {ExecutorKind::Reference, ExecutorKind::Interpreter}) {
        const std::string rules = pairs_of_six + std::string("end me wins when done\n");
        CHECK(payoffs(rules, "win", kind) == Values{1, -0.5, -0.5, 1, -0.5, -0.5});
        const std::string other = pairs_of_six + std::string("end F loses 3 when done\n");
        CHECK(payoffs(other, "win", kind) == Values{1.5, 1.5, -3, 1.5, 1.5, -3});
        const std::string uneven = "players A, B, C, D\nteams B C D\nstate done: bool\nmove go\n  then done := true\n"
                                   "end me wins when done\n";
        CHECK(payoffs(uneven, "go", kind) == Values{1, -1, -1, -1});
        CHECK(game_of(uneven, kind).traits().zero_sum);
    }
}

TEST_CASE("a team gets the mean of what is written for its members") {
    const std::string rules = "players A, B, C, D\nteams A C, B D\nstate n: player -> 0..9\nstate k: 0..4\n"
                              "move take(i: 0..9)\n  then n[me] := i, k += 1\n"
                              "end when k = 4\n  payoff p = n[p] - n[next(p)]\n";
    for (const auto kind : {ExecutorKind::Reference, ExecutorKind::Interpreter}) {
        CHECK(payoffs(rules, "5 1 2 0", kind) == Values{3, -3, 3, -3});
        CHECK(game_of(rules, kind).traits().zero_sum);
    }
}

TEST_CASE("members have one evaluation, the mean of theirs, and the other team the opposite") {
    const std::string rules = "players A, B, C, D\nteams A C, B D\nstate n: player -> 0..9\n"
                              "move take\n  then n[me] := 9\nend me wins when no p: player: n[p] = 0\n";
    const Values alone = worth("players A, B\nstate n: player -> 0..9\nmove take\n  then n[me] := 9\n"
                               "end me wins when no p: player: n[p] = 0\neval p = n[p]\n",
                               "n=A:4,B:3");
    const Values four = worth(rules + "eval p = n[p]\n", "n=A:1,C:7,B:6");
    CHECK(four == Values{alone[0], alone[1], alone[0], alone[1]});
    CHECK(alone[0] == -alone[1]);
}
