// Monte-Carlo tree search: what it proves is what exhaustive search finds, what it estimates comes near, and it keeps
// to its limits of nodes, time and memory.

#include "cyclic_graphs.hpp"
#include "games.hpp"
#include "promptness.hpp"
#include "rule_games.hpp"
#include "search/monte_carlo/monte_carlo.hpp"
#include "search/search.hpp"
#include "tests/sanitized.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace zug;
using namespace zug::search;
using test::NodeKind;
using test::random_position;

namespace {

Options in_little_memory() {
    Options options;
    options.memory = std::size_t{4} << 20;
    return options;
}

// Settings that differ in every part.
std::vector<Options> every_setting() {
    std::vector<Options> all;
    for (std::uint32_t bits = 0; bits < 12; ++bits) {
        Options options = in_little_memory();
        options.monte_carlo.transpositions = std::array{Sharing::None, Sharing::Edges, Sharing::Nodes}[bits % 3];
        options.monte_carlo.rave = bits % 2 == 0;
        options.monte_carlo.decisive = bits % 4 > 1;
        options.monte_carlo.expand_after = bits % 5 + 1;
        options.monte_carlo.outcomes = bits == 7 ? 0 : 64;
        if (bits % 6 == 5) options.monte_carlo.implicit = 0.5;
        if (bits % 6 == 3) options.monte_carlo.prior = 10;
        if (bits % 6 == 4) options.monte_carlo.cutoff = bits;
        options.monte_carlo.seed = bits + 1;
        all.push_back(options);
    }
    return all;
}

Limits of_nodes(std::uint64_t nodes) {
    Limits limits;
    limits.nodes = nodes;
    return limits;
}

Options on_threads(Options options, std::uint32_t threads) {
    options.threads = threads;
    return options;
}

Result search_nodes(game::Game& game, const Options& options, std::uint64_t nodes) {
    return MonteCarlo(game, options).run(game.initial(), of_nodes(nodes));
}

// By player, the least and the greatest value of a graph without cycles that some way to break ties of max^n gives.
struct Range {
    std::vector<double> low, high;
};

std::vector<Range> tie_ranges(const std::vector<test::GraphNode>& nodes) {
    std::vector<Range> ranges(nodes.size());
    for (std::size_t n = nodes.size(); n-- > 0;) {
        const test::GraphNode& node = nodes[n];
        Range& range = ranges[n];
        range.low = range.high = node.values;
        if (node.kind == NodeKind::Terminal) continue;
        const std::size_t m = node.mover;
        double best = -1e9, total = 0;
        for (const std::size_t child : node.children) best = std::max(best, ranges[child].low[m]);
        for (const double weight : node.weights) total += weight;
        for (std::size_t p = 0; p < node.values.size(); ++p) {
            double low = 1e9, high = -1e9, mean_low = 0, mean_high = 0;
            for (std::size_t i = 0; i < node.children.size(); ++i) {
                const Range& child = ranges[node.children[i]];
                mean_low += node.weights[i] / total * child.low[p];
                mean_high += node.weights[i] / total * child.high[p];
                if (child.high[m] < best) continue;
                low = std::min(low, child.low[p]);
                high = std::max(high, child.high[p]);
            }
            const bool chance = node.kind == NodeKind::Chance;
            range.low[p] = chance ? mean_low : p == m ? best : low;
            range.high[p] = chance ? mean_high : high;
        }
    }
    return ranges;
}

} // namespace

// Of a mate by which no evaluation is better, and other moves that look as good.
TEST_CASE("every move is tried where there is an evaluation") {
    game::Game game = test::load_rules("chess");
    const auto start = game.parse_position("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    REQUIRE_MESSAGE(start.has_value(), start.error().text);
    const Result result = MonteCarlo(game, in_little_memory()).run(*start, of_nodes(2'000));
    REQUIRE(!result.pv.empty());
    CHECK(result.pv.front() == "a1a8");
    CHECK(result.exact);
}

TEST_CASE("what is proven of random graphs is what exhaustive search finds, whatever the settings") {
    const std::vector<Options> settings = every_setting();
    int proven = 0, searched = 0;
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
        CAPTURE(seed);
        test::RandomGraph shape;
        shape.facts.players = 1 + static_cast<std::uint32_t>(seed % 4);
        shape.facts.zero_sum = shape.facts.players == 2 && seed % 8 < 6;
        shape.facts.chance = seed % 3 == 0;
        shape.facts.eval = seed % 5 == 0;
        shape.events = shape.facts.chance ? 0.3 : 0;
        Random random(seed);
        const auto nodes = test::random_nodes(shape, random);
        const Range truth = tie_ranges(nodes).front();
        game::Game game(std::make_unique<test::GraphGame>(shape.facts, nodes));
        const Result result = search_nodes(game, settings[seed % settings.size()], 20000);
        REQUIRE(result.fault.empty());
        ++searched;
        if (!result.exact) continue;
        ++proven;
        for (std::size_t p = 0; p < result.value.size(); ++p) {
            CHECK(result.value[p] >= doctest::Approx(truth.low[p]));
            CHECK(result.value[p] <= doctest::Approx(truth.high[p]));
        }
    }
    CHECK(proven > searched / 2);
}

TEST_CASE("graphs with cycles: what is proven can be forced") {
    int proven = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const auto nodes = test::random_cyclic_nodes(random, 3, 20);
        game::Game game(std::make_unique<test::GraphGame>(test::Facts{}, nodes));
        Options options = in_little_memory();
        options.monte_carlo.plies = 50;
        const Result result = search_nodes(game, options, 5000);
        REQUIRE(result.fault.empty());
        test::check_forced(nodes, result);
        proven += result.exact ? 1 : 0;
    }
    CHECK(proven > 50);
}

TEST_CASE("tic-tac-toe is proven a draw, and Nim won or lost, with few nodes") {
    for (const Options& options : every_setting()) {
        if (options.monte_carlo.cutoff || options.monte_carlo.implicit) continue;
        game::Game game(std::make_unique<test::TicTacToe>());
        const Result result = search_nodes(game, options, 1'000'000);
        CHECK(result.exact);
        CHECK(result.value == std::vector<double>{0, 0});
        CHECK(result.pv_ids.size() == 9);
        game::Game lost(std::make_unique<test::Nim>(std::vector<std::uint64_t>{1, 3, 2}));
        CHECK(search_nodes(lost, options, 1'000'000).value[0] == -1);
        game::Game won(std::make_unique<test::Nim>(std::vector<std::uint64_t>{1, 4, 2}));
        const Result found = search_nodes(won, options, 1'000'000);
        CHECK(found.exact);
        CHECK(found.value[0] == 1);
        CHECK(found.pv_ids.front() == 101); // one of the second heap
    }
}

TEST_CASE("expected values are approached: within three hundredths after half a million nodes") {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        CAPTURE(seed);
        test::RandomGraph shape;
        shape.facts.chance = true;
        shape.events = 0.5;
        shape.ends = 0.05;
        game::Game game = test::random_graph(shape, seed);
        const Result truth = search::search(game, game.initial(), Method::Expectimax, {});
        REQUIRE(truth.exact);
        Options options = in_little_memory();
        options.monte_carlo.proof = false; // else most of them are proven
        options.monte_carlo.outcomes = seed % 3 == 0 ? 0 : 64;
        const Result result = search_nodes(game, options, 500'000);
        CHECK(std::abs(result.value[0] - truth.value[0]) < 0.03);
    }
}

TEST_CASE("with one thread equal seeds give equal results; a search forgets on request") {
    game::Game game(std::make_unique<test::Endless>(1000003));
    const Options options = in_little_memory();
    MonteCarlo search(game, options);
    const Result first = search.run(game.initial(), of_nodes(30000));
    const Result kept = search.run(game.initial(), of_nodes(30000));
    search.forget();
    const Result again = search.run(game.initial(), of_nodes(30000));
    CHECK(first.value == again.value);
    CHECK(first.pv_ids == again.pv_ids);
    CHECK(first.nodes == again.nodes);
    CHECK(kept.value != first.value); // it went on with the tree that was there
    CHECK(search_nodes(game, options, 30000).value == first.value);
}

TEST_CASE("several threads prove what one does") {
    Random random(7);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        test::RandomGraph shape;
        shape.nodes = 200;
        shape.facts.players = 1 + static_cast<std::uint32_t>(seed % 3);
        shape.facts.zero_sum = shape.facts.players == 2;
        shape.fine = true; // no ties, so that one value is right
        const auto nodes = test::random_nodes(shape, random);
        const Range truth = tie_ranges(nodes).front();
        game::Game game(std::make_unique<test::GraphGame>(shape.facts, nodes));
        Options options = every_setting()[seed % 12];
        options.monte_carlo.transpositions = seed % 2 == 0 ? Sharing::Edges : Sharing::Nodes;
        options.monte_carlo.implicit = 0;
        const Result result = MonteCarlo(game, on_threads(options, 4)).run(game.initial(), of_nodes(400'000));
        REQUIRE(result.fault.empty());
        REQUIRE(result.exact);
        for (std::size_t p = 0; p < result.value.size(); ++p) CHECK(result.value[p] == doctest::Approx(truth.low[p]));
    }
}

TEST_CASE("the node limit is kept, and a tree that is full goes on with what it has") {
    game::Game game(std::make_unique<test::Endless>(1000003));
    Options options = in_little_memory();
    options.memory = 1 << 20;
    MonteCarlo search(game, options);
    for (const std::uint64_t nodes : {1ULL, 2ULL, 63ULL, 64ULL, 1000ULL, 12345ULL, 300'000ULL}) {
        const Result result = search.run(game.initial(), of_nodes(nodes));
        CHECK(result.nodes <= nodes);
        CHECK(result.fault.empty());
    }
    options.monte_carlo.cutoff = 0;
    MonteCarlo fills(game, options);
    for (int k = 0; k < 3; ++k) fills.run(game.initial(), of_nodes(400'000));
    CHECK(fills.counts().full > 0);
}

TEST_CASE("time limit and stop flag are answered at once") {
    test::check_promptness([](game::Game& game, const Limits& limits) {
        const Result result = MonteCarlo(game, in_little_memory()).run(game.initial(), limits);
        CHECK(result.fault.empty());
        CHECK_FALSE(result.pv_ids.empty());
    });
}

TEST_CASE("the tree is kept from move to move") {
    game::Game game(std::make_unique<test::Nim>(std::vector<std::uint64_t>{9, 11, 13}));
    MonteCarlo search(game, in_little_memory());
    const Result before = search.run(game.initial(), of_nodes(20000));
    REQUIRE(!before.pv_ids.empty());
    run::MoveList moves;
    run::State next;
    REQUIRE(game.expand(game.initial(), moves) == NodeKind::Decision);
    REQUIRE(game.successor(game.initial(), moves, *moves.find(before.pv_ids.front()), next));
    const Result after = search.run(next, of_nodes(1));
    REQUIRE(after.pv_ids.size() > 1); // of a single node nothing would be known
    Options alone = in_little_memory();
    alone.monte_carlo.keep_tree = false;
    MonteCarlo forgets(game, alone);
    forgets.run(game.initial(), of_nodes(20000));
    CHECK(forgets.run(next, of_nodes(1)).pv_ids.empty());
}

TEST_CASE("an end of the game has its payoffs, and faults are told") {
    game::Game nim(std::make_unique<test::Nim>(std::vector<std::uint64_t>{0}, 3));
    const Result over = search_nodes(nim, in_little_memory(), 10);
    CHECK(over.exact);
    CHECK(over.value == std::vector<double>{-0.5, -0.5, 1});
    std::vector<test::GraphNode> nodes(3);
    nodes[0] = {.kind = NodeKind::Decision, .children = {1, 2}, .values = {0, 0}};
    nodes[1] = {.values = {-1, 1}};
    nodes[2] = {.kind = NodeKind::Fault, .values = {0, 0}};
    for (const std::size_t first : {0U, 2U}) {
        std::vector<test::GraphNode> shifted = nodes;
        if (first == 2) shifted[0].kind = NodeKind::Fault;
        game::Game game(std::make_unique<test::GraphGame>(test::Facts{}, shifted));
        CHECK(search_nodes(game, in_little_memory(), 1000).fault.find("a node that fails") != std::string::npos);
    }
}

TEST_CASE("a look at the choice keeps playouts from traps") {
    game::Game game = test::load_rules("teeko");
    Random random(1);
    int positions = 0, plain = 0, checked = 0;
    for (int i = 0; i < 40; ++i) {
        const game::State state = random_position(game, random);
        if (game.kind(state) != NodeKind::Decision) continue;
        const auto walks_into_a_trap = [&](double check) {
            Options options;
            options.monte_carlo.check = check;
            Limits limits, shallow;
            limits.nodes = 50'000;
            shallow.depth = 3;
            const Result chosen = search::search(game, state, Method::MonteCarlo, limits, options);
            CHECK(chosen.nodes <= limits.nodes);
            REQUIRE(!chosen.pv_ids.empty());
            game::MoveList moves;
            game::State next;
            game.expand(state, moves);
            REQUIRE(game.successor(state, moves, *moves.find(chosen.pv_ids.front()), next));
            const Result reply = search::search(game, next, Method::AlphaBeta, shallow);
            return reply.exact && reply.value[0] == (game.to_move(state) == 0 ? -1 : 1);
        };
        Limits to_see;
        to_see.depth = 4;
        if (search::search(game, state, Method::AlphaBeta, to_see).exact) continue; // nothing else can be done
        ++positions;
        plain += walks_into_a_trap(0) ? 1 : 0;
        checked += walks_into_a_trap(0.1) ? 1 : 0;
    }
    CHECK(positions > 20);
    CHECK(plain > 0);
    CHECK(checked == 0);
}

TEST_CASE("a look at the choice keeps to the limit of nodes, however small") {
    game::Game game = test::load_rules("teeko");
    for (const double check : {0.01, 0.1, 0.5, 0.9})
        for (std::uint64_t nodes = 1; nodes < 3000; nodes += 1 + nodes / (test::sanitized ? 1 : 3)) {
            CAPTURE(check);
            CAPTURE(nodes);
            Options options;
            options.monte_carlo.check = check;
            Limits limits;
            limits.nodes = nodes;
            CHECK(search::search(game, game.initial(), Method::MonteCarlo, limits, options).nodes <= nodes);
        }
}

TEST_CASE("where all ends are worth the same, any move is played") {
    const lang::Loaded loaded =
        lang::load_text("game.zug", "players A, B\nboard cell = grid(2, 2)\nstate at: cell -> player?\n"
                                    "move mark(c: cell)\n  when c in empty\n  then at[c] := me\n"
                                    "end draw when no empty\n");
    REQUIRE(loaded.program);
    game::Game game(loaded.program);
    const Result any = search_nodes(game, in_little_memory(), 100);
    CHECK(any.fault.empty());
    CHECK(any.exact);
    CHECK(any.pv.size() == 1);
}
