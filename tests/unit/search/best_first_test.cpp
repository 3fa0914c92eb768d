// Best-first searches, bstar and mgss: what they call exact is what exhaustive search finds, lines are legal, and
// limits of nodes, time, depth and memory are kept.

#include "best_line.hpp"
#include "cyclic_graphs.hpp"
#include "games.hpp"
#include "promptness.hpp"
#include "rule_games.hpp"
#include "search/best_first/best_first_tree.hpp"
#include "search/search.hpp"
#include "tests/sanitized.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace zug;
using namespace zug::search;
using test::load_rules;
using test::NodeKind;
using test::random_position;
using test::rule_names;

namespace {

constexpr Method both[] = {Method::BStar, Method::Mgss};

// Settings with which the search goes on as long as it can.
Options to_the_end() {
    Options options;
    options.memory = std::size_t{64} << 20;
    options.best_first.width = 100;
    options.best_first.cost = 0;
    return options;
}

Result search_nodes(game::Game& game, Method method, std::uint64_t nodes, const Options& options = to_the_end()) {
    Limits limits;
    limits.nodes = nodes;
    return search::search(game, game.initial(), method, limits, options);
}

std::uint64_t count_of(const Result& result, std::string_view name) {
    const auto found = std::ranges::find(result.counts, name, &Count::name);
    REQUIRE(found != result.counts.end());
    return found->value;
}

} // namespace

TEST_CASE("what best-first search calls exact is exhaustive search's value, with any settings") {
    int exact = 0, open = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        test::RandomGraph shape;
        shape.facts = {.eval = seed % 3 != 0, .lo = -3, .hi = 3};
        shape.fine = seed % 2 != 0;
        shape.reach = 2 + seed % 7;
        shape.nodes = 20 + seed % 20;
        game::Game game = test::random_graph(shape, seed);
        const Result truth = search::search(game, game.initial(), Method::AlphaBeta, {});
        REQUIRE(truth.exact);
        for (const Method method : both) {
            CAPTURE(method_name(method));
            Options options = to_the_end();
            options.best_first.probe = static_cast<int>(seed % 4);
            options.best_first.playouts = 1 + static_cast<std::uint32_t>(seed % 5);
            options.monte_carlo.seed = seed;
            if (seed % 5 == 0) options.best_first.width = 1, options.best_first.cost = 1e-3;
            const Result result = search_nodes(game, method, 1 + seed * seed, options);
            REQUIRE(result.fault.empty());
            test::play_best_line(game, game.initial(), result);
            CHECK(std::abs(result.value[0]) <= 3);
            CHECK(result.value[1] == -result.value[0]);
            if (result.exact) CHECK(result.value == truth.value);
            ++(result.exact ? exact : open);
        }
    }
    CHECK(exact > 100);
    CHECK(open > 50);
}

TEST_CASE("on graphs with cycles best-first search proves what can be forced") {
    std::size_t exact = 0;
    for (std::uint64_t seed = 1; seed <= test::some_of(200); ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const auto nodes = test::random_cyclic_nodes(random, 3, 20);
        game::Game game(std::make_unique<test::GraphGame>(test::Facts{.eval = seed % 2 == 0}, nodes));
        for (const Method method : both) {
            CAPTURE(method_name(method));
            Options options = to_the_end();
            options.monte_carlo.plies = 50;
            const Result result = search_nodes(game, method, 5000, options);
            REQUIRE(result.fault.empty());
            test::check_forced(nodes, result);
            exact += result.exact ? 1 : 0;
        }
    }
    CHECK(exact * test::one_in > 100);
}

TEST_CASE("best-first search finds the moves that win Nim, and mgss proves them if nodes are free") {
    for (const Method method : both) {
        CAPTURE(method_name(method));
        game::Game won(std::make_unique<test::Nim>(std::vector<std::uint64_t>{1, 4, 2}));
        const Result wins = search_nodes(won, method, 1'000'000);
        CHECK(wins.complete);
        REQUIRE(!wins.pv_ids.empty());
        CHECK(wins.pv_ids.front() == 101); // one of the second heap
        if (method == Method::BStar) continue;
        CHECK(wins.exact);
        CHECK(wins.value[0] == 1);
        game::Game lost(std::make_unique<test::Nim>(std::vector<std::uint64_t>{1, 3, 2}));
        const Result loses = search_nodes(lost, method, 1'000'000);
        CHECK(loses.exact);
        CHECK(loses.value[0] == -1);
    }
}

TEST_CASE("of two proven losses the later is played") {
    // Move 1 loses at once, move 2 three plies later.
    std::vector<test::GraphNode> nodes(5);
    nodes[0] = {.kind = NodeKind::Decision, .mover = 0, .children = {1, 2}, .codes = {2, 1}, .values = {0, 0}};
    nodes[1] = {.kind = NodeKind::Decision, .mover = 1, .children = {3}, .values = {0, 0}};
    nodes[3] = {.kind = NodeKind::Decision, .mover = 0, .children = {4}, .values = {0, 0}};
    nodes[2].values = nodes[4].values = {-1, 1};
    game::Game game(std::make_unique<test::GraphGame>(test::Facts{}, nodes));
    const Result result = search_nodes(game, Method::Mgss, 1000);
    CHECK(result.exact);
    CHECK(result.pv_ids.size() == 3);
}

TEST_CASE("on every rule file best-first search refuses the game as alpha-beta does, or gives a legal move") {
    std::size_t searched = 0;
    for (const std::string& name : rule_names()) {
        CAPTURE(name);
        game::Game game = load_rules(name);
        for (const Method method : both) {
            CAPTURE(method_name(method));
            const std::string refused = refusal(method, game.traits());
            CHECK(refused.empty() == refusal(Method::AlphaBeta, game.traits()).empty());
            if (!refused.empty()) {
                CHECK(refused.find(std::string(method_name(method))) == 0);
                continue;
            }
            Options options;
            options.memory = std::size_t{1} << 20;
            const Result result = search_nodes(game, method, 3000, options);
            REQUIRE(result.fault.empty());
            CHECK(result.nodes <= 3000);
            if (game.traits().has_eval) CHECK(!result.pv.empty()); // else the first playouts may take all nodes
            test::play_best_line(game, game.initial(), result);
            CHECK(result.value[0] >= game.traits().min_utility);
            CHECK(result.value[0] <= game.traits().max_utility);
            CHECK(count_of(result, "tree nodes") * sizeof(BestFirstTree::Node) <= options.memory);
            ++searched;
        }
    }
    CHECK(searched * test::one_in > 80);
}

TEST_CASE("from random positions of every rule file what best-first search calls exact is alpha-beta's exact value") {
    constexpr std::size_t positions = test::sanitized ? 1 : 3; // of each game
    Random random(1);
    std::size_t compared = 0;
    for (const std::string& name : rule_names()) {
        CAPTURE(name);
        game::Game game = load_rules(name);
        if (!refusal(Method::AlphaBeta, game.traits()).empty()) continue;
        for (std::size_t i = 0; i < positions; ++i) {
            const game::State position = random_position(game, random);
            CAPTURE(game.position_text(position));
            Limits limits;
            limits.nodes = 3000;
            const Result truth = search::search(game, position, Method::AlphaBeta, limits);
            for (const Method method : both) {
                CAPTURE(method_name(method));
                const Result result = search::search(game, position, method, limits, to_the_end());
                REQUIRE(result.fault.empty());
                test::play_best_line(game, position, result);
                if (!result.exact || !truth.exact) continue;
                CHECK(result.value == truth.value);
                ++compared;
            }
        }
    }
    CHECK(compared * test::one_in * 3 > 40 * positions);
}

TEST_CASE("best-first search gives the same on the reference executor") {
    constexpr std::uint64_t nodes = test::sanitized ? 60 : 200;
    for (const char* name : {"tic-tac-toe", "hexapawn", "breakthrough", "connect-four", "english-draughts"})
        for (const Method method : both) {
            CAPTURE(name);
            game::Game fast = load_rules(name);
            game::Game slow = load_rules(name, {}, game::ExecutorKind::Reference);
            const Result one = search_nodes(fast, method, nodes), other = search_nodes(slow, method, nodes);
            CHECK(one.value == other.value);
            CHECK(one.pv == other.pv);
            CHECK(one.nodes == other.nodes);
        }
}

TEST_CASE("on small boards best-first search finds the exact values") {
    struct Known {
        const char* name;
        lang::Overrides params;
    };
    for (const Known& known : {Known{"tic-tac-toe", {}}, Known{"hexapawn", {}}, Known{"hex", {{"size", "3"}}},
                               Known{"gomoku", {{"size", "3"}, {"length", "3"}}}}) {
        CAPTURE(std::string(known.name));
        game::Game game = load_rules(known.name, known.params);
        const Result truth = search::search(game, game.initial(), Method::AlphaBeta, {});
        REQUIRE(truth.exact);
        const Result result = search_nodes(game, Method::Mgss, 3'000'000);
        CHECK(result.exact);
        CHECK(result.value == truth.value);
        const Result intervals = search_nodes(game, Method::BStar, 3'000'000);
        CHECK(intervals.complete);
        if (intervals.exact) CHECK(intervals.value == truth.value);
    }
}

TEST_CASE("on small boards best-first search makes moves that keep the value of the position") {
    struct Small {
        const char* name;
        lang::Overrides params;
    };
    const std::vector<Small> games{{"tic-tac-toe", {}},
                                   {"hexapawn", {}},
                                   {"hex", {{"size", "3"}}},
                                   {"connect-four", {{"width", "4"}, {"height", "4"}}},
                                   {"misere-tic-tac-toe", {}}};
    Random random(1);
    for (const Small& small : games) {
        CAPTURE(std::string(small.name));
        game::Game game = load_rules(small.name, small.params);
        for (std::size_t i = 0; i < test::some_of(20); ++i) {
            const game::State position = random_position(game, random);
            CAPTURE(game.position_text(position));
            const Result truth = search::search(game, position, Method::AlphaBeta, {});
            REQUIRE(truth.exact);
            for (const Method method : both) {
                CAPTURE(method_name(method));
                Limits limits;
                limits.nodes = 300'000;
                const Result result = search::search(game, position, method, limits, to_the_end());
                if (result.exact) CHECK(result.value == truth.value);
                REQUIRE(!result.pv.empty());
                const auto after = game.play_line(position, result.pv.front());
                REQUIRE(after.has_value());
                CHECK(search::search(game, *after, Method::AlphaBeta, {}).value == truth.value);
            }
        }
    }
}

TEST_CASE("the limits of a best-first search are kept") {
    game::Game game(std::make_unique<test::Endless>(1000003));
    for (const Method method : both) {
        CAPTURE(method_name(method));
        for (const std::uint64_t nodes : {1ULL, 2ULL, 3ULL, 63ULL, 64ULL, 65ULL, 1000ULL, 12345ULL}) {
            const Result result = search_nodes(game, method, nodes);
            CHECK(result.nodes <= nodes);
            CHECK(result.value.size() == 2);
            CHECK_FALSE(result.exact);
            if (nodes > 8) CHECK(!result.pv.empty());
        }
        Limits shallow;
        shallow.depth = 3;
        const Result result = search::search(game, game.initial(), method, shallow, to_the_end());
        CHECK(result.depth <= 3);
        CHECK(result.pv.size() <= 3);
        CHECK(result.complete);
        CHECK(count_of(result, "tree nodes") <= 1 + 3 + 9 + 27);
    }
}

TEST_CASE("a best-first search whose tree is full ends with what it has") {
    game::Game game(std::make_unique<test::Endless>(1000003));
    Options options = to_the_end();
    options.memory = std::size_t{1} << 16;
    for (const Method method : both) {
        const Result result = search_nodes(game, method, 1'000'000, options);
        CHECK(result.nodes < 10'000);
        CHECK(count_of(result, "tree nodes") * sizeof(BestFirstTree::Node) <= options.memory);
        CHECK_FALSE(result.complete);
        CHECK(!result.pv.empty());
    }
}

TEST_CASE("a best-first search answers the stop flag and the clock") {
    for (const Method method : both)
        test::check_promptness([&](game::Game& game, const Limits& limits) {
            const Result result = search::search(game, game.initial(), method, limits, to_the_end());
            CHECK(result.fault.empty());
            CHECK_FALSE(result.complete);
        });
}

TEST_CASE("equal best-first searches give equal results once the searcher has forgotten the last") {
    game::Game game = load_rules("hex", {{"size", "7"}});
    for (const Method method : both) {
        Searcher searcher(game, method, to_the_end());
        Limits limits;
        limits.nodes = 5000;
        const Result first = searcher.run(game.initial(), limits);
        searcher.forget();
        const Result again = searcher.run(game.initial(), limits);
        CHECK(first.value == again.value);
        CHECK(first.pv_ids == again.pv_ids);
        CHECK(first.nodes == again.nodes);
        Options other = to_the_end();
        other.monte_carlo.seed = 2;
        const Result different = search_nodes(game, method, 5000, other);
        CHECK((different.value != first.value || different.pv_ids != first.pv_ids));
    }
}

TEST_CASE("mgss stops the sooner the more a node costs") {
    game::Game game = load_rules("lines-of-action");
    std::uint64_t before = UINT64_MAX;
    for (const double cost : {1e-4, 1e-2, 1e-1}) {
        Options options;
        options.best_first.cost = cost;
        const Result result = search_nodes(game, Method::Mgss, 200'000, options);
        CHECK(result.nodes < before);
        before = result.nodes;
    }
    CHECK(before < 2000);
}

TEST_CASE("bstar stops when no move can be better than the best, the sooner the narrower its intervals") {
    game::Game game = load_rules("lines-of-action");
    std::uint64_t before = 0;
    for (const double width : {0.0, 100.0}) {
        Options options;
        options.best_first.width = width;
        const Result result = search_nodes(game, Method::BStar, 100'000, options);
        CHECK(result.nodes > before);
        CHECK(result.complete == (count_of(result, "separated") == 1));
        before = result.nodes;
    }
}

TEST_CASE("an end of the game has its payoffs, and a rule that fails is told, in best-first search") {
    std::vector<test::GraphNode> nodes(3);
    nodes[0] = {.kind = NodeKind::Decision, .children = {1, 2}, .values = {0, 0}};
    nodes[1].values = {-1, 1};
    nodes[2] = {.kind = NodeKind::Fault, .values = {0, 0}};
    game::Game fails(std::make_unique<test::GraphGame>(test::Facts{}, nodes));
    nodes[0] = {.values = {0.25, -0.25}};
    game::Game over(std::make_unique<test::GraphGame>(test::Facts{}, nodes));
    for (const Method method : both) {
        CHECK(search_nodes(fails, method, 1000).fault.find("a node that fails") != std::string::npos);
        CHECK_FALSE(fails.faulted());
        const Result result = search_nodes(over, method, 1000);
        CHECK(result.value == std::vector<double>{0.25, -0.25});
        CHECK(result.exact);
        CHECK(result.complete);
        CHECK(result.pv.empty());
    }
}
