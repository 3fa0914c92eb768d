// Random play draws chance events by their weights, whether in the code of the routine or event by event.

#include "text_games.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace zug;
using namespace zug::game;

namespace {

struct Mean {
    double first = 0; // the mean payoff of the first player
    double error = 0; // its standard error
};

Mean mean_payoff(const std::string& rules, ExecutorKind kind) {
    constexpr std::uint32_t games = 20'000;
    Game game = game_of(rules, kind);
    Random random(7);
    double sum = 0, squares = 0;
    std::array<double, 4> payoffs{};
    for (std::uint32_t k = 0; k < games; ++k) {
        State state = game.initial();
        REQUIRE(game.playout(state, random, 1000).finished);
        REQUIRE(game.payoffs(state, std::span(payoffs).first(game.players())));
        sum += payoffs[0];
        squares += payoffs[0] * payoffs[0];
    }
    const double mean = sum / games;
    return {mean, std::sqrt((squares / games - mean * mean) / games)};
}

void check_mean(const std::string& rules, double expected) {
    const Mean mean = mean_payoff(rules, ExecutorKind::Interpreter);
    CAPTURE(mean.first);
    CAPTURE(mean.error);
    CHECK(std::abs(mean.first - expected) < 4.5 * mean.error);
}

// A chance event leads to the end, which pays what the event has left in `total`.
std::string one_event(const std::string& chance, const std::string& state = "") {
    return "game \"Event\"\nplayers P\nstate total: 0..100\nstate due: bool = true\n" + state + chance +
           "\nmove wait()\n  when not due\n  then due := false\nend payoff P = total when not due\n";
}

} // namespace

TEST_CASE("playouts draw events by weights that are numbers of the event") {
    check_mean(one_event("chance roll(d: 1..6)\n  when due\n  weight d * d\n  then due := false, total := d"),
               441.0 / 91);
}

TEST_CASE("playouts draw events by weights that are no integers") {
    check_mean(one_event("chance roll(d: 1..2)\n  when due\n  weight if d = 1: 0.9 else 0.1\n"
                         "  then due := false, total := d"),
               1.1);
}

TEST_CASE("playouts draw events of several rules") {
    check_mean(one_event("chance low(d: 1..3)\n  when due\n  then due := false, total := d\n"
                         "chance high()\n  when due\n  weight 5\n  then due := false, total := 10"),
               56.0 / 8);
}

TEST_CASE("playouts draw events by weights that depend on the state") {
    // Two cards of six without putting them back: each card is worth 2 on average.
    check_mean("game \"Cards\"\nplayers P\ntype card = 0..3\nstate left: card -> 0..3 = 2 on 1, 1 on 2, 3 on 3\n"
               "state total: 0..100\nstate drawn: 0..2\n"
               "chance draw(c: card)\n  when drawn < 2\n  weight left[c]\n"
               "  then left[c] -= 1, total += c, drawn += 1\n"
               "move wait()\n  when false\n  then drawn := 0\nend payoff P = total when drawn = 2\n",
               2 * 13.0 / 6);
}

TEST_CASE("a playout stops where all events that are due have weight 0") {
    Game game = game_of("game \"Cards\"\nplayers P\ntype card = 0..3\nstate left: card -> 0..3 = 1 on 2\n"
                        "state drawn: 0..2\n"
                        "chance draw(c: card)\n  when drawn < 2\n  weight left[c]\n"
                        "  then left[c] -= 1, drawn += 1\n"
                        "move wait()\n  when false\n  then drawn := 0\nend payoff P = 1 when drawn = 2\n",
                        ExecutorKind::Interpreter);
    State state = game.initial();
    Random random(1);
    const PlayoutResult result = game.playout(state, random, 10);
    CHECK(!result.finished);
    CHECK(result.plies == 1);
    CHECK(game.faulted());
}

TEST_CASE("chance may say whose turn it is, and plays between turns") {
    // Whoever is to move throws: on a six they have won, else the other player is to move, who goes on.
    check_mean("game \"Throw\"\nplayers A, B\nstate due: bool = true\nstate six: player?\n"
               "chance throw(d: 1..6)\n  when due, six = none\n"
               "  then due := false, if d = 6: (six := me) else next foe\n"
               "move go()\n  when not due\n  then due := true, again\n"
               "end payoff p = (if six = p: 1 else -1) when some six\n",
               1.0 / 11);
}

namespace {

// Two games in turns: four dice thrown at once, some of which may be kept, whose sum is the thrower's.
const std::string dice_with_keeping = R"(
game "Dice"
players A, B
type die = 1..4
state up: die -> 1..6
state kept: set die
state thrown: bool
state score: player -> 0..200
state throws: 0..10
chance throw(a: 1..6, b: 1..6, c: 1..6, d: 1..6)
  when not thrown, a = up[1] or not 1 in kept, b = up[2] or not 2 in kept, c = up[3] or not 3 in kept,
       d = up[4] or not 4 in kept
  then up[1] := a, up[2] := b, up[3] := c, up[4] := d, thrown := true
move keep(s: set die)
  when thrown
  then thrown := false, kept := s, throws += 1, score[me] += sum d: die: up[d]
end me wins when throws = 10
)";

} // namespace

TEST_CASE("playouts draw independent parameters of an event one by one") {
    const std::string four = "chance roll(a: 1..6, b: 1..6, c: 1..6, d: 1..6)\n";
    check_mean(one_event(four + "  when due, a >= 3, d != 5\n  then due := false, total := a + b + c + d"), 14.7);
    // As many events of another rule.
    check_mean(one_event(four + "  when due\n  then due := false, total := a + b + c + d\n"
                                "chance other()\n  when due\n  weight 1296\n  then due := false, total := 20"),
               17);
    // Two of them differ.
    check_mean(one_event(four + "  when due, b < c, a = 1\n  then due := false, total := a + b + c + d"), 11.5);
}

TEST_CASE("where one of the independent parameters has no value, no event is due") {
    check_mean("game \"Event\"\nplayers P\nstate total: 0..100\nstate due: bool = true\nstate open: set 1..6\n"
               "chance roll(a: 1..6, b: 1..6, c: 1..6, d: 1..6)\n  when due, b in open\n"
               "  then due := false, total := a + b + c + d\n"
               "move unlock()\n  when due\n  then open := {1, 4}\n"
               "end payoff P = total when not due\n",
               13);
}

TEST_CASE("events of independent parameters are recorded as they are drawn") {
    for (const ExecutorKind kind : {ExecutorKind::Interpreter, ExecutorKind::Native}) {
        Game game = game_of(dice_with_keeping, kind);
        Random random(11);
        for (int playout = 0; playout < 20; ++playout) {
            State recorded = game.initial(), replayed = recorded, next;
            std::vector<PlayedMove> played;
            REQUIRE(game.playout(recorded, random, 100, played).finished);
            MoveList moves;
            for (const PlayedMove& move : played) {
                CHECK((game.expand(replayed, moves) == NodeKind::Chance) == move.chance);
                const auto i = moves.find(move.id);
                REQUIRE(i.has_value());
                REQUIRE(game.successor(replayed, moves, *i, next));
                std::swap(replayed, next);
            }
            CHECK(game.position_text(recorded) == game.position_text(replayed));
        }
    }
}

TEST_CASE("a fault in an event of independent parameters names them") {
    Game game = game_of("game \"Event\"\nplayers P\nstate total: 0..23\nstate due: bool = true\n"
                        "chance roll(a: 1..6, b: 1..6, c: 1..6, d: 1..6)\n  when due\n  then total := a + b + c + d\n"
                        "move wait()\n  when false\n  then due := false\nend payoff P = total when not due\n",
                        ExecutorKind::Interpreter);
    State state = game.initial();
    Random random(1);
    CHECK(!game.playout(state, random, 1'000'000).finished);
    REQUIRE(game.faulted());
    CHECK(game.fault_text().find("roll 6-6-6-6") != std::string::npos);
}
