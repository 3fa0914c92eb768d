// Proof-number search against fixed points worked out plainly: on games whose lines meet, on games that go round in
// cycles, with tables far too small, and stopped early.

#include "search/proof/proof_number.hpp"
#include "search/proof/prove.hpp"
#include "tests/sanitized.hpp"
#include "tests/unit/search/cyclic_graphs.hpp"
#include "tests/unit/search/games.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace zug;
using namespace zug::search;
using test::GraphGame;
using test::GraphNode;
using test::NodeKind;

namespace {

// By node: whether the player can force an end worth at least so much, in however many plies. Play without end is none.
std::vector<bool> can_force(const std::vector<GraphNode>& nodes, const Question& question) {
    std::vector<bool> can(nodes.size());
    for (bool grown = true; grown;) {
        grown = false;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const GraphNode& node = nodes[n];
            const auto holds = [&](std::size_t child) { return bool{can[child]}; };
            bool now = false;
            if (node.kind == NodeKind::Terminal)
                now = node.values[question.player] >= question.at_least;
            else if (node.mover == question.player)
                now = std::ranges::any_of(node.children, holds);
            else
                now = std::ranges::all_of(node.children, holds);
            grown = grown || (now && !can[n]);
            can[n] = can[n] || now;
        }
    }
    return can;
}

struct Met {
    std::size_t proven = 0, disproven = 0, unless = 0;
};

// Asks about every utility there is, from both sides; with one table after the other, and one for all questions.
void ask_all(const std::vector<GraphNode>& nodes, bool cycles, std::size_t table, Met& met) {
    game::Game game(std::make_unique<GraphGame>(test::Facts{}, nodes));
    ProofNumberSearch search(game, table);
    for (const std::uint32_t player : {0U, 1U})
        for (int sixths = -6; sixths <= 6; ++sixths) {
            const Question question{player, sixths / 6.0};
            const bool truth = can_force(nodes, question)[0];
            const Verdict verdict = search.ask(game.initial(), question, {});
            REQUIRE(verdict != Verdict::Open);
            CHECK((verdict == Verdict::Proven) <= truth);
            CHECK((verdict == Verdict::Disproven) <= !truth);
            CHECK((verdict == Verdict::Unless) <= cycles);
            CHECK(search.nodes() <= 1'000'000);
            met.proven += verdict == Verdict::Proven;
            met.disproven += verdict == Verdict::Disproven;
            met.unless += verdict == Verdict::Unless;
        }
}

game::Game forest(double ends = 0.1) {
    return test::random_graph({.facts = {}, .nodes = 4000, .reach = 40, .branching = 6, .ends = ends}, 7);
}

} // namespace

TEST_CASE("a proof and a disproof are what can be forced") {
    Met met;
    for (std::uint64_t seed = 1; seed <= test::some_of(150); ++seed) {
        Random random(seed);
        ask_all(test::random_nodes({.facts = {}, .nodes = 60, .branching = 4}, random), false, 1 << 20, met);
    }
    CHECK(met.proven * test::one_in > 500);
    CHECK(met.disproven * test::one_in > 500);
}

TEST_CASE("a table that is full forgets, but doesn't lie") {
    Met met;
    for (std::uint64_t seed = 1; seed <= test::some_of(5); ++seed) {
        Random random(seed);
        ask_all(test::random_nodes({.facts = {}, .nodes = 3000, .reach = 300, .branching = 4}, random), false, 0, met);
    }
    CHECK(met.proven * test::one_in > 20);
    CHECK(met.disproven * test::one_in > 20);
}

TEST_CASE("in games with cycles what is proved holds, and what may depend on repetition is reported") {
    Met met;
    for (std::uint64_t seed = 1; seed <= test::some_of(400); ++seed) {
        Random random(seed);
        ask_all(test::random_cyclic_nodes(random, 2, 30), true, 1 << 16, met);
    }
    CHECK(met.proven * test::one_in > 500);
    CHECK(met.disproven * test::one_in > 500);
    CHECK(met.unless * test::one_in > 100);
}

TEST_CASE("depth-first proofs find what proof-number search finds, on one thread and on several") {
    std::size_t proven = 0;
    for (std::uint64_t seed = 1; seed <= test::some_of(60); ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const auto nodes = test::random_nodes({.facts = {}, .nodes = 400, .reach = 60, .branching = 4}, random);
        game::Game game(std::make_unique<GraphGame>(test::Facts{}, nodes));
        const std::size_t table = seed % 2 == 0 ? std::size_t{1} << 20 : 0;
        for (const std::uint32_t threads : {1U, 3U}) {
            const ProveOptions options{.table_bytes = table, .threads = threads, .limits = {}, .progress = {}};
            const Proof found = prove(game, game.initial(), Prover::NullWindow, options);
            const Proof known = prove(game, game.initial(), Prover::ProofNumber, options);
            CHECK(found.fault == "");
            CHECK(found.proven() >= known.proven());
            CHECK(found.low >= known.low);
            CHECK(found.high <= known.high);
            proven += found.proven();
        }
    }
    CHECK(proven * test::one_in > 30);
}

TEST_CASE("depth-first proofs hold in games with cycles, if there is one") {
    std::size_t proven = 0, open = 0;
    for (std::uint64_t seed = 1; seed <= test::some_of(200); ++seed) {
        CAPTURE(seed);
        Random random(seed);
        auto nodes = test::random_cyclic_nodes(random, 2, 30);
        for (GraphNode& node : nodes) // the test's program says that ends are worth -1 or 1
            if (node.values[0] == 0) node.values = {1, -1};
        const auto forced = test::forced_values(nodes);
        game::Game game(std::make_unique<GraphGame>(test::Facts{}, nodes));
        ProveOptions options{.table_bytes = 1 << 16, .limits = {}, .progress = {}};
        options.limits.nodes = 20'000;
        const Proof found = prove(game, game.initial(), Prover::NullWindow, options);
        CHECK(found.low <= forced[0]);
        CHECK(found.high >= -forced[1]);
        const bool decided = forced[0] == -forced[1];
        CHECK(found.proven() <= decided);
        proven += found.proven();
        open += decided && !found.proven();
    }
    CHECK(proven * test::one_in > 50);
    CHECK(open * test::one_in < 20);
}

TEST_CASE("values are proved") {
    game::Game nim_like(std::make_unique<test::TicTacToe>());
    for (const Prover prover : {Prover::ProofNumber, Prover::NullWindow, Prover::AlphaBeta}) {
        CAPTURE(prover_name(prover));
        const Proof proof =
            prove(nim_like, nim_like.initial(), prover, {.table_bytes = 1 << 20, .limits = {}, .progress = {}});
        CHECK(proof.fault == "");
        CHECK(proof.nodes > 0);
        // The test's program says that ends are worth -1 or 1: alpha-beta finds the draw.
        if (prover == Prover::AlphaBeta) {
            CHECK(proof.proven());
            CHECK(proof.low == 0);
        }
    }
}

TEST_CASE("a search for a proof stops when it is told to, and says what it knows") {
    game::Game game = forest(0.001);
    ProveOptions options{.table_bytes = 1 << 16, .limits = {}, .progress = {}};
    options.limits.nodes = 50;
    const Proof few = prove(game, game.initial(), Prover::ProofNumber, options);
    CHECK(!few.proven());
    CHECK(few.nodes <= 50);
    CHECK(few.low == -1);
    CHECK(few.high == 1);
    const std::atomic<bool> stop = true;
    options.limits.stop = &stop;
    CHECK(!prove(game, game.initial(), Prover::ProofNumber, options).proven());
}

TEST_CASE("a rule that fails ends a search for a proof") {
    game::Game game(
        std::make_unique<GraphGame>(test::Facts{}, std::vector<GraphNode>{{.kind = NodeKind::Decision, .children = {1}},
                                                                          {.kind = NodeKind::Fault, .mover = 1}}));
    const Proof proof =
        prove(game, game.initial(), Prover::ProofNumber, {.table_bytes = 0, .limits = {}, .progress = {}});
    CHECK(!proof.proven());
    CHECK(proof.fault.find("a node that fails") != std::string::npos);
}

TEST_CASE("games that a proof can't be searched in are refused") {
    game::Traits traits{.players = 2, .zero_sum = true};
    CHECK(refusal(Prover::AlphaBeta, traits).empty());
    CHECK(!refusal(Prover::ProofNumber, traits).empty());
    traits.utilities = {-1, 1};
    CHECK(refusal(Prover::ProofNumber, traits).empty());
    traits.chance = true;
    CHECK(!refusal(Prover::ProofNumber, traits).empty());
    traits = {.players = 3, .utilities = {-1, 1}};
    CHECK(!refusal(Prover::ProofNumber, traits).empty());
}
