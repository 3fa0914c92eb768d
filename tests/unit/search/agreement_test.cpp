// All methods give the identical value at equal depth, on games with transpositions between lines of different length,
// players who move twice, early ends, and evaluations at the horizon.

#include "best_line.hpp"
#include "games.hpp"
#include "search/search.hpp"
#include "tests/sanitized.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace zug;
using namespace zug::search;
using test::NodeKind;
using test::State;

namespace {

// The definition, written out: the value by player at a depth, and whether no line was cut off.
struct Truth {
    std::vector<double> value;
    bool exact = true;
};

Truth brute_force(game::Game& game, const State& state, int depth) {
    Truth truth{std::vector<double>(game.players()), true};
    run::MoveList moves;
    const NodeKind kind = game.expand(state, moves);
    if (kind == NodeKind::Terminal) {
        REQUIRE(game.payoffs(state, truth.value));
        return truth;
    }
    if (depth == 0) {
        game.evaluate(state, truth.value);
        return {truth.value, false};
    }
    std::vector<std::size_t> order(moves.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return moves.id(i); });
    const std::uint32_t mover = game.to_move(state);
    for (std::size_t k = 0; k < order.size(); ++k) {
        State next;
        REQUIRE(game.successor(state, moves, order[k], next));
        const Truth child = brute_force(game, next, depth - 1);
        truth.exact = truth.exact && child.exact;
        if (kind == NodeKind::Chance) {
            for (std::size_t p = 0; p < truth.value.size(); ++p)
                truth.value[p] = std::fma(moves.probability(order[k]), child.value[p], truth.value[p]);
        } else if (k == 0 || child.value[mover] > truth.value[mover]) {
            truth.value = child.value;
        }
    }
    return truth;
}

// Sometimes two players, and sometimes two teams, equal or not, whose members move in any order. Members evaluate a
// position differently.
test::Facts two_sides(test::Facts facts, std::uint64_t seed) {
    constexpr std::size_t kinds = 4;
    const std::array<std::vector<std::uint32_t>, kinds> teams{{{}, {0, 1, 0, 1}, {0, 1, 1}, {0, 0, 1, 0, 1}}};
    facts.teams = teams[seed / 3 % kinds];
    if (!facts.teams.empty()) facts.players = static_cast<std::uint32_t>(facts.teams.size());
    return facts;
}

// The switches that all methods have, in every combination, and the others by turns: `salt` says which come together.
std::vector<Options> all_options(std::uint64_t salt) {
    std::vector<Options> all;
    for (unsigned bits = 0; bits < 16; ++bits) {
        Options options;
        options.window = static_cast<search::RootWindow>((bits + salt) % 5);
        options.scout = (bits / 2 + salt / 5) % 2 == 0;
        options.star = static_cast<search::Star>((bits + salt / 3) % 3);
        options.table = (bits & 1) != 0;
        options.ordering = (bits & 2) != 0;
        options.deepening = (bits & 4) != 0;
        options.pruning = (bits & 8) != 0;
        options.table_bytes = 1 << 10; // small enough for entries to be replaced
        all.push_back(options);
    }
    return all;
}

Result search_to(game::Game& game, Method method, int depth, const Options& options = {}) {
    Limits limits;
    limits.depth = depth;
    return search::search(game, game.initial(), method, limits, options);
}

// Plays the line: every move is legal, and its end has the value, if it has no chance event on the way.
void check_line(game::Game& game, const Result& result, int depth) {
    const State state = test::play_best_line(game, game.initial(), result);
    const NodeKind kind = game.kind(state);
    if (kind == NodeKind::Chance && static_cast<int>(result.pv_ids.size()) < depth) return;
    std::vector<double> value(game.players());
    if (kind == NodeKind::Terminal) {
        REQUIRE(game.payoffs(state, value));
    } else {
        REQUIRE(static_cast<int>(result.pv_ids.size()) == depth);
        game.evaluate(state, value);
    }
    CHECK(value == result.value);
}

void check_method(game::Game& game, Method method, int depth, const Options& options, const Truth& truth) {
    const Result result = search_to(game, method, depth, options);
    CAPTURE(method_name(method));
    CAPTURE(options.table);
    CAPTURE(options.ordering);
    CAPTURE(options.deepening);
    CAPTURE(options.pruning);
    CAPTURE(options.scout);
    CAPTURE(static_cast<int>(options.window));
    CAPTURE(static_cast<int>(options.star));
    CAPTURE(options.threads);
    REQUIRE(result.fault.empty());
    CHECK(result.value == truth.value);
    CHECK(result.complete);
    if (truth.exact) CHECK(result.exact);
    // Of several threads the first to be done stops the others, which may be completing their lines.
    if (depth > 0 && options.threads == 1) check_line(game, result, depth);
}

// A value called proven is the same at every greater depth, and the move leads to it.
void check_proofs(game::Game& game, Method method, int depth, const Options& options) {
    constexpr int deep = 60;
    const Result result = search_to(game, method, depth, options);
    if (!result.exact) return;
    CHECK(brute_force(game, game.initial(), deep).value == result.value);
    if (result.pv_ids.empty()) return;
    run::MoveList moves;
    State next;
    game.expand(game.initial(), moves);
    const auto move = moves.find(result.pv_ids.front());
    REQUIRE(move.has_value());
    REQUIRE(game.successor(game.initial(), moves, *move, next));
    CHECK(brute_force(game, next, deep).value == result.value);
}

} // namespace

TEST_CASE("without chance all methods give minimax's value, with any parts on or off") {
    for (std::uint64_t seed = 0; seed < test::some_of(150); ++seed) {
        test::RandomGraph shape;
        shape.facts = two_sides({.eval = seed % 3 != 0, .lo = -3, .hi = 3}, seed);
        shape.fine = seed % 2 != 0;
        shape.reach = 2 + seed % 7;
        shape.nodes = 14 + seed % 10;
        game::Game game = test::random_graph(shape, seed);
        CAPTURE(seed);
        for (int depth = 0; depth <= 8; ++depth) {
            CAPTURE(depth);
            const Truth truth = brute_force(game, game.initial(), depth);
            const auto options = all_options(seed * 9 + static_cast<std::uint64_t>(depth));
            for (const Method method : {Method::Minimax, Method::AlphaBeta, Method::Expectimax, Method::MaxN})
                for (const Options& parts : options) check_method(game, method, depth, parts, truth);
            for (const Options& parts : options) check_proofs(game, Method::AlphaBeta, depth, parts);
        }
    }
}

// A loss beyond the horizon looks like a draw, which another move is proven to be.
TEST_CASE("where the value is proven, so is that of the move") {
    const auto decision = [](std::uint32_t mover, std::vector<std::size_t> children) {
        return test::GraphNode{.kind = NodeKind::Decision, .mover = mover, .children = std::move(children)};
    };
    const test::GraphNode draw{.values = {0, 0}}, loss{.values = {-1, 1}};
    for (const bool draw_first : {false, true}) {
        const std::vector<std::size_t> first =
            draw_first ? std::vector<std::size_t>{2, 1} : std::vector<std::size_t>{1, 2};
        game::Game game(std::make_unique<test::GraphGame>(
            test::Facts{}, std::vector<test::GraphNode>{decision(0, first), decision(1, {2, 3}), draw, decision(0, {4}),
                                                        decision(1, {5}), decision(0, {6}), loss}));
        for (const Options& parts : all_options(draw_first ? 3 : 7))
            for (int depth = 1; depth <= 8; ++depth) check_proofs(game, Method::AlphaBeta, depth, parts);
    }
    for (std::uint64_t seed = 0; seed < test::some_of(200); ++seed) {
        test::RandomGraph shape;
        shape.facts = {.lo = -1, .hi = 1};
        shape.ends = 0.2;
        shape.reach = 2 + seed % 4;
        game::Game game = test::random_graph(shape, seed);
        CAPTURE(seed);
        for (int depth = 1; depth <= 6; ++depth)
            for (const Options& parts : all_options(seed)) check_proofs(game, Method::AlphaBeta, depth, parts);
    }
}

TEST_CASE("with chance nodes expectimax and maxn give the mean, pruned or not") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        test::RandomGraph shape;
        shape.facts = {.players = seed % 4 == 0 ? 1U : 2U, .chance = true, .zero_sum = seed % 4 != 0, .eval = true};
        if (seed % 4 != 0) shape.facts = two_sides(shape.facts, seed);
        shape.events = 0.3;
        shape.fine = seed % 2 != 0;
        shape.reach = 2 + seed % 7;
        shape.nodes = 14 + seed % 10;
        game::Game game = test::random_graph(shape, seed);
        REQUIRE(automatic(game.traits()) == Method::Expectimax);
        CAPTURE(seed);
        for (int depth = 0; depth <= 7; ++depth) {
            CAPTURE(depth);
            const Truth truth = brute_force(game, game.initial(), depth);
            const auto options = all_options(seed * 9 + static_cast<std::uint64_t>(depth));
            for (const Method method : {Method::Expectimax, Method::MaxN})
                for (const Options& parts : options) check_method(game, method, depth, parts, truth);
        }
    }
}

TEST_CASE("maxn follows its tie rule for three players and for payoffs without a sum") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        test::RandomGraph shape;
        const auto players = static_cast<std::uint32_t>(2 + seed % 3);
        shape.facts = {.players = players, .chance = seed % 2 == 0, .zero_sum = false, .eval = true, .lo = 0, .hi = 5};
        shape.events = seed % 2 == 0 ? 0.2 : 0;
        shape.fine = seed % 5 == 0;
        shape.nodes = 20;
        game::Game game = test::random_graph(shape, seed);
        REQUIRE(automatic(game.traits()) == Method::MaxN);
        CAPTURE(seed);
        for (int depth = 0; depth <= 7; ++depth) {
            CAPTURE(depth);
            const Truth truth = brute_force(game, game.initial(), depth);
            for (const Options& parts : all_options(seed)) check_method(game, Method::MaxN, depth, parts, truth);
        }
    }
}

TEST_CASE("threads that share a table give the value of one") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        test::RandomGraph shape;
        shape.facts = two_sides({.chance = seed % 2 == 0, .eval = true, .lo = -3, .hi = 3}, seed);
        shape.events = seed % 2 == 0 ? 0.2 : 0;
        shape.nodes = 200;
        shape.reach = 12;
        game::Game game = test::random_graph(shape, seed);
        CAPTURE(seed);
        for (int depth = 1; depth <= 9; depth += 2) {
            CAPTURE(depth);
            Options options;
            options.threads = 1 + static_cast<std::uint32_t>(seed % 3 + 1);
            options.window = static_cast<search::RootWindow>(seed % 5);
            options.table_bytes = 1 << 12;
            const Truth truth = brute_force(game, game.initial(), depth);
            check_method(game, automatic(game.traits()), depth, options, truth);
        }
    }
}

TEST_CASE("a searcher that has searched deeper gives the shallow values still") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        test::RandomGraph shape;
        shape.facts = two_sides({.chance = seed % 2 == 0, .eval = true, .lo = -3, .hi = 3}, seed);
        shape.events = seed % 2 == 0 ? 0.2 : 0;
        shape.nodes = 24;
        game::Game game = test::random_graph(shape, seed);
        for (const Method method : {automatic(game.traits()), Method::MaxN}) {
            Searcher searcher(game, method);
            for (const int depth : {6, 2, 4, 3, 7, 1, 5}) {
                CAPTURE(seed);
                CAPTURE(depth);
                Limits limits;
                limits.depth = depth;
                CHECK(searcher.run(game.initial(), limits).value == brute_force(game, game.initial(), depth).value);
            }
        }
    }
}
