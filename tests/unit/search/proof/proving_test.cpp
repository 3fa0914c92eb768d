// Searches with a proof before them: what they call proven is proven, their moves keep it, and they get to the end.

#include "search/proof/prove.hpp"
#include "search/search.hpp"
#include "tests/sanitized.hpp"
#include "tests/unit/search/cyclic_graphs.hpp"
#include "tests/unit/search/games.hpp"
#include "tests/unit/search/rule_games.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace zug;
using namespace zug::search;
using test::GraphGame;
using test::GraphNode;
using test::NodeKind;

namespace {

// What such games pay is -1 or 1, as their programs say.
void without_draws(std::vector<GraphNode>& nodes) {
    for (GraphNode& node : nodes)
        if (node.kind == NodeKind::Terminal && node.values[0] > -1) node.values = {1, -1};
}

Options with_proofs(Random& random) {
    Options options;
    options.prove = 0.9;
    options.table_bytes = 1 << 14;
    options.threads = 1 + random.below(2);
    options.set_selective(random.below(2) == 0);
    return options;
}

// The first player's value of the game that begins with a node, if somebody can force one.
std::optional<double> value_from(std::vector<GraphNode> nodes, std::size_t node) {
    std::swap(nodes[0], nodes[node]);
    for (GraphNode& each : nodes)
        for (std::size_t& child : each.children) child = child == 0 ? node : child == node ? 0 : child;
    const auto forced = test::forced_values(nodes);
    return forced[0] == -forced[1] ? std::optional(forced[0]) : std::nullopt;
}

game::State after(game::Game& game, const game::State& state, std::uint64_t move) {
    game::MoveList moves;
    game::State next;
    game.expand(state, moves);
    const auto index = moves.find(move);
    REQUIRE(index);
    REQUIRE(game.successor(state, moves, *index, next));
    return next;
}

} // namespace

TEST_CASE("a value that is proved before the search is right, and the move keeps it") {
    Random random(3);
    int exact = 0;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        CAPTURE(seed);
        auto nodes = test::random_nodes({.facts = {}, .nodes = 60, .reach = 20, .branching = 3}, random);
        without_draws(nodes);
        if (nodes[0].kind == NodeKind::Terminal) continue;
        game::Game game(std::make_unique<GraphGame>(test::Facts{}, nodes));
        const Method method = seed % 3 == 0 ? Method::MonteCarlo : Method::AlphaBeta;
        const Options options = with_proofs(random);
        Limits limits;
        limits.nodes = 20'000;
        const Result result = search::search(game, game.initial(), method, limits, options);
        CHECK(result.fault == "");
        CHECK(result.method == method);
        CHECK(result.nodes <= limits.nodes);
        REQUIRE(!result.pv_ids.empty());
        const double value = value_from(nodes, 0).value();
        if (!result.exact) continue;
        ++exact;
        CHECK(result.value[0] == value);
        const auto next = static_cast<std::size_t>(after(game, game.initial(), result.pv_ids.front()).words[0]);
        CHECK(value_from(nodes, next).value() == value);
    }
    CHECK(exact > 100);
}

TEST_CASE("who has a proof gets to the end, in games that can go on for ever too") {
    Random random(4);
    int won = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        auto nodes = test::random_cyclic_nodes(random, 10, 30);
        without_draws(nodes);
        const auto value = value_from(nodes, 0);
        if (!value || nodes[0].kind == NodeKind::Terminal) continue;
        const std::uint32_t winner = *value > 0 ? 0 : 1;
        game::Game game(std::make_unique<GraphGame>(test::Facts{}, nodes));
        Options options;
        options.prove = 0.9;
        options.table_bytes = 1 << 10;
        Searcher searcher(game, Method::AlphaBeta, options);
        game::State state = game.initial();
        int plies = 0;
        for (; game.kind(state) == NodeKind::Decision && plies < 200; ++plies) {
            game::MoveList moves;
            game.expand(state, moves);
            std::uint64_t move = moves.id(random.below(static_cast<std::uint32_t>(moves.size())));
            if (game.to_move(state) == winner) {
                Limits limits;
                limits.nodes = 10'000;
                const Result result = searcher.run(state, limits);
                REQUIRE(!result.pv_ids.empty());
                move = result.pv_ids.front();
            }
            state = after(game, state, move);
        }
        CHECK(plies < 200);
        std::array<double, 2> payoffs{};
        REQUIRE(game.payoffs(state, payoffs));
        CHECK(payoffs[winner] == 1);
        ++won;
    }
    CHECK(won > 50);
}

TEST_CASE("a win is found that is beyond the depth of a search") {
    game::Game game = test::load_rules("connect-four");
    const game::State state = *game.play_line(game.initial(), "f1 e1 a1 g1 b1 c1 b2 g2 g3 f2 b3 b4");
    Options options;
    options.set_selective(true);
    Limits limits;
    limits.nodes = test::sanitized ? 1'000'000 : 5'000'000;
    CHECK(!search::search(game, state, Method::AlphaBeta, limits, options).exact);
    options.prove = 0.9;
    const Result proven = search::search(game, state, Method::AlphaBeta, limits, options);
    CHECK(proven.exact);
    CHECK(proven.value[0] == 1);
}

TEST_CASE("a move that is proven to lose is not made where the value is open") {
    game::Game game = test::load_rules("connect-four");
    const game::State state = *game.play_line(game.initial(), "b1 b2 d1 b3 d2 b4 b5 c1 d3 d4");
    const game::State lost = *game.play_line(state, "d5");
    const Proof proof = prove(game, lost, Prover::NullWindow, {});
    CHECK(proof.high == -1);
    Options options;
    options.set_selective(true);
    options.prove = 0.75;
    Limits limits;
    limits.nodes = 1'000'000;
    const Result result = search::search(game, state, Method::AlphaBeta, limits, options);
    CHECK(!result.exact);
    REQUIRE(!result.pv.empty());
    CHECK(result.pv.front() != "d5");
}

// After the one every reply wins, after the other one reply of four.
TEST_CASE("where all moves lose, the one is made that sets the opponent a problem") {
    const auto decision = [](std::uint32_t mover, std::vector<std::size_t> children) {
        return GraphNode{.kind = NodeKind::Decision, .mover = mover, .children = std::move(children)};
    };
    const GraphNode won{.values = {1, -1}}, lost{.values = {-1, 1}};
    for (const bool problem_first : {false, true}) {
        std::vector<std::size_t> moves{1, 2};
        if (problem_first) std::swap(moves[0], moves[1]);
        std::vector<GraphNode> nodes{decision(0, moves), decision(1, {4, 4, 4, 4}), decision(1, {3, 3, 4, 3}), won,
                                     lost};
        game::Game game(std::make_unique<GraphGame>(test::Facts{.lo = -1, .hi = 1}, nodes));
        Options options;
        options.prove = 0.75;
        Limits limits;
        limits.nodes = 1000;
        const Result result = search::search(game, game.initial(), Method::AlphaBeta, limits, options);
        CHECK(result.exact);
        CHECK(result.value[0] == -1);
        CHECK(result.nodes <= limits.nodes);
        REQUIRE(!result.pv_ids.empty());
        game::MoveList listed;
        game.expand(game.initial(), listed);
        CHECK(listed.find(result.pv_ids.front()) == (problem_first ? 0U : 1U));
    }
}

// The same code as in the case of the move that is proven to lose, with more nodes than a build with sanitizers has
// time for.
TEST_CASE("an evaluation shortens a proof" * doctest::skip(test::sanitized)) {
    game::Game game = test::load_rules("breakthrough", {{"width", "4"}, {"height", "5"}});
    const Proof with = prove(game, game.initial(), Prover::NullWindow, {});
    game.use(nullptr);
    const Proof without = prove(game, game.initial(), Prover::NullWindow, {});
    REQUIRE(with.proven());
    CHECK(without.low == with.low);
    CHECK(with.nodes < without.nodes / 2);
}

TEST_CASE("no proof is looked for where the end is far, in a search to a depth, and without a limit") {
    Options options;
    options.prove = 0.5;
    const auto proofs = [&](const char* name, const Limits& limits) {
        game::Game game = test::load_rules(name);
        const Result result = search::search(game, game.initial(), Method::AlphaBeta, limits, options);
        CHECK(result.fault == "");
        return std::ranges::any_of(
            result.counts, [](const Count& count) { return count.name.find("proof") != std::string_view::npos; });
    };
    Limits nodes, depth;
    nodes.nodes = 2000;
    depth.depth = 3;
    CHECK(!proofs("chess", nodes));
    CHECK(!proofs("hare-and-hounds", nodes));
    nodes.nodes = 50'000; // its few positions come again and again
    CHECK(proofs("hare-and-hounds", nodes));
    nodes.nodes = 2000;
    CHECK(proofs("nim", nodes));
    CHECK(!proofs("nim", depth));
    CHECK(!proofs("nim", Limits{}));
}
