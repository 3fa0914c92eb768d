// Random play of turns of several steps: each turn is as likely as any other, however it is drawn.

#include "tests/unit/meaning/lines_of_play.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

using namespace zug;
using namespace zug::meaning_test;

namespace {

// The number of turns that lead to each state, in many games of one turn.
std::map<std::vector<std::uint32_t>, int> drawn(run::Executor& executor, const run::State& start, int games) {
    Random random(17);
    std::map<std::vector<std::uint32_t>, int> counts;
    for (int k = 0; k < games; ++k) {
        run::State state = start;
        REQUIRE(executor.playout(state, random, 1).plies == 1);
        std::vector<std::uint32_t> slots;
        executor.store(state, slots);
        ++counts[slots];
    }
    return counts;
}

// From each of some positions: all turns, and each about equally often, the same ones by machine code. The bound is
// five standard deviations.
void check_draws(const std::string& text, int plies) {
    CAPTURE(text);
    game::Game game = game::game_of(text, game::ExecutorKind::Interpreter);
    game::Game compiled = game::game_of(text, game::ExecutorKind::BestNative);
    run::Executor& executor = game.executor();
    run::State state;
    executor.initial(state);
    Random random(5);
    for (int ply = 0; ply < plies; ++ply) {
        run::MoveList moves;
        if (executor.expand(state, moves) != run::NodeKind::Decision) break;
        constexpr int each = 400;
        const auto counts = drawn(executor, state, each * static_cast<int>(moves.size()));
        CHECK(counts.size() == moves.size());
        CHECK(drawn(compiled.executor(), state, each) == drawn(executor, state, each));
        for (const auto& [slots, count] : counts) CHECK(std::abs(count - each) < 5 * 20);
        REQUIRE(executor.playout(state, random, 1).plies == 1);
    }
}

// A piece goes, and then may have to do something more.
std::string goes(const std::string& second, const std::string& plan) {
    return "game \"Goes\"\nplayers X, O\nboard p = grid(4, 4)\n"
           "state at: p -> player? = X on {a1, b1, c2}, O on {b3, c4, d3}\nstate n: 0..9\nlocal got: p?\n"
           "move go(f: p, t: p)\n  when f in at.me, t in f.adj & empty\n"
           "  then at[f] := none, at[t] := me, n += 1, got := t\n" +
           second + "\nturn " + plan + "\nend\n  draw when n = 9\n  draw when stuck\n";
}

// The steps of all turns from the start, in the order of the list.
std::vector<std::vector<run::StepCode>> turns(const std::string& text, game::ExecutorKind kind) {
    game::Game game = game::game_of(text, kind);
    run::State state;
    game.executor().initial(state);
    run::MoveList moves;
    REQUIRE(game.executor().expand(state, moves) == run::NodeKind::Decision);
    std::vector<std::vector<run::StepCode>> result;
    for (std::size_t i = 0; i < moves.size(); ++i) result.emplace_back(moves.steps(i).begin(), moves.steps(i).end());
    return result;
}

} // namespace

// A position is reached by few large steps and by many small ones, which the order of steps finds first: the turn is
// that of the first, although its position is met later.
TEST_CASE("of the chains to one position the first is the turn") {
    for (const std::string plan : {"may go*", "may go+", "may (go skip)*", "may (go else skip)*", "(go may skip)*",
                                   "may (go may go* skip)*", "go may go*", "go? may (skip else go)*"}) {
        const std::string skip = "state y: 0..3\nmove skip(d: -1..2)\n  when y + d in 0..3\n"
                                 "  then y += d, x := min(9, max(0, x - d))\n";
        const std::string text = "game \"Walk\"\nplayers X, O\nstate x: 0..9\nstate n: 0..3\n"
                                 "move go(d: 1..5)\n  when d != 4, x + d <= 9\n  then x += d\n" +
                                 (plan.find("skip") != std::string::npos ? skip : "") + "turn " + plan +
                                 "\n  then n += 1\nend\n  draw when n = 2\n  draw when stuck\n";
        CAPTURE(text);
        const auto expected = turns(text, game::ExecutorKind::Reference);
        CHECK(expected.size() > 1);
        CHECK(turns(text, game::ExecutorKind::Interpreter) == expected);
        CHECK(turns(text, game::ExecutorKind::BestNative) == expected);
        check_executors(text, 2);
    }
}

TEST_CASE("each turn is as likely as any other") {
    for (const std::string second : {
             "move kill(c: p)\n  when c in got.adj & at.foe\n  then at[c] := none",
             "move kill(c: p)\n  when c in at.foe, c in got.compass\n  then at[c] := none",
             "move kill(c: p)\n  when c in at.foe, some got.adj & at.me\n  then at[c] := none",
             "move shoot(c: p, d: p)\n  when c in got.adj & at.foe, d in c.adj & empty\n  then at[c] := none, at[d] := "
             "foe",
         })
        for (const std::string plan : {" go kill?", "go kill else go", "go kill"}) {
            std::string own = plan;
            if (second.find("shoot") != std::string::npos)
                for (std::size_t i; (i = own.find("kill")) != std::string::npos;) own.replace(i, 4, "shoot");
            if (plan == "go kill" && second.find("at.me") != std::string::npos) continue;
            check_executors(goes(second, own), 2);
            check_draws(goes(second, own), 6);
        }
    check_draws(goes("move jump(f: p, t: p)\n  when f in at.me, got in {none, f}, t in f.leap(ortho, at.foe)\n"
                     "  then at[f] := none, at[t] := me, n += 1, got := t",
                     "jump+ else go"),
                6);
}
