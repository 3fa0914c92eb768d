// Limits are kept, and what was found until then is still given.

#include "games.hpp"
#include "search/search.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace zug;
using namespace zug::search;

namespace {

constexpr Method every_method[] = {Method::Minimax, Method::AlphaBeta, Method::Expectimax, Method::MaxN};

} // namespace

TEST_CASE("a time limit ends the search soon after, with the value of the last complete depth") {
    using Clock = std::chrono::steady_clock;
    Clock::time_point end;
    std::uint64_t expanded_late = 0;
    game::Game game(std::make_unique<test::Endless>(1000003, [&] { expanded_late += Clock::now() > end ? 1 : 0; }));
    for (const Method method : every_method) {
        CAPTURE(method_name(method));
        Limits limits;
        limits.seconds = 0.1;
        expanded_late = 0;
        end = Clock::now() + std::chrono::milliseconds(100);
        const Result result = search::search(game, game.initial(), method, limits);
        CHECK(result.seconds >= 0.1);
        CHECK(expanded_late < 1000);
        CHECK_FALSE(result.complete);
        CHECK_FALSE(result.exact);
        REQUIRE(result.depth >= 1);
        CHECK(!result.pv.empty());
        Limits same;
        same.depth = std::min(result.depth, 7);
        CHECK(search::search(game, game.initial(), method, same).depth == same.depth);
        if (result.depth <= 7) CHECK(search::search(game, game.initial(), Method::Minimax, same).value == result.value);
    }
}

TEST_CASE("a node limit is never exceeded") {
    game::Game game(std::make_unique<test::Endless>(1000003));
    for (const Method method : every_method)
        for (const std::uint64_t nodes : {1ULL, 2ULL, 63ULL, 64ULL, 65ULL, 1000ULL, 12345ULL}) {
            Limits limits;
            limits.nodes = nodes;
            const Result result = search::search(game, game.initial(), method, limits);
            CHECK(result.nodes == nodes);
            CHECK_FALSE(result.complete);
            CHECK(result.value.size() == 2);
        }
}

TEST_CASE("a node limit is kept, and used, where a part of it is for secondary search") {
    game::Game game(std::make_unique<test::Endless>(1000003));
    Options options;
    options.secondary = 3;
    for (const std::uint64_t nodes : {1ULL, 2ULL, 64ULL, 1000ULL, 5000ULL, 12345ULL}) {
        Limits limits;
        limits.nodes = nodes;
        const Result result = search::search(game, game.initial(), Method::AlphaBeta, limits, options);
        CHECK(result.nodes <= nodes);
        CHECK(result.nodes >= nodes * 4 / 5);
        CHECK_FALSE(result.exact);
    }
}

TEST_CASE("the stop flag ends a search") {
    for (const Method method : every_method) {
        std::atomic<bool> stop = false;
        int expanded = 0;
        game::Game game(std::make_unique<test::Endless>(1000003, [&] {
            if (++expanded == 5000) stop = true;
        }));
        Limits limits;
        limits.depth = 40;
        limits.stop = &stop;
        const Result result = search::search(game, game.initial(), method, limits);
        CHECK(stop);
        CHECK(expanded < 5000 + 400); // soon after; a horizon's kind() does not count
        CHECK_FALSE(result.complete);
        CHECK(result.value.size() == 2);
    }
}

TEST_CASE("a time limit is kept in a game whose nodes take long") {
    int expanded = 0;
    game::Game game(std::make_unique<test::Endless>(1000003, [&] {
        ++expanded;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }));
    Limits limits;
    limits.seconds = 0.1;
    search::search(game, game.initial(), Method::Minimax, limits);
    CHECK(expanded >= 1);
    CHECK(expanded < 20); // there is time for five
}

TEST_CASE("a search stopped before it began still has the root's evaluation") {
    game::Game game(std::make_unique<test::Endless>(1000003));
    std::atomic<bool> stop = true;
    Limits limits;
    limits.stop = &stop;
    const Result result = search::search(game, game.initial(), Method::AlphaBeta, limits);
    CHECK(result.depth == 0);
    CHECK(result.nodes == 0);
    CHECK_FALSE(result.complete);
    limits.depth = 0;
    stop = false;
    const Result evaluation = search::search(game, game.initial(), Method::AlphaBeta, limits);
    CHECK(result.value == evaluation.value);
    CHECK(evaluation.complete);
    CHECK(evaluation.nodes == 1);
}

TEST_CASE("a single pass over a game without end fails and asks for a depth") {
    game::Game game(std::make_unique<test::Endless>(7));
    for (const Method method : {Method::Minimax, Method::Expectimax, Method::MaxN}) {
        const Result result = search::search(game, game.initial(), method, {});
        CHECK(result.fault == "the game can go on past 1024 plies: give a depth");
        CHECK_FALSE(result.complete);
    }
}

TEST_CASE("deep searches don't exhaust the stack") {
    // One long line: each node but the last has one child.
    std::vector<test::GraphNode> nodes(max_depth + 1);
    for (std::size_t n = 0; n + 1 < nodes.size(); ++n)
        nodes[n] = {.kind = test::NodeKind::Decision,
                    .mover = static_cast<std::uint32_t>(n % 2),
                    .children = {n + 1},
                    .values = {0, 0}};
    nodes.back().values = {1, -1};
    game::Game game(std::make_unique<test::GraphGame>(test::Facts{}, nodes));
    Options single;
    single.deepening = false;
    for (const Method method : every_method) {
        const Result result = search::search(game, game.initial(), method, {}, single);
        CHECK(result.value == std::vector<double>{1, -1});
        CHECK(result.pv.size() == max_depth);
        CHECK(result.exact);
    }
}

TEST_CASE("an end of the game is its own value") {
    std::vector<test::GraphNode> nodes(1);
    nodes[0].values = {0.25, -0.25};
    game::Game game(std::make_unique<test::GraphGame>(test::Facts{}, nodes));
    for (const Method method : every_method) {
        const Result result = search::search(game, game.initial(), method, {});
        CHECK(result.value == std::vector<double>{0.25, -0.25});
        CHECK(result.exact);
        CHECK(result.complete);
        CHECK(result.nodes == 1);
        CHECK(result.pv.empty());
    }
}

TEST_CASE("a rule that fails ends the search with its report") {
    std::vector<test::GraphNode> nodes(4);
    nodes[0] = {.kind = test::NodeKind::Decision, .children = {1, 2}, .values = {0, 0}};
    nodes[1] = {.values = {0, 0}};
    nodes[2] = {.kind = test::NodeKind::Decision, .mover = 1, .children = {3}, .values = {0, 0}};
    nodes[3] = {.kind = test::NodeKind::Fault, .values = {0, 0}};
    game::Game game(std::make_unique<test::GraphGame>(test::Facts{}, nodes));
    for (const Method method : every_method) {
        const Result result = search::search(game, game.initial(), method, {});
        CHECK(result.fault.find("a node that fails") != std::string::npos);
        CHECK_FALSE(result.complete);
        CHECK_FALSE(game.faulted());
    }
}

TEST_CASE("progress tells of every complete depth") {
    game::Game game(std::make_unique<test::Endless>(1000003));
    std::vector<int> depths;
    Limits limits;
    limits.depth = 5;
    limits.progress = [&](const Progress& progress) {
        if (progress.completed) {
            depths.push_back(progress.result.depth);
            CHECK(progress.result.pv.size() == static_cast<std::size_t>(progress.result.depth));
        }
    };
    search::search(game, game.initial(), Method::AlphaBeta, limits);
    CHECK(depths == std::vector<int>{1, 2, 3, 4, 5});
}
