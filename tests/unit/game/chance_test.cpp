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
