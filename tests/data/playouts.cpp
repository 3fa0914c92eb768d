// Random playouts, which executors run without listing moves, compared with the move lists of the same positions.

#include "facts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace zug::data {

namespace {

using Slots = std::vector<std::uint32_t>;

Slots slots_of(game::Game& game, const game::State& state) {
    Slots slots;
    game.executor().store(state, slots);
    return slots;
}

// The positions after the moves or outcomes, each with its probability.
std::map<Slots, double> successors(game::Game& game, const game::State& state, game::MoveList& moves,
                                   game::NodeKind kind) {
    std::map<Slots, double> found;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        game::State next;
        if (!game.successor(state, moves, i, next)) continue;
        found[slots_of(game, next)] +=
            kind == game::NodeKind::Chance ? moves.probability(i) : 1 / static_cast<double>(moves.size());
    }
    return found;
}

// Plays one ply at random many times: it leads where the listed moves lead, each as often as its probability says.
void compare_plies(game::Game& game, const game::State& state, int plies, Random& random) {
    game::MoveList moves;
    const game::NodeKind kind = game.expand(state, moves);
    if (kind == game::NodeKind::Fault) return game.clear_fault();
    std::map<Slots, double> expected = successors(game, state, moves, kind);
    std::map<Slots, int> met;
    for (int k = 0; k < plies; ++k) {
        game::State played = state;
        const auto result = game.playout(played, random, 1);
        if (game.faulted()) {
            game.clear_fault();
            continue;
        }
        if (kind == game::NodeKind::Terminal) {
            CHECK(result.finished);
            CHECK(result.plies == 0);
            continue;
        }
        REQUIRE(result.plies == 1);
        const Slots slots = slots_of(game, played);
        REQUIRE_MESSAGE(expected.contains(slots), "not after a listed move: " << game.position_text(played));
        ++met[slots];
    }
    // Five standard deviations and a little: one test in a million fails by chance, and the seed is fixed.
    for (const auto& [slots, probability] : expected) {
        const double mean = probability * plies, slack = 5 * std::sqrt(mean) + 2;
        CHECK(std::abs(met[slots] - mean) <= slack);
    }
}

} // namespace

TEST_CASE("playouts of every rule file make its moves, each as often as the others") {
    constexpr int plies = interpreter_limit == UINT64_MAX ? 150 : 20;
    for (const auto& file : rule_files()) {
        const std::string name = file.filename();
        CAPTURE(name);
        const lang::Loaded loaded = lang::load_file(file);
        REQUIRE(loaded.program);
        game::Game game(loaded.program);
        Random random(7);
        for (int k = 0; k < 6; ++k) {
            game::State state = game.initial();
            const auto played = game.playout(state, random, static_cast<std::uint32_t>(k * k * 3));
            if (game.faulted()) break;
            CHECK((played.finished || played.plies == static_cast<std::uint32_t>(k * k * 3)));
            compare_plies(game, state, plies, random);
        }
    }
}

// Turns of several steps are sampled in ways of their own (compiler/routines/turn_playout.cpp), which differ from one
// phase of a game to the next.
TEST_CASE("playouts of games with a turn plan make its moves all through a game") {
    for (const auto& file : rule_files()) {
        const std::string name = file.filename();
        CAPTURE(name);
        const lang::Loaded loaded = lang::load_file(file);
        REQUIRE(loaded.program);
        if (!loaded.program->turn) continue;
        game::Game game(loaded.program);
        Random random(11);
        game::State state = game.initial();
        for (int k = 0; k < (interpreter_limit == UINT64_MAX ? 60 : 10); ++k) {
            const auto played = game.playout(state, random, 3);
            if (game.faulted()) break;
            if (played.finished) state = game.initial();
            compare_plies(game, state, 60, random);
        }
    }
}

} // namespace zug::data
