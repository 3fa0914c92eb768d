// The searches of one player on random graphs, with cycles, ends of any utility, and bounds that are admissible but
// not consistent: utility and length are those that exhaustive search finds.

#include "games.hpp"

#include "search/search.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <deque>
#include <optional>

using namespace zug;
using namespace zug::search;
using test::GraphNode;

namespace {

constexpr double no_way = HUGE_VAL;

// A graph with bounds for its nodes.
class BoundedGraph final : public run::Executor {
public:
    BoundedGraph(const test::Facts& facts, std::vector<GraphNode> nodes, std::vector<run::Bounds> bounds)
        : graph_(facts, std::move(nodes)), bounds_(std::move(bounds)), program_(graph_.program()) {
        program_.bound.emplace(ir::Bound{ir::ExprId{0}, ir::ExprId{0}});
    }
    std::unique_ptr<run::Executor> clone() const override { return std::make_unique<BoundedGraph>(*this); }
    const ir::Program& program() const override { return program_; }
    std::string_view name() const override { return "test"; }
    void initial(run::State& out) const override { graph_.initial(out); }
    void store(const run::State& state, std::vector<std::uint32_t>& slots) const override {
        graph_.store(state, slots);
    }
    void load(std::span<const std::uint32_t> slots, run::State& out) const override { graph_.load(slots, out); }
    std::uint32_t to_move(const run::State& state) const override { return graph_.to_move(state); }
    std::uint64_t hash(const run::State& state) const override { return graph_.hash(state); }
    run::NodeKind kind(const run::State& state) override { return graph_.kind(state); }
    run::NodeKind expand(const run::State& state, run::MoveList& moves) override { return graph_.expand(state, moves); }
    bool successor(const run::State& state, const run::MoveList& moves, std::size_t i, run::State& out) override {
        return graph_.successor(state, moves, i, out);
    }
    bool payoffs(const run::State& state, std::span<double> out) override { return graph_.payoffs(state, out); }
    void evals(const run::State& state, std::span<double> out) override { graph_.evals(state, out); }
    run::Bounds bounds(const run::State& state) override { return bounds_[state.words[0]]; }
    bool holds(const run::State&, ir::ExprId) override { return false; }

private:
    test::GraphGame graph_;
    std::vector<run::Bounds> bounds_;
    ir::Program program_;
};

// What best play from a node is worth, and the plies to the nearest end that is worth as much.
struct BestPlay {
    double value = 0;
    double plies = no_way;         // of the shortest way to that value; no_way: play goes round for ever
    double plies_to_gain = no_way; // to the nearest end with a utility above 0
};

std::vector<double> distances(const std::vector<GraphNode>& nodes,
                              const std::function<bool(const GraphNode&)>& target) {
    std::vector<double> plies(nodes.size(), no_way);
    for (std::size_t round = 0; round <= nodes.size(); ++round)
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            if (nodes[n].kind == run::NodeKind::Terminal && target(nodes[n])) plies[n] = 0;
            for (const std::size_t child : nodes[n].children) plies[n] = std::min(plies[n], plies[child] + 1);
        }
    return plies;
}

// By passes over all nodes until nothing changes.
std::vector<BestPlay> solve_graph(const std::vector<GraphNode>& nodes) {
    std::vector<BestPlay> truth(nodes.size());
    std::vector<char> ends(nodes.size()); // play from the node is bound to end
    for (std::size_t round = 0; round <= nodes.size(); ++round)
        for (std::size_t n = 0; n < nodes.size(); ++n)
            ends[n] = std::ranges::all_of(nodes[n].children, [&](std::size_t c) { return ends[c] != 0; }) ? 1 : 0;
    const auto gain = distances(nodes, [](const GraphNode& node) { return node.values[0] > 0; });
    for (std::size_t n = 0; n < nodes.size(); ++n) truth[n] = {ends[n] ? -HUGE_VAL : 0, no_way, gain[n]};
    for (std::size_t e = 0; e < nodes.size(); ++e) {
        if (nodes[e].kind != run::NodeKind::Terminal) continue;
        const double value = nodes[e].values[0];
        const auto plies = distances(nodes, [&](const GraphNode& node) { return &node == &nodes[e]; });
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            if (plies[n] == no_way || value < truth[n].value) continue;
            truth[n].plies = value > truth[n].value ? plies[n] : std::min(truth[n].plies, plies[n]);
            truth[n].value = value;
        }
    }
    return truth;
}

struct Puzzle {
    std::vector<GraphNode> nodes;
    std::vector<BestPlay> truth;
    bool cycles = false;
    game::Game game;
};

Puzzle random_puzzle(std::uint64_t seed, bool cycles, bool eval = true) {
    Random random(seed);
    test::RandomGraph shape{.facts = {.players = 1, .zero_sum = false, .eval = eval}};
    shape.ends = 0.15;
    shape.reach = 6;
    std::vector<GraphNode> nodes = random_nodes(shape, random);
    for (GraphNode& node : nodes) {
        if (!cycles) break;
        for (std::size_t& child : node.children)
            if (random.below(3) == 0) child = random.below(static_cast<std::uint32_t>(nodes.size()));
    }
    const auto truth = solve_graph(nodes);
    std::vector<run::Bounds> bounds(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const double most = std::min(truth[n].plies_to_gain, 20.0);
        bounds[n].moves = random.below(4) == 0 ? 0 : most * random.unit();
        if (random.below(3) == 0) bounds[n].moves = truth[n].plies_to_gain; // exact, and infinite if there is no way
        if (random.below(2) == 0) bounds[n].payoff = truth[n].value + (random.below(2) == 0 ? 0 : random.unit());
    }
    game::Game game(std::make_unique<BoundedGraph>(shape.facts, nodes, bounds));
    return {nodes, truth, cycles, std::move(game)};
}

// Whether the line of the result leads to an end worth its value, or goes round.
bool leads_there(const Puzzle& puzzle, const Result& result) {
    std::size_t at = 0;
    std::vector<char> met(puzzle.nodes.size());
    for (const std::uint64_t id : result.pv_ids) {
        met[at] = 1;
        const GraphNode& node = puzzle.nodes[at];
        const auto found = std::ranges::find(node.codes, id);
        if (found == node.codes.end()) return false;
        at = node.children[static_cast<std::size_t>(found - node.codes.begin())];
    }
    const GraphNode& last = puzzle.nodes[at];
    return last.kind == run::NodeKind::Terminal ? last.values[0] == result.value[0]
                                                : met[at] != 0 && result.value[0] == 0;
}

void check_puzzle(Puzzle& puzzle, Method method, bool table) {
    CAPTURE(method_name(method));
    CAPTURE(table);
    const Options options{.table = table, .table_bytes = 1 << 16};
    const Result result = search::search(puzzle.game, puzzle.game.initial(), method, {}, options);
    const BestPlay& truth = puzzle.truth[0];
    REQUIRE_MESSAGE(result.fault.empty(), result.fault);
    CHECK(result.exact);
    CHECK(result.complete);
    REQUIRE(result.value[0] == truth.value);
    if (truth.value > 0) CHECK(static_cast<double>(result.pv_ids.size()) == truth.plies);
    CHECK(leads_there(puzzle, result));
}

} // namespace

TEST_CASE("one player: where play must end all methods find the best end by the shortest way") {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        CAPTURE(seed);
        Puzzle puzzle = random_puzzle(seed, false);
        for (const bool table : {true, false})
            for (const Method method : {Method::AStar, Method::IdaStar, Method::BranchAndBound})
                check_puzzle(puzzle, method, table);
    }
}

TEST_CASE("one player: where play can go round, too, and it may be best never to end") {
    std::size_t endless = 0, lost = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        CAPTURE(seed);
        Puzzle puzzle = random_puzzle(seed, true);
        endless += puzzle.truth[0].plies == no_way ? 1 : 0;
        lost += puzzle.truth[0].value < 0 ? 1 : 0;
        check_puzzle(puzzle, Method::AStar, true);
        check_puzzle(puzzle, Method::BranchAndBound, true);
        // It has no end where less is to be had than there might be.
        if (puzzle.truth[0].value == 1) {
            check_puzzle(puzzle, Method::IdaStar, true);
            check_puzzle(puzzle, Method::IdaStar, false);
        }
    }
    CHECK(endless > 0);
    CHECK(lost > 0);
}

TEST_CASE("one player: a depth leaves longer lines out, and what is beyond it is not proven") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        Puzzle puzzle = random_puzzle(seed, seed % 2 == 0, false);
        const BestPlay& truth = puzzle.truth[0];
        if (!(truth.value > 0) || truth.plies < 2) continue;
        for (const Method method : {Method::AStar, Method::IdaStar, Method::BranchAndBound}) {
            CAPTURE(method_name(method));
            if (puzzle.cycles && method == Method::IdaStar) continue; // as above
            Limits limits;
            limits.depth = static_cast<int>(truth.plies);
            const Result enough = search::search(puzzle.game, puzzle.game.initial(), method, limits);
            CHECK(enough.complete);
            CHECK(enough.value[0] == truth.value);
            --limits.depth;
            const Result less = search::search(puzzle.game, puzzle.game.initial(), method, limits);
            CHECK(less.complete);
            CHECK(!less.exact);
        }
    }
}

TEST_CASE("one player: limits stop the searches, which then have a line") {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        CAPTURE(seed);
        Puzzle puzzle = random_puzzle(seed, true);
        for (const Method method : {Method::AStar, Method::IdaStar, Method::BranchAndBound}) {
            CAPTURE(method_name(method));
            for (const std::uint64_t nodes : {1U, 2U, 3U, 5U, 8U, 13U}) {
                Limits limits;
                limits.nodes = nodes;
                const Result result = search::search(puzzle.game, puzzle.game.initial(), method, limits);
                CAPTURE(nodes);
                CHECK(result.nodes <= nodes);
                CHECK(result.fault.empty());
                if (nodes > 2) CHECK(!result.pv_ids.empty()); // before that no move may have been made
            }
        }
    }
}

TEST_CASE("one player: the methods refuse games that they can't search") {
    const game::Traits two{.players = 2, .zero_sum = true};
    const game::Traits chance{.players = 1, .chance = true};
    const game::Traits past{.players = 1, .has_history = true};
    for (const Method method : {Method::AStar, Method::IdaStar, Method::BranchAndBound}) {
        CHECK(refusal(method, two) ==
              std::string(method_name(method)) + " is for one player, and this game has 2; use alphabeta");
        CHECK(refusal(method, chance) ==
              std::string(method_name(method)) + " can't search a game with chance events; use expectimax");
        CHECK(refusal(method, past).empty() == (method != Method::AStar));
    }
}
