// Trees of the rule files and of random graphs: the searchers' values, and what the textbooks say of cut-offs.

#include "draw/grow.hpp"
#include "tests/unit/draw/rules.hpp"
#include "tests/unit/search/games.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

using namespace zug;
using namespace zug::draw;
using search::Method;

namespace {

std::vector<double> root_value(const Tree& tree) {
    if (tree.by_player()) return tree.nodes[0].values;
    REQUIRE(tree.nodes[0].value.exact());
    return {tree.nodes[0].value.lower};
}

// That all ways to grow a tree find what the searcher finds.
void agree(game::Game& game, Method method, int depth) {
    search::Limits limits;
    limits.depth = depth;
    const search::Result result = search::search(game, game.initial(), method, limits);
    if (!result.fault.empty()) return;
    for (const Merge merge : {Merge::None, Merge::Equal, Merge::Symmetric})
        for (const bool pruning : {false, true}) {
            if (merge == Merge::Symmetric && (depth != 2 || !pruning)) continue; // to find symmetries takes time
            const GrowOptions options{.method = method, .depth = depth, .pruning = pruning, .merge = merge};
            const auto tree = grow(game, game.initial(), options);
            if (!tree && tree.error().text.find("more than") != std::string::npos) continue;
            REQUIRE_MESSAGE(tree, tree.error().text);
            const std::vector<double> value = root_value(*tree);
            CAPTURE(pruning);
            CAPTURE(static_cast<int>(merge));
            for (std::size_t p = 0; p < value.size(); ++p) CHECK(value[p] == doctest::Approx(result.value[p]));
        }
}

Tree grown(game::Game& game, const GrowOptions& options) {
    const auto tree = grow(game, game.initial(), options);
    REQUIRE_MESSAGE(tree, tree.error().text);
    return *tree;
}

std::size_t leaves(const Tree& tree) {
    return static_cast<std::size_t>(
        std::ranges::count_if(tree.nodes, [](const Node& node) { return node.branches.empty(); }));
}

} // namespace

TEST_CASE("the trees of the rule files have the searchers' values") {
    int drawn = 0;
    for (const auto& name : names_of_rules()) {
        CAPTURE(name);
        game::Game game = load_rules(name);
        if (game.count(game.initial()) > 40) continue; // a tree for nobody to read
        ++drawn;
        for (const int depth : {0, 2, 3})
            for (const Method method : {Method::Minimax, Method::AlphaBeta, Method::Expectimax, Method::MaxN})
                if (search::refusal(method, game.traits()).empty()) agree(game, method, depth);
    }
    CHECK(drawn * static_cast<int>(test::one_game_in) > 40);
}

TEST_CASE("the trees of random graphs have the searchers' values, also where positions are merged") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        test::RandomGraph shape;
        shape.nodes = 25;
        shape.facts = {.chance = seed % 2 == 1, .lo = -3, .hi = 3};
        shape.events = seed % 2 == 1 ? 0.3 : 0;
        shape.fine = seed % 3 == 0;
        game::Game game = test::random_graph(shape, seed);
        search::Limits limits;
        limits.depth = 6;
        const Method method = seed % 2 == 1 ? Method::Expectimax : Method::AlphaBeta;
        const double value = search::search(game, game.initial(), method, limits).value[0];
        for (const Merge merge : {Merge::None, Merge::Equal})
            for (const bool pruning : {false, true}) {
                const Tree tree = grown(
                    game, {.method = method, .depth = 6, .pruning = pruning, .merge = merge, .most_nodes = 100'000});
                CHECK(root_value(tree)[0] == doctest::Approx(value));
            }
    }
}

TEST_CASE("alpha-beta prunes the leaves a and b, and says why") {
    game::Game game = load_rules("tree-pruning");
    const Tree tree = grown(game, {});
    CHECK(tree.nodes.size() == 9);
    CHECK(tree.pruned() == 4);
    const auto cut = std::ranges::find(tree.nodes, Cut::Alpha, &Node::cut);
    REQUIRE(cut != tree.nodes.end());
    CHECK(cut->bound == 3);
    CHECK(cut->value.upper == 2);
    CHECK(cut->window->alpha == 3);
    REQUIRE(cut->branches.size() == 3);
    CHECK_FALSE(cut->branches[1].node.has_value());
    CHECK(cut->branches[1].moves == std::vector<std::string>{"c2"});
    const Tree whole = grown(game, {.method = Method::Minimax, .pruning = false});
    CHECK(whole.nodes.size() == 13);
    CHECK(whole.pruned() == 0);
}

TEST_CASE("alpha-beta reads the least number of leaves of a perfectly ordered tree") {
    game::Game game = load_rules("uniform-tree", {{"ordered", "true"}, {"branching", "3"}, {"depth", "4"}});
    CHECK(leaves(grown(game, {})) == 3 * 3 + 3 * 3 - 1);
    CHECK(leaves(grown(game, {.pruning = false})) == 81);
}

TEST_CASE("the open lines of tic-tac-toe are those of the book") {
    game::Game game = load_rules("tic-tac-toe");
    const Tree tree = grown(
        game, {.method = Method::Minimax, .depth = 2, .pruning = false, .merge = Merge::Symmetric, .eval_scale = true});
    // N. Nilsson, Problem-Solving Methods in Artificial Intelligence (1971): 3 and 12 positions. The values of the 3.
    CHECK(tree.nodes.size() == 1 + 3 + 12);
    CHECK(tree.nodes[0].value.lower == doctest::Approx(1));
    std::multiset<int> values;
    for (const Branch& branch : tree.nodes[0].branches)
        values.insert(static_cast<int>(std::lround(tree.nodes[*branch.node].value.lower)));
    CHECK(values == std::multiset<int>{-2, -1, 1});
}

TEST_CASE("equal positions are one node, with a branch from each parent") {
    game::Game game = load_rules("tic-tac-toe");
    const GrowOptions apart{.method = Method::Minimax, .depth = 3, .pruning = false};
    GrowOptions merged = apart;
    merged.merge = Merge::Equal;
    CHECK(grown(game, apart).nodes.size() == 1 + 9 + 72 + 504);
    const Tree tree = grown(game, merged);
    CHECK(tree.nodes.size() == 1 + 9 + 72 + 252);
    CHECK(std::ranges::count(tree.nodes, 2U, &Node::parents) == 252);
}

TEST_CASE("Star1 cuts a chance node off") {
    // A sure 2; or 0 three times in four, and then at most 6 remains for the fourth.
    std::vector<test::GraphNode> nodes(5);
    nodes[0] = {.kind = test::NodeKind::Decision, .children = {1, 2}};
    nodes[1] = {.values = {2}};
    nodes[2] = {.kind = test::NodeKind::Chance, .children = {3, 4}, .weights = {3, 1}};
    nodes[3] = {.values = {0}};
    nodes[4] = {.values = {6}};
    const test::Facts facts{.players = 1, .chance = true, .zero_sum = false, .lo = 0, .hi = 6};
    game::Game game(std::make_unique<test::GraphGame>(facts, nodes));
    const Tree tree = grown(game, {.method = Method::Expectimax});
    REQUIRE(tree.nodes.size() == 4);
    CHECK(tree.nodes[2].cut == Cut::Low);
    CHECK(tree.nodes[2].bound == 2);
    CHECK(tree.nodes[2].value.upper == 1.5);
    CHECK(tree.nodes[2].branches[1].probability == 0.25);
}

TEST_CASE("a tree that is too large says which depth fits, and a rule that fails is told") {
    game::Game game = load_rules("tic-tac-toe");
    const GrowOptions options{.method = Method::Minimax, .pruning = false, .most_nodes = 100};
    const auto tree = grow(game, game.initial(), options);
    REQUIRE_FALSE(tree);
    CHECK(tree.error().text ==
          "the tree has more than 100 nodes; with --depth 2 it has 82, and --nodes sets another limit");
    std::vector<test::GraphNode> nodes(2);
    nodes[0] = {.kind = test::NodeKind::Decision, .children = {1}};
    nodes[1] = {.kind = test::NodeKind::Fault};
    game::Game broken(std::make_unique<test::GraphGame>(test::Facts{}, nodes));
    const auto none = grow(broken, broken.initial(), {});
    REQUIRE_FALSE(none);
    CHECK(none.error().text.find("a node that fails") != std::string::npos);
}

TEST_CASE("methods that draw no trees, or don't suit the game, are refused by what to use") {
    const game::Traits puzzle{.players = 1};
    CHECK(method_for("auto", puzzle) == Method::Expectimax);
    CHECK(method_for("minimax", puzzle).error().text ==
          "minimax is for two players, and this game has one; use expectimax");
    CHECK(method_for("uct", {.players = 2, .zero_sum = true}).error().text ==
          "the trees of uct can't be drawn; use alphabeta");
}
