// Two teams are searched as two players are: each game here is one of two players, whose moves are shared out among the
// members of a team.

#include "cyclic_graphs.hpp"
#include "games.hpp"
#include "search/proof/prove.hpp"
#include "search/search.hpp"

#include <doctest/doctest.h>

#include <span>

using namespace zug;
using namespace zug::search;
using test::GraphGame;
using test::GraphNode;

namespace {

// The two players' game, and the same with teams.
struct Pair {
    game::Game alone, together;
};

Pair pair_of(test::Facts facts, std::vector<GraphNode> graph, Random& random) {
    game::Game alone(std::make_unique<GraphGame>(facts, graph));
    facts.teams = random.below(2) == 0 ? std::vector<std::uint32_t>{0, 1, 0, 1} : std::vector<std::uint32_t>{0, 1, 1};
    facts.players = static_cast<std::uint32_t>(facts.teams.size());
    for (GraphNode& node : graph) {
        const std::uint32_t side = node.mover;
        do node.mover = random.below(facts.players);
        while (facts.teams[node.mover] != side);
        std::vector<double> values;
        for (const std::uint32_t team : facts.teams) values.push_back(node.values[team]);
        node.values = values;
    }
    return {std::move(alone), game::Game(std::make_unique<GraphGame>(facts, std::move(graph)))};
}

Pair random_pair(std::uint64_t seed, bool chance) {
    test::RandomGraph shape;
    shape.facts = {.chance = chance, .eval = seed % 3 != 0, .lo = -3, .hi = 3};
    shape.events = chance ? 0.25 : 0;
    shape.nodes = 30;
    Random random(seed);
    return pair_of(shape.facts, test::random_nodes(shape, random), random);
}

void check_same(const Pair& games, const Result& alone, const Result& together) {
    CHECK(together.fault == alone.fault);
    CHECK(together.exact == alone.exact);
    CHECK(together.depth == alone.depth);
    CHECK(together.nodes == alone.nodes);
    CHECK(together.pv_ids == alone.pv_ids);
    const game::Traits& traits = games.together.traits();
    for (std::uint32_t p = 0; p < traits.players; ++p) CHECK(together.value[p] == alone.value[traits.team[p]]);
}

Limits depth(int plies) {
    Limits limits;
    limits.depth = plies;
    return limits;
}

Limits nodes(std::uint64_t most) {
    Limits limits;
    limits.nodes = most;
    return limits;
}

void check_method(Pair& games, Method method, const Limits& limits, const Options& options) {
    CAPTURE(method_name(method));
    check_same(games, search::search(games.alone, games.alone.initial(), method, limits, options),
               search::search(games.together, games.together.initial(), method, limits, options));
}

// What a player has learned of moves is not their partner's, so the order of moves by it is left out.
Options by_id() {
    Options options;
    options.ordering = false;
    options.table_bytes = 1 << 12;
    return options;
}

Options selective_by_id() {
    Options options = by_id();
    options.set_selective(true);
    options.extensions = true;
    options.futility = 0.5;
    options.plausible = 2;
    return options;
}

} // namespace

TEST_CASE("who plays together is on one side, and everyone else on the other") {
    const Pair games = random_pair(1, false);
    const game::Traits& traits = games.together.traits();
    CHECK(traits.teams() == 2);
    CHECK(traits.zero_sum);
    CHECK(traits.allies(0) == traits.first_side);
    CHECK(traits.team[traits.rival] == 1);
    CHECK(automatic(traits) == Method::AlphaBeta);
    CHECK(games.alone.traits().first_side == 1);
    CHECK(games.alone.traits().rival == 1);
}

TEST_CASE("two teams are searched as two players are") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        Pair games = random_pair(seed, false);
        for (const Method method : {Method::Minimax, Method::AlphaBeta, Method::Expectimax, Method::OpponentModel}) {
            check_method(games, method, depth(6), by_id());
            check_method(games, method, nodes(300), by_id());
        }
        for (const Method method : {Method::AlphaBeta, Method::Expectimax})
            check_method(games, method, depth(6), selective_by_id());
        Options options = by_id();
        options.secondary = 2;
        check_method(games, Method::AlphaBeta, depth(2), options);
        for (const RootWindow window : {RootWindow::MtdF, RootWindow::Sss, RootWindow::Dual}) {
            options = by_id();
            options.window = window;
            check_method(games, Method::AlphaBeta, depth(5), options);
        }
    }
}

TEST_CASE("two teams are searched as two players are where there is chance") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        Pair games = random_pair(seed, true);
        for (const Method method : {Method::Expectimax, Method::OpponentModel})
            check_method(games, method, depth(6), by_id());
        check_method(games, Method::Expectimax, depth(6), selective_by_id());
        Options options = by_id();
        options.samples = 2;
        check_method(games, Method::Expectimax, depth(5), options);
    }
}

TEST_CASE("the trees of playouts and of probes are those of two players") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        Pair games = random_pair(seed, seed % 2 == 0);
        Options options = by_id();
        options.memory = 1 << 22;
        options.monte_carlo.rave = false; // who made a move matters to it
        options.monte_carlo.decisive = seed % 3 == 0;
        options.monte_carlo.implicit = seed % 5 == 0 ? 0.3 : 0;
        options.monte_carlo.prior = seed % 7 == 0 ? 10 : 0;
        options.monte_carlo.proof = seed % 4 != 0;
        check_method(games, Method::MonteCarlo, nodes(2000), options);
        if (!games.alone.traits().chance) check_method(games, Method::Mgss, nodes(500), options);
    }
}

TEST_CASE("best-first search of two teams proves what minimax finds of two players") {
    int exact = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        CAPTURE(seed);
        Pair games = random_pair(seed, false);
        const Result truth = search::search(games.alone, games.alone.initial(), Method::AlphaBeta, {});
        REQUIRE(truth.exact);
        for (const Method method : {Method::BStar, Method::Mgss}) {
            CAPTURE(method_name(method));
            Options options;
            options.best_first.cost = 0;
            options.monte_carlo.seed = seed;
            const Result result =
                search::search(games.together, games.together.initial(), method, nodes(5000), options);
            REQUIRE(result.fault.empty());
            if (!result.exact) continue;
            ++exact;
            const game::Traits& traits = games.together.traits();
            for (std::uint32_t p = 0; p < traits.players; ++p) CHECK(result.value[p] == truth.value[traits.team[p]]);
        }
    }
    CHECK(exact > 100);
}

TEST_CASE("what one team can force is proven, with cycles too") {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const auto two = seed % 2 == 0 ? test::random_nodes({.facts = {}, .nodes = 60, .branching = 4}, random)
                                       : test::random_cyclic_nodes(random, 3, 20);
        Pair games = pair_of({}, two, random);
        for (const Prover prover : {Prover::ProofNumber, Prover::AlphaBeta}) {
            if (prover == Prover::AlphaBeta && seed % 2 != 0) continue; // it never ends
            const ProveOptions options{.table_bytes = 1 << 16, .limits = {}, .progress = {}};
            const Proof alone = prove(games.alone, games.alone.initial(), prover, options);
            const Proof together = prove(games.together, games.together.initial(), prover, options);
            CHECK(together.fault == "");
            CHECK(together.low == alone.low);
            CHECK(together.high == alone.high);
            CHECK(together.repeats == alone.repeats);
        }
    }
}

TEST_CASE("methods for two sides refuse three teams, and two whose utilities don't add up to zero") {
    const auto traits_of = [](const test::Facts& facts) {
        return game::Game(std::make_unique<GraphGame>(facts, std::vector<GraphNode>(1))).traits();
    };
    const game::Traits three = traits_of({.players = 5, .zero_sum = false, .teams = {0, 1, 2, 1, 0}});
    CHECK(refusal(Method::AlphaBeta, three) == "alphabeta is for at most two teams, and this game has 3; use maxn");
    CHECK(refusal(Method::Paranoid, three).empty());
    CHECK(automatic(three) == Method::MaxN);
    const game::Traits two = traits_of({.players = 4, .zero_sum = false, .teams = {0, 1, 0, 1}});
    CHECK(refusal(Method::Expectimax, two) ==
          "expectimax needs utilities that always add up to zero, and this game's may not; use maxn");
}
