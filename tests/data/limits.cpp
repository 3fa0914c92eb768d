// Effects that would leave a range while the program only asks whether there are moves: they are no faults, and they
// don't make a move legal that its `ensure` forbids.

#include "game/game.hpp"
#include "lang/load.hpp"

#include <doctest/doctest.h>

using namespace zug;
using game::ExecutorKind;
using game::NodeKind;

namespace {

std::shared_ptr<const ir::Program> load(const std::string& text) {
    const lang::Loaded loaded = lang::load_text("test.zug", text);
    REQUIRE(loaded.program);
    return loaded.program;
}

// A game with a counter of moves that reaches its upper bound when the game ends; `rule` forbids moves.
std::string counting(const std::string& rule) {
    return "players A, B\nstate n: 0..3\nstate odd_one: bool\n"
           "move add(k: 1..2)\n  then n := n + 1, odd_one := k = 1\n" +
           rule + "\nend\n  me wins when stuck\n  draw when n = 3\n";
}

double first_payoff(game::Game& game, std::string_view line) {
    const auto state = game.play_line(game.initial(), line);
    REQUIRE_MESSAGE(state, (state ? "" : state.error().text));
    REQUIRE(game.kind(*state) == NodeKind::Terminal);
    CHECK(!game.faulted());
    std::vector<double> payoffs(2);
    REQUIRE(game.payoffs(*state, payoffs));
    return payoffs.front();
}

} // namespace

TEST_CASE("a full counter does not hide that a player is stuck") {
    for (const auto kind : {ExecutorKind::Reference, ExecutorKind::Interpreter}) {
        game::Game free(load(counting("")), kind);
        CHECK(first_payoff(free, "1 1 1") == 0);
        game::Game forbidden(load(counting("  ensure n < 3 or not odd_one and n = 0")), kind);
        CHECK(first_payoff(forbidden, "1 2") == -1); // B moved last, and no third move is allowed
    }
}

TEST_CASE("asking whether a chain of steps can be made is not a fault") {
    const auto program = load(counting("turn add+"));
    for (const auto kind : {ExecutorKind::Reference, ExecutorKind::Interpreter}) {
        game::Game game(program, kind);
        const auto state = game.parse_position("n=3");
        REQUIRE(state);
        CHECK(game.kind(*state) == NodeKind::Terminal);
        CHECK(!game.faulted());
    }
}

TEST_CASE("can with a set asks for any of its members") {
    const auto program = load("players A, B\nstate n: 0..9\nstate two: bool\nstate three: bool\n"
                              "move add(k: 1..3)\n  when k not in {2}\n"
                              "  then n += k, two := can add({2}), three := can add({2, 3})\n"
                              "end draw when n >= 5\n");
    for (const auto kind : {ExecutorKind::Reference, ExecutorKind::Interpreter}) {
        game::Game game(program, kind);
        const auto state = game.play_line(game.initial(), "1");
        REQUIRE(state);
        CHECK(game.position_text(*state) == "n=1 three=true turn=B");
    }
}
