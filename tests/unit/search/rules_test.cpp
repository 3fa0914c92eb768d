// The searchers on the rule files: agreement of methods and executors, and published values.

#include "rule_games.hpp"
#include "search/search.hpp"
#include "tests/sanitized.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

using namespace zug;
using namespace zug::search;
using game::ExecutorKind;
using test::load_rules;
using test::random_position;
using test::rule_names;

namespace {

Result to_depth(game::Game& game, Method method, int depth, const Options& options = {}) {
    Limits limits;
    limits.depth = depth;
    return search::search(game, game.initial(), method, limits, options);
}

} // namespace

TEST_CASE("plain minimax of tic-tac-toe's rules visits 549946 nodes, alpha-beta few") {
    game::Game game = load_rules("tic-tac-toe");
    const Result plain = to_depth(game, Method::Minimax, unlimited_depth);
    CHECK(plain.nodes == 549946);
    CHECK(plain.value[0] == 0);
    const Result pruned = to_depth(game, Method::AlphaBeta, unlimited_depth);
    CHECK(pruned.value[0] == 0);
    CHECK(pruned.exact);
    CHECK(pruned.nodes < 20000);
}

TEST_CASE("alpha-beta of a perfectly ordered tree reads the least number of leaves") {
    Options plain;
    plain.table = plain.ordering = plain.deepening = plain.scout = false;
    plain.window = RootWindow::Full;
    const auto power = [](std::uint64_t b, int n) {
        std::uint64_t product = 1;
        for (int i = 0; i < n; ++i) product *= b;
        return product;
    };
    for (const int branching : {1, 2, 3, 5, 12})
        for (int depth = 1; depth <= 6; ++depth) {
            game::Game game = load_rules(
                "uniform-tree",
                {{"branching", std::to_string(branching)}, {"depth", std::to_string(depth)}, {"ordered", "true"}});
            std::uint64_t leaves = 0;
            Limits limits;
            limits.depth = depth;
            limits.trace = [&](const Visit& visit) { leaves += visit.leaf ? 1 : 0; };
            const auto b = static_cast<std::uint64_t>(branching);
            CAPTURE(branching);
            CAPTURE(depth);
            CHECK(search::search(game, game.initial(), Method::AlphaBeta, limits, plain).value[0] == 0);
            CHECK(leaves == power(b, (depth + 1) / 2) + power(b, depth / 2) - 1);
            leaves = 0;
            if (power(b, depth) > 100'000) continue;
            search::search(game, game.initial(), Method::Minimax, limits);
            CHECK(leaves == power(b, depth));
        }
}

TEST_CASE("on every rule file the methods that suit it agree, on either executor") {
    constexpr std::uint64_t enough = test::sanitized ? 500 : 1500; // nodes of plain search
    constexpr std::uint64_t few = test::sanitized ? 20 : 60;       // for the reference executor, which is slow
    for (const std::string& name : rule_names()) {
        CAPTURE(name);
        game::Game game = load_rules(name);
        game::Game reference = load_rules(name, {}, ExecutorKind::Reference);
        for (int depth = 0; depth <= 4; ++depth) {
            CAPTURE(depth);
            Limits limits;
            limits.depth = depth;
            limits.nodes = enough;
            Options plain;
            plain.table = plain.ordering = plain.pruning = plain.deepening = false;
            // Plain search by the methods of games with a depth: those for one player look at ends alone.
            const Method found = automatic(game.traits());
            const Method best = game.players() == 1 ? Method::Expectimax : found;
            const Result expected = search::search(game, game.initial(), best, limits, plain);
            REQUIRE(expected.fault.empty());
            if (expected.depth < depth && !expected.exact) break;
            for (const Method method : {Method::Minimax, Method::AlphaBeta, Method::Expectimax, Method::MaxN}) {
                if (!refusal(method, game.traits()).empty()) continue;
                CAPTURE(method_name(method));
                const Result result = to_depth(game, method, depth);
                CHECK(result.value == expected.value);
                if (expected.nodes > few) continue;
                const Result slow = to_depth(reference, method, depth);
                CHECK(slow.value == expected.value);
                CHECK(slow.nodes == result.nodes);
                CHECK(slow.pv == result.pv);
            }
        }
    }
}

// ZUG_POSITIONS: so many of each game.
TEST_CASE("from random positions of every rule file all windows, on any number of threads, give plain search's value") {
    const char* more = std::getenv("ZUG_POSITIONS");
    const int positions = more != nullptr ? std::atoi(more) : 3;
    Random random(1);
    for (const std::string& name : rule_names()) {
        CAPTURE(name);
        game::Game game = load_rules(name);
        const Method method = game.players() == 1 ? Method::Expectimax : automatic(game.traits());
        if (method == Method::MaxN) continue;
        for (int i = 0; i < positions; ++i) {
            const game::State position = random_position(game, random);
            CAPTURE(game.position_text(position));
            Limits limits;
            limits.nodes = 2000; // of plain search
            Options plain;
            plain.table = plain.ordering = plain.pruning = plain.scout = false;
            limits.depth = search::search(game, position, method, limits, plain).depth;
            limits.nodes = 0;
            const Result expected = search::search(game, position, method, limits, plain);
            for (unsigned window = 0; window < 5; ++window) {
                Options options;
                options.window = static_cast<RootWindow>(window);
                options.scout = random.below(2) == 0;
                options.star = static_cast<Star>(random.below(3));
                options.ordering = random.below(4) != 0;
                options.threads = 1 + random.below(2);
                options.table_bytes = std::size_t{1} << (8 + random.below(12));
                CAPTURE(window);
                CAPTURE(options.threads);
                CAPTURE(static_cast<int>(options.star));
                CHECK(search::search(game, position, method, limits, options).value == expected.value);
            }
        }
    }
}

TEST_CASE("Star2 visits less than half of the nodes of plain expectimax in backgammon, three plies deep") {
    game::Game game = load_rules("backgammon");
    const auto position = game.play_line(game.initial(), "31");
    REQUIRE(position);
    Limits limits;
    limits.depth = 3;
    Options options;
    options.pruning = false;
    const Result plain = search::search(game, *position, Method::Expectimax, limits, options);
    options.pruning = true;
    options.star = Star::Star1;
    const Result one = search::search(game, *position, Method::Expectimax, limits, options);
    options.star = Star::Star2;
    const Result two = search::search(game, *position, Method::Expectimax, limits, options);
    CHECK(two.value == plain.value);
    CHECK(one.value == plain.value);
    CHECK(two.nodes * 2 < plain.nodes);
    CHECK(two.nodes < one.nodes);
}

TEST_CASE("positions that alpha-beta passes over count as if it had visited them") {
    const Options plain{.table = false, .ordering = false, .deepening = false};
    for (const std::string& name : rule_names()) {
        CAPTURE(name);
        game::Game game = load_rules(name);
        if (!refusal(Method::AlphaBeta, game.traits()).empty()) continue;
        for (int depth = 1; depth <= 5; ++depth) {
            CAPTURE(depth);
            Limits limits;
            limits.depth = depth;
            limits.nodes = 3000;
            const Result passing = search::search(game, game.initial(), Method::AlphaBeta, limits, plain);
            limits.trace = [](const Visit&) {}; // to be shown, a position must be visited
            const Result visiting = search::search(game, game.initial(), Method::AlphaBeta, limits, plain);
            CHECK(passing.nodes == visiting.nodes);
            CHECK(passing.value == visiting.value);
            CHECK(passing.exact == visiting.exact);
            CHECK(passing.depth == visiting.depth);
            CHECK(passing.pv == visiting.pv);
            if (!visiting.complete) break;
        }
    }
}

TEST_CASE("published values of small boards") {
    struct Known {
        const char* name;
        lang::Overrides params;
        double value;
    };
    const std::vector<Known> table{
        {"connect-four", {{"width", "4"}, {"height", "4"}}, 0},
        {"othello", {{"n", "4"}}, -1},
        {"hex", {{"size", "3"}}, 1},
    };
    for (const Known& known : table) {
        CAPTURE(known.name);
        game::Game game = load_rules(known.name, known.params);
        const Result result = to_depth(game, Method::AlphaBeta, unlimited_depth);
        CHECK(result.exact);
        CHECK((result.value[0] > 0) - (result.value[0] < 0) == (known.value > 0) - (known.value < 0));
    }
}
