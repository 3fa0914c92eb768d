// The searchers on the rule files: agreement of methods and executors, and published values.

#include "lang/load.hpp"
#include "search/search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace zug;
using namespace zug::search;
using game::ExecutorKind;

namespace {

const std::filesystem::path rules = std::filesystem::path(ZUG_SOURCE_DIR) / "rules";

std::vector<std::string> rule_names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(rules))
        if (entry.path().extension() == ".zug" && entry.path().stem() != "prelude")
            names.push_back(entry.path().stem().string());
    std::ranges::sort(names);
    return names;
}

game::Game load_rules(const std::string& name, const lang::Overrides& params = {},
                      ExecutorKind executor = ExecutorKind::Interpreter) {
    const lang::Loaded loaded = lang::load_file((rules / (name + ".zug")).string(), params);
    REQUIRE_MESSAGE(loaded.program, name << " doesn't load");
    return game::Game(loaded.program, executor);
}

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

TEST_CASE("on every rule file the methods that suit it agree, on either executor") {
    constexpr std::uint64_t enough = 1500; // nodes of plain search
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
            const Method best = automatic(game.traits());
            const Result expected = search::search(game, game.initial(), best, limits, plain);
            REQUIRE(expected.fault.empty());
            if (expected.depth < depth && !expected.exact) break;
            for (const Method method : {Method::Minimax, Method::AlphaBeta, Method::Expectimax, Method::MaxN}) {
                if (!refusal(method, game.traits()).empty()) continue;
                CAPTURE(method_name(method));
                const Result result = to_depth(game, method, depth);
                CHECK(result.value == expected.value);
                if (expected.nodes > 60) continue; // the reference executor is slow
                const Result slow = to_depth(reference, method, depth);
                CHECK(slow.value == expected.value);
                CHECK(slow.nodes == result.nodes);
                CHECK(slow.pv == result.pv);
            }
        }
    }
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
