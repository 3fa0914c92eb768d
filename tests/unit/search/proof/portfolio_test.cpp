// All provers together against each by itself: the same value, side by side and in turns, stopped early, and where one
// of them fails.

#include "search/proof/portfolio.hpp"
#include "search/proof/turns.hpp"
#include "tests/sanitized.hpp"
#include "tests/unit/search/games.hpp"

#include <doctest/doctest.h>

#include <thread>

using namespace zug;
using namespace zug::search;
using test::GraphGame;
using test::GraphNode;
using test::NodeKind;

namespace {

// Every end is won or lost, as the test's program says.
game::Game won_or_lost(std::uint64_t seed, std::size_t size, double faults = 0) {
    Random random(seed);
    auto nodes =
        test::random_nodes({.facts = {}, .nodes = size, .reach = size / 10, .branching = 5, .ends = 0.001}, random);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        GraphNode& node = nodes[n];
        if (node.kind == NodeKind::Terminal)
            node.values = random.below(2) == 0 ? std::vector{1., -1.} : std::vector{-1., 1.};
        if (n != 0 && random.unit() < faults) node = {.kind = NodeKind::Fault, .mover = node.mover};
    }
    return game::Game(std::make_unique<GraphGame>(test::Facts{}, nodes));
}

ProveOptions small(std::uint32_t threads = 1) {
    return {.table_bytes = 1 << 20, .threads = threads, .limits = {}, .progress = {}};
}

} // namespace

TEST_CASE("together the provers find what each finds alone") {
    std::size_t won = 0, by_depth_first = 0;
    for (std::uint64_t seed = 1; seed <= test::some_of(50); ++seed) {
        CAPTURE(seed);
        game::Game game = won_or_lost(seed, 1000);
        const Proof alone = prove(game, game.initial(), Prover::ProofNumber, small());
        REQUIRE(alone.proven());
        for (const std::uint32_t threads : {1U, 2U}) {
            const Proof both = prove_by_all(game, game.initial(), small(threads));
            CHECK(both.proven());
            CHECK(both.low == alone.low);
            CHECK(both.nodes > 0);
            by_depth_first += both.prover == Prover::NullWindow;
        }
        won += alone.low > 0;
    }
    CHECK(won * test::one_in > 10);
    CHECK(won * test::one_in < 40);
    CHECK(by_depth_first * test::one_in > 3);
    CHECK(by_depth_first * test::one_in < 97);
}

TEST_CASE("provers that take turns do the same in every run, and the first with a proof ends it") {
    game::Game game = won_or_lost(1, 40'000);
    const Proof one = prove_by_all(game, game.initial(), small());
    const Proof two = prove_by_all(game, game.initial(), small());
    CHECK(one.nodes == two.nodes);
    CHECK(one.prover == two.prover);
    const Proof winner = prove(game, game.initial(), one.prover, small());
    CHECK(one.nodes > winner.nodes);
    CHECK(one.nodes < 3 * winner.nodes + 3 * Turns::greatest_share);
}

TEST_CASE("where one prover fails, another may yet have a proof; else its fault is told") {
    std::size_t failed = 0, proved = 0, mended = 0;
    for (std::uint64_t seed = 1; seed <= test::some_of(120); ++seed) {
        CAPTURE(seed);
        game::Game game = won_or_lost(seed, 200, 0.02);
        const Proof alone[] = {prove(game, game.initial(), Prover::NullWindow, small()),
                               prove(game, game.initial(), Prover::ProofNumber, small())};
        for (const std::uint32_t threads : {1U, 2U}) {
            const Proof both = prove_by_all(game, game.initial(), small(threads));
            CHECK(both.proven() == (alone[0].proven() || alone[1].proven()));
            CHECK(both.proven() == both.fault.empty());
            if (both.proven()) CHECK(both.low == (alone[0].proven() ? alone[0] : alone[1]).low);
        }
        failed += !alone[0].proven() && !alone[1].proven();
        proved += alone[0].proven() && alone[1].proven();
        mended += alone[0].proven() != alone[1].proven();
    }
    CHECK(failed * test::one_in > 5);
    CHECK(proved * test::one_in > 5);
    CHECK(mended * test::one_in > 5);
}

TEST_CASE("limits end all provers") {
    game::Game game = won_or_lost(1, 40'000);
    for (const std::uint32_t threads : {1U, 2U}) {
        ProveOptions options = small(threads);
        options.limits.nodes = 50;
        const Proof few = prove_by_all(game, game.initial(), options);
        CHECK(!few.proven());
        CHECK(few.nodes <= 100);
        CHECK(few.low == -1);
        CHECK(few.high == 1);
        CHECK(few.fault.empty());
        const std::atomic<bool> stop = true;
        options = small(threads);
        options.limits.stop = &stop;
        CHECK(!prove_by_all(game, game.initial(), options).proven());
    }
}

TEST_CASE("two threads that take turns") {
    Turns turns;
    std::string order;
    const auto work = [&](std::size_t thread, int pieces) {
        turns.begin(thread);
        for (int i = 0; i < pieces; ++i) {
            order += static_cast<char>('a' + thread);
            turns.worked(thread, Turns::first_share);
        }
        turns.end(thread);
    };
    {
        const std::jthread first([&] { work(0, 4); }), second([&] { work(1, 7); });
    }
    CHECK(order == "abaabbabbbb");
    // Nobody waits once it is over.
    Turns stopped;
    stopped.stop();
    stopped.begin(1);
    stopped.worked(1, Turns::greatest_share);
}
