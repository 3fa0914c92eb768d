// Known trees and games with known values and node counts.

#include "games.hpp"
#include "search/search.hpp"
#include "search/signature.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>

using namespace zug;
using namespace zug::search;

namespace {

using Line = std::vector<std::uint64_t>;

std::set<Line> leaves(game::Game& game, Method method, const Options& options, Result& result) {
    std::set<Line> seen;
    Limits limits;
    limits.depth = 2;
    limits.trace = [&](const Visit& visit) {
        if (visit.leaf && visit.line.size() == 2) seen.insert(Line(visit.line.begin(), visit.line.end()));
    };
    result = search::search(game, game.initial(), method, limits, options);
    return seen;
}

Result to_the_end(game::Game& game, Method method, const Options& options = {}) {
    return search::search(game, game.initial(), method, {}, options);
}

} // namespace

TEST_CASE("the two-ply tree has value 3") {
    game::Game game = test::two_ply_tree({{3, 5, 10}, {2, 2}});
    for (const Method method : {Method::Minimax, Method::AlphaBeta, Method::Expectimax, Method::MaxN}) {
        const Result result = to_the_end(game, method);
        CHECK(result.value == std::vector<double>{3, -3});
        CHECK(result.pv == std::vector<std::string>{"0", "0"});
        CHECK(result.exact);
        CHECK(result.depth == 2);
    }
}

TEST_CASE("alpha-beta does not visit leaves a and b") {
    const std::set<Line> everything{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
    for (const double unseen : {-20.0, 1.0, 2.0, 20.0}) {
        game::Game game = test::two_ply_tree({{3, 5, 10}, {2, unseen, unseen}, {2, 7, 3}});
        for (int parts = 0; parts < 8; ++parts) {
            Options options;
            options.table = (parts & 1) != 0;
            options.ordering = (parts & 2) != 0;
            options.deepening = (parts & 4) != 0;
            Result result;
            const auto seen = leaves(game, Method::AlphaBeta, options, result);
            CHECK(result.value[0] == 3);
            CHECK(seen == std::set<Line>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {2, 0}});
        }
        Result result;
        CHECK(leaves(game, Method::Minimax, {}, result) == everything);
    }
}

TEST_CASE("plain minimax of tic-tac-toe visits 549946 nodes") {
    game::Game game(std::make_unique<test::TicTacToe>());
    const Result result = to_the_end(game, Method::Minimax);
    CHECK(result.nodes == 549946);
    CHECK(result.value == std::vector<double>{0, 0});
    CHECK(result.depth == 9);
    CHECK(result.exact);
    CHECK(result.pv.size() == 9);
    Options plain;
    plain.table = plain.ordering = plain.deepening = plain.pruning = false;
    CHECK(to_the_end(game, Method::AlphaBeta, plain).nodes == 549946);
    CHECK(to_the_end(game, Method::MaxN, plain).nodes == 549946);
}

TEST_CASE("alpha-beta proves tic-tac-toe a draw with few nodes") {
    game::Game game(std::make_unique<test::TicTacToe>());
    const Result result = to_the_end(game, Method::AlphaBeta);
    CHECK(result.value == std::vector<double>{0, 0});
    CHECK(result.exact);
    CHECK(result.complete);
    CHECK(result.depth == 9);
    CHECK(result.pv.size() == 9);
    CHECK(result.nodes < 20000);
    Options no_table;
    no_table.table = false;
    CHECK(to_the_end(game, Method::AlphaBeta, no_table).nodes > result.nodes);
}

TEST_CASE("Nim is lost when the heaps' exclusive or is zero") {
    for (const auto& [heaps, value] : std::vector<std::pair<std::vector<std::uint64_t>, double>>{
             {{3, 4, 5}, 1}, {{1, 4, 5}, -1}, {{2, 2}, -1}, {{7}, 1}, {{1, 2, 3}, -1}, {{2, 3, 4}, 1}}) {
        game::Game game(std::make_unique<test::Nim>(heaps));
        for (const Method method : {Method::AlphaBeta, Method::Expectimax, Method::MaxN}) {
            const Result result = to_the_end(game, method);
            CHECK(result.value[0] == value);
            CHECK(result.exact);
        }
    }
}

TEST_CASE("in three-player Nim the first player takes the last object if it can at once") {
    game::Game game(std::make_unique<test::Nim>(std::vector<std::uint64_t>{3}, 3));
    const Result result = to_the_end(game, Method::MaxN);
    CHECK(result.value == std::vector<double>{1, -0.5, -0.5});
    CHECK(result.pv == std::vector<std::string>{"3"});
    CHECK(to_the_end(game, Method::AlphaBeta).fault ==
          "alphabeta is for at most two players, and this game has 3; use maxn");
}

TEST_CASE("expectimax weighs outcomes by their probability") {
    // A sure 2, or a die that gives 6 once in four times and else 0.
    std::vector<test::GraphNode> nodes(5);
    nodes[0] = {.kind = test::NodeKind::Decision, .children = {1, 2}};
    nodes[1] = {.values = {2}};
    nodes[2] = {.kind = test::NodeKind::Chance, .children = {3, 4}, .weights = {1, 3}};
    nodes[3] = {.values = {6}};
    nodes[4] = {.values = {0}};
    const test::Facts facts{.players = 1, .chance = true, .zero_sum = false, .lo = 0, .hi = 6};
    for (const double sure : {2.0, 1.0}) {
        nodes[1].values = {sure};
        game::Game game(std::make_unique<test::GraphGame>(facts, nodes));
        const Result result = to_the_end(game, Method::Expectimax);
        CHECK(result.value == std::vector<double>{std::max(sure, 1.5)});
        CHECK(result.pv == std::vector<std::string>{sure > 1.5 ? "0" : "1"});
        CHECK(result.exact);
        CHECK(search::search(game, game.initial(), Method::MaxN, {}).value == result.value);
    }
}

TEST_CASE("methods refuse games they are not made for, and say which is") {
    const game::Traits chance{.players = 2, .chance = true, .zero_sum = true};
    const game::Traits general{.players = 2, .chance = false, .zero_sum = false};
    const game::Traits puzzle{.players = 1};
    const game::Traits three{.players = 3, .chance = true};
    CHECK(refusal(Method::Minimax, chance) == "minimax can't search a game with chance events; use expectimax");
    CHECK(refusal(Method::AlphaBeta, general) ==
          "alphabeta needs utilities that always add up to zero, and this game's may not; use maxn");
    CHECK(refusal(Method::Minimax, puzzle) == "minimax is for two players, and this game has one; use astar");
    CHECK(refusal(Method::Expectimax, three) == "expectimax is for at most two players, and this game has 3; use maxn");
    for (const auto& traits : {chance, general, puzzle, three}) CHECK(refusal(automatic(traits), traits).empty());
    CHECK(automatic({.players = 2, .zero_sum = true}) == Method::AlphaBeta);
    for (const Method method : {Method::Minimax, Method::AlphaBeta, Method::Expectimax, Method::MaxN})
        CHECK(method_named(method_name(method)) == method);
    CHECK_FALSE(method_named("alpha").has_value());
}

TEST_CASE("the signature adds up the nodes of its searches") {
    game::Game game(std::make_unique<test::TicTacToe>());
    const std::vector<SignatureCase> cases{{&game, game.initial(), Method::Minimax, 2},
                                           {&game, game.initial(), Method::Minimax, 9}};
    CHECK(signature(cases).nodes == 1 + 9 + 72 + 549946);
    CHECK(signature(cases).fault.empty());
}

TEST_CASE("of equal moves minimax and maxn take the one of the least id, in whatever order they are listed") {
    std::vector<test::GraphNode> nodes(4);
    nodes[0] = {.kind = test::NodeKind::Decision, .children = {1, 2, 3}, .codes = {30, 10, 20}};
    nodes[1].values = nodes[2].values = {0, 0};
    nodes[3].values = {-1, 1};
    game::Game game(std::make_unique<test::GraphGame>(test::Facts{}, nodes));
    CHECK(to_the_end(game, Method::Minimax).pv == std::vector<std::string>{"10"});
    CHECK(to_the_end(game, Method::MaxN).pv == std::vector<std::string>{"10"});
}

TEST_CASE("a win is proven as soon as it is seen, whatever the other moves lead to") {
    std::vector<test::GraphNode> nodes(12);
    nodes[0] = {.kind = test::NodeKind::Decision, .children = {2, 1}, .values = {0, 0}};
    nodes[1].values = {1, -1};
    for (std::size_t n = 2; n < 11; ++n)
        nodes[n] = {.kind = test::NodeKind::Decision, .children = {n + 1}, .values = {0, 0}};
    nodes[11].values = {-1, 1};
    game::Game game(std::make_unique<test::GraphGame>(test::Facts{}, nodes));
    const Result result = to_the_end(game, Method::AlphaBeta);
    CHECK(result.value[0] == 1);
    CHECK(result.exact);
    CHECK(result.depth == 1);
}

TEST_CASE("Star1 leaves out nodes that plain expectimax visits") {
    std::uint64_t pruned = 0, plain = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        test::RandomGraph shape;
        shape.facts = {.chance = true, .lo = -3, .hi = 3};
        shape.events = 0.3;
        shape.nodes = 30;
        game::Game game = test::random_graph(shape, seed);
        Options options;
        options.table = false;
        options.star = Star::Star1;
        pruned += to_the_end(game, Method::Expectimax, options).nodes;
        options.pruning = false;
        plain += to_the_end(game, Method::Expectimax, options).nodes;
    }
    CHECK(pruned * 3 < plain * 2);
}

TEST_CASE("secondary search makes the second best move if the best turns out to be worse") {
    // One ply deep move 0 is worth 0.5, move 1 is worth 0.4 and move 2 is worth 0.1; two plies deep `first` and
    // `second` and 0.1.
    const auto chosen = [](double first, double second, int plies) {
        std::vector<test::GraphNode> nodes(10);
        nodes[0] = {.kind = test::NodeKind::Decision, .children = {1, 2, 3}, .values = {0, 0}};
        const std::array<double, 6> values{0.5, 0.4, 0.1, first, second, 0.1};
        for (std::size_t i = 0; i < values.size(); ++i)
            nodes[1 + i] = {.kind = test::NodeKind::Decision,
                            .mover = i < 3 ? 1U : 0U,
                            .children = {4 + i},
                            .values = {values[i], -values[i]}};
        nodes[7].values = nodes[8].values = nodes[9].values = {0, 0};
        game::Game game(std::make_unique<test::GraphGame>(test::Facts{.eval = true}, nodes));
        Limits limits;
        limits.depth = 1;
        Options options;
        options.secondary = plies;
        return search::search(game, game.initial(), Method::AlphaBeta, limits, options);
    };
    CHECK(chosen(-0.8, 0.3, 0).pv_ids.front() == 0);
    CHECK(chosen(-0.8, 0.3, 1).pv_ids.front() == 1);
    CHECK(chosen(-0.8, 0.3, 1).value[0] > 0);
    CHECK(chosen(-0.8, 0.3, 1).value[0] < chosen(-0.8, 0.3, 0).value[0]);
    CHECK(chosen(0.45, 0.3, 1).pv_ids.front() == 0); // worse, but no worse than the second
    CHECK(chosen(0.7, 0.3, 1).pv_ids.front() == 0);
    CHECK(chosen(-0.8, -0.9, 1).pv_ids.front() == 0); // the second is worse still
}
