#pragma once
// Games written in C++ for the tests of everything that stands on game::Game, so that these tests need no rule file: an
// explicit graph of nodes with any number of players and chance, random graphs, tic-tac-toe, Nim and a game without
// end.

#include "game/game.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace zug::test {

using run::MoveList;
using run::NodeKind;
using run::State;

struct Facts {
    std::uint32_t players = 2;
    bool chance = false, zero_sum = true, eval = false;
    double lo = -1, hi = 1;
    bool shares = false;                   // what one player gets beyond `lo` the others don't: utilities have a sum
    std::vector<std::uint32_t> teams = {}; // by player; empty: everyone plays alone

    std::uint32_t team_of(std::uint32_t player) const { return teams.empty() ? player : teams[player]; }
};

inline constexpr std::uint64_t code_count = 1 << 16; // of moves, and again of chance events

// A program that says no more than what the layers above ask for: players, the range of the payoffs, names for moves.
// A move is written as its number, a chance event as `event` and its number.
inline ir::Program make_program(const Facts& facts) {
    ir::Program program;
    program.title = "Test";
    for (std::uint32_t p = 0; p < facts.players; ++p) program.players.push_back("P" + std::to_string(p));
    program.player_type = program.types.player(facts.players);
    program.teams = facts.teams;
    const auto constant = [&](ir::Op op, ir::TypeId type, std::int64_t imm) {
        ir::Expr expr;
        expr.op = op;
        expr.type = type;
        expr.imm = imm;
        return program.exprs.push(expr);
    };
    const auto real = [&](double value) {
        return constant(ir::Op::RealConst, program.types.real(), std::bit_cast<std::int64_t>(value));
    };
    const auto end = [&](double value) {
        ir::EndClause clause;
        clause.condition = constant(ir::Op::Const, program.types.boolean(), 1);
        for (std::uint32_t p = 0; p < facts.players; ++p)
            clause.payoffs.push_back(real(facts.zero_sum && facts.team_of(p) == 1 ? -value : value));
        program.ends.push_back(clause);
    };
    if (!facts.shares) end(facts.lo);
    if (!facts.shares) end(facts.hi);
    for (std::uint32_t winner = 0; facts.shares && winner < facts.players; ++winner) {
        ir::EndClause clause;
        clause.condition = constant(ir::Op::Const, program.types.boolean(), 1);
        for (std::uint32_t p = 0; p < facts.players; ++p)
            clause.payoffs.push_back(real(p == winner ? facts.hi : facts.lo));
        program.ends.push_back(clause);
    }
    const auto rule = [&](const char* name, bool chance, std::uint64_t first) {
        ir::Rule added;
        added.name = name;
        added.chance = chance;
        const auto type = program.types.integer(0, static_cast<std::int64_t>(code_count) - 1);
        added.params.push_back(program.vars.push({"n", type}));
        added.first_code = first;
        added.code_count = code_count;
        program.rules.push(added);
    };
    rule("move", false, 0);
    if (facts.chance) rule("event", true, code_count);
    program.code_count = code_count * program.rules.size();
    if (facts.eval)
        for (std::uint32_t p = 0; p < facts.players; ++p) program.evals.push_back(real(0));
    return program;
}

// What the games below have in common. Their states are a few words and nothing else; as slots, these come after who is
// to move.
class TestExecutor : public run::Executor {
public:
    explicit TestExecutor(const Facts& facts) : program_(make_program(facts)) {}
    std::unique_ptr<run::Executor> clone() const override { return nullptr; } // most have no use for it
    const ir::Program& program() const override { return program_; }
    std::string_view name() const override { return "test"; }
    void store(const State& state, std::vector<std::uint32_t>& slots) const override {
        slots = {to_move(state)};
        for (const auto word : state.words) slots.push_back(static_cast<std::uint32_t>(word));
    }
    void load(std::span<const std::uint32_t> slots, State& out) const override {
        out.words.assign(slots.begin() + 1, slots.end());
    }
    NodeKind kind(const State& state) override {
        MoveList moves;
        return expand(state, moves);
    }
    void evals(const State&, std::span<double> out) override { std::ranges::fill(out, 0.0); }
    bool holds(const State&, ir::ExprId) override { return false; }
    std::uint64_t hash(const State& state) const override {
        std::uint64_t sum = 0;
        for (const auto word : state.words) {
            std::uint64_t x = sum ^ word;
            sum = splitmix64(x);
        }
        return sum;
    }

protected:
    NodeKind fail(run::FaultKind kind, std::string what) {
        fault_.emplace();
        fault_->kind = kind;
        fault_->what = std::move(what);
        fault_->slots.assign(program_.total_slots(), 0); // some position: reports show one
        return NodeKind::Fault;
    }

private:
    ir::Program program_;
};

// A node of an explicit game. Children are nodes; several parents may share a child.
struct GraphNode {
    NodeKind kind = NodeKind::Terminal;
    std::uint32_t mover = 0;
    std::vector<std::size_t> children{};
    std::vector<std::uint64_t> codes{}; // of the moves or events; empty: 0, 1, ...
    std::vector<double> weights{};      // of a chance node
    std::vector<double> values{};       // by player: payoffs at an end, evaluation elsewhere
};

class GraphGame final : public TestExecutor {
public:
    GraphGame(const Facts& facts, std::vector<GraphNode> nodes) : TestExecutor(facts), nodes_(std::move(nodes)) {}
    std::unique_ptr<run::Executor> clone() const override { return std::make_unique<GraphGame>(*this); }
    void initial(State& out) const override { out.words.assign(1, 0); }
    std::uint32_t to_move(const State& state) const override { return node(state).mover; }
    NodeKind expand(const State& state, MoveList& moves) override {
        moves.clear();
        const GraphNode& here = node(state);
        if (here.kind == NodeKind::Fault) return fail(run::FaultKind::OutOfRange, "a node that fails");
        for (std::size_t i = 0; i < here.children.size(); ++i) {
            const std::uint64_t code = here.codes.empty() ? i : here.codes[i];
            if (here.kind == NodeKind::Chance)
                moves.add(code_count + code, here.weights[i]);
            else
                moves.add(code);
        }
        return here.kind;
    }
    bool successor(const State& state, const MoveList&, std::size_t i, State& out) override {
        out.words.assign(1, node(state).children[i]);
        return true;
    }
    bool payoffs(const State& state, std::span<double> out) override {
        copy(state, out);
        return true;
    }
    void evals(const State& state, std::span<double> out) override { copy(state, out); }

private:
    const GraphNode& node(const State& state) const { return nodes_[state.words[0]]; }
    void copy(const State& state, std::span<double> out) const { std::ranges::copy(node(state).values, out.begin()); }
    std::vector<GraphNode> nodes_;
};

// The textbook tree: the first player chooses a group, the second one of its leaves; payoffs are the first player's.
// Node 0 is the root, then come the groups, then the leaves, so leaf k of group g is reached by the moves g, k.
inline game::Game two_ply_tree(const std::vector<std::vector<double>>& groups) {
    Facts facts{.lo = -20, .hi = 20};
    std::vector<GraphNode> nodes(1 + groups.size());
    nodes[0].kind = NodeKind::Decision;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        nodes[0].children.push_back(1 + g);
        nodes[1 + g].kind = NodeKind::Decision;
        nodes[1 + g].mover = 1;
        for (const double leaf : groups[g]) {
            nodes[1 + g].children.push_back(nodes.size());
            nodes.push_back({.values = {leaf, -leaf}});
        }
    }
    return game::Game(std::make_unique<GraphGame>(facts, std::move(nodes)));
}

struct RandomGraph {
    Facts facts;
    std::size_t nodes = 40;
    std::size_t reach = 8; // a child is at most so many nodes further on: lines of different lengths meet
    std::uint32_t branching = 3;
    double ends = 0.1, events = 0; // how many nodes are ends, and chance nodes
    bool fine = false;             // any real payoffs; else whole numbers, so that ties are common
};

inline std::vector<double> random_values(const Facts& facts, bool fine, bool inside, Random& random) {
    std::vector<double> values(facts.players);
    if (facts.shares) {
        constexpr int shares = 6;
        std::ranges::fill(values, facts.lo);
        for (int i = 0; i < shares; ++i) values[random.below(facts.players)] += (facts.hi - facts.lo) / shares;
        return values;
    }
    const double shrink = inside ? 0.9 : 1;
    for (double& value : values) {
        const double unit = fine ? random.unit() : random.below(7) / 6.0;
        value = shrink * (facts.lo + unit * (facts.hi - facts.lo));
    }
    if (facts.players == 2 && facts.zero_sum) values[1] = -values[0];
    for (std::uint32_t p = 0; !facts.teams.empty() && p < facts.players; ++p) {
        const double of_team =
            values[static_cast<std::size_t>(std::ranges::find(facts.teams, facts.teams[p]) - facts.teams.begin())];
        if (!inside) values[p] = facts.zero_sum ? (facts.teams[p] == 0 ? values[0] : -values[0]) : of_team;
    }
    return values;
}

inline std::vector<GraphNode> random_nodes(const RandomGraph& shape, Random& random) {
    std::vector<GraphNode> nodes(shape.nodes);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        GraphNode& node = nodes[n];
        node.mover = random.below(shape.facts.players);
        const bool last = n + 1 == nodes.size();
        const bool end = last || (n > 0 && random.unit() < shape.ends);
        node.values = random_values(shape.facts, shape.fine, !end, random);
        if (end) continue;
        node.kind = random.unit() < shape.events ? NodeKind::Chance : NodeKind::Decision;
        const std::uint32_t children = 1 + random.below(shape.branching);
        std::vector<std::uint64_t> codes(children);
        for (std::uint32_t i = 0; i < children; ++i) {
            const auto furthest = static_cast<std::uint32_t>(std::min(shape.reach, nodes.size() - 1 - n));
            node.children.push_back(n + 1 + random.below(furthest));
            node.weights.push_back(1 + random.below(5));
            codes[i] = i * 7 + random.below(7); // ascending or not, but different
        }
        for (std::size_t i = children; i > 1; --i)
            std::swap(codes[i - 1], codes[random.below(static_cast<std::uint32_t>(i))]);
        node.codes = codes;
    }
    return nodes;
}

inline game::Game random_graph(const RandomGraph& shape, std::uint64_t seed) {
    Random random(seed);
    return game::Game(std::make_unique<GraphGame>(shape.facts, random_nodes(shape, random)));
}

class TicTacToe final : public TestExecutor {
public:
    TicTacToe() : TestExecutor({}) {}
    void initial(State& out) const override { out.words.assign(2, 0); }
    std::uint32_t to_move(const State& state) const override {
        return static_cast<std::uint32_t>(std::popcount(state.words[0] | state.words[1])) % 2;
    }
    NodeKind kind(const State& state) override {
        const bool full = (state.words[0] | state.words[1]) == 0x1FF;
        return full || line(state.words[0]) || line(state.words[1]) ? NodeKind::Terminal : NodeKind::Decision;
    }
    NodeKind expand(const State& state, MoveList& moves) override {
        moves.clear();
        if (kind(state) == NodeKind::Terminal) return NodeKind::Terminal;
        for (std::uint64_t rest = 0x1FF & ~(state.words[0] | state.words[1]); rest != 0; rest &= rest - 1)
            moves.add(static_cast<std::uint64_t>(std::countr_zero(rest)));
        return NodeKind::Decision;
    }
    bool successor(const State& state, const MoveList& moves, std::size_t i, State& out) override {
        out.words = state.words;
        out.words[to_move(state)] |= std::uint64_t{1} << moves.id(i);
        return true;
    }
    bool payoffs(const State& state, std::span<double> out) override {
        out[0] = line(state.words[0]) ? 1 : line(state.words[1]) ? -1 : 0;
        out[1] = -out[0];
        return true;
    }
    std::uint64_t hash(const State& state) const override {
        std::uint64_t x = state.words[0] << 9 | state.words[1];
        return splitmix64(x);
    }

private:
    static bool line(std::uint64_t men) {
        for (const std::uint64_t three : {0007U, 0070U, 0700U, 0111U, 0222U, 0444U, 0421U, 0124U})
            if ((men & three) == three) return true;
        return false;
    }
};

// Any number of players; whoever takes the last object wins 1, the others lose 1 / (n - 1) each.
class Nim final : public TestExecutor {
public:
    Nim(std::vector<std::uint64_t> heaps, std::uint32_t players = 2)
        : TestExecutor({.players = players, .zero_sum = players == 2}), heaps_(std::move(heaps)), players_(players) {}
    void initial(State& out) const override {
        out.words.assign(heaps_.begin(), heaps_.end());
        out.words.push_back(0);
    }
    std::uint32_t to_move(const State& state) const override { return static_cast<std::uint32_t>(state.words.back()); }
    NodeKind expand(const State& state, MoveList& moves) override {
        moves.clear();
        for (std::size_t h = 0; h < heaps_.size(); ++h)
            for (std::uint64_t n = 1; n <= state.words[h]; ++n) moves.add(h * 100 + n);
        return moves.empty() ? NodeKind::Terminal : NodeKind::Decision;
    }
    bool successor(const State& state, const MoveList& moves, std::size_t i, State& out) override {
        out.words = state.words;
        out.words[moves.id(i) / 100] -= moves.id(i) % 100;
        out.words.back() = (state.words.back() + 1) % players_;
        return true;
    }
    bool payoffs(const State& state, std::span<double> out) override {
        std::ranges::fill(out, -1.0 / (players_ - 1));
        out[(state.words.back() + players_ - 1) % players_] = 1;
        return true;
    }

private:
    std::vector<std::uint64_t> heaps_;
    std::uint32_t players_;
};

// Two players step round a ring of n cells for ever. `branching` moves each; slow on request, so that time limits
// matter.
class Endless final : public TestExecutor {
public:
    explicit Endless(std::uint64_t size, std::function<void()> at_expand = {})
        : TestExecutor({.eval = true}), size_(size), at_expand_(std::move(at_expand)) {}
    void initial(State& out) const override { out.words.assign(2, 0); }
    std::uint32_t to_move(const State& state) const override { return static_cast<std::uint32_t>(state.words[1]); }
    NodeKind kind(const State&) override { return NodeKind::Decision; }
    NodeKind expand(const State&, MoveList& moves) override {
        if (at_expand_) at_expand_();
        moves.clear();
        for (std::uint64_t i = 1; i <= 3; ++i) moves.add(i);
        return NodeKind::Decision;
    }
    bool successor(const State& state, const MoveList& moves, std::size_t i, State& out) override {
        out.words = state.words;
        out.words[0] = (state.words[0] * 3 + moves.id(i)) % size_;
        out.words[1] = 1 - state.words[1];
        return true;
    }
    bool payoffs(const State&, std::span<double> out) override {
        std::ranges::fill(out, 0.0);
        return true;
    }
    void evals(const State& state, std::span<double> out) override {
        out[0] = static_cast<double>(state.words[0]) / static_cast<double>(size_) - 0.5;
        out[1] = -out[0];
    }

private:
    std::uint64_t size_;
    std::function<void()> at_expand_;
};

} // namespace zug::test
