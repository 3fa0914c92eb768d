// How a worker adds nodes and moves to the tree.

#include "search/monte_carlo/worker.hpp"

#include <algorithm>
#include <limits>

namespace zug::search {

using game::Next;
using game::NodeKind;

NodeId Worker::fail() {
    budget_.fail(game_.fault_text());
    game_.clear_fault();
    return no_node;
}

std::uint64_t Worker::key_of(const game::State& state) {
    line_.start(state);
    return line_.hash(0);
}

// Without transpositions a node's key is that of its line.
std::uint64_t Worker::child_key(std::uint64_t parent, std::uint64_t edge, std::uint64_t hash) const {
    if (plan_.options.transpositions != Sharing::None) return hash;
    std::uint64_t mixed = parent ^ (edge + 1) * 0x9E3779B97F4A7C15;
    return splitmix64(mixed) ^ hash;
}

NodeId Worker::add_root(const game::State& state, std::uint64_t key) {
    bool fresh = false;
    line_.start(state);
    return add_node(key, 0, fresh);
}

// The node of the position at that ply of the line, or none: the tree is full, or a rule failed.
NodeId Worker::add_node(std::uint64_t key, int ply, bool& fresh) {
    if (const NodeId there = tree_.find(key); there != no_node) {
        ++counts_.transpositions;
        return there;
    }
    Node node;
    node.key = key;
    node.kind = line_.kind(ply);
    node.mover = static_cast<std::uint8_t>(line_.mover(ply));
    PlayerValues lower{}, upper{};
    if (node.kind == NodeKind::Fault) return fail();
    for (std::uint32_t p = 0; p < utilities_.stored(); ++p) {
        lower[p] = utilities_.lowest(p);
        upper[p] = utilities_.highest(p);
    }
    if (node.kind == NodeKind::Terminal) {
        if (!line_.payoffs(ply, std::span(lower).first(utilities_.players()))) return fail();
        upper = lower;
        ++counts_.proven;
    }
    const std::span lows = std::span(lower).first(utilities_.stored());
    const std::span highs = std::span(upper).first(utilities_.stored());
    const NodeId id = tree_.add(node, line_.state(ply), lows, highs);
    fresh = id != no_node;
    full_ = !fresh;
    if (fresh) ++counts_.nodes;
    return id;
}

NodeId Worker::make_child(NodeId id, Edge& edge, bool& fresh) {
    const Node& node = tree_[id];
    tree_.load_state(id, state_);
    line_.start(state_);
    if (line_.list(0) == NodeKind::Fault) return fail();
    const game::MoveList& moves = line_.moves(0);
    auto i = static_cast<std::size_t>(&edge - tree_.edges(node).data());
    if (i >= moves.size() || moves.id(i) != edge.id) i = moves.find(edge.id).value_or(moves.size());
    if (i == moves.size() || line_.make(0, i) == Next::Fault) return fail();
    const NodeId child = add_node(child_key(node.key, edge.id, line_.hash(1)), 1, fresh);
    if (child != no_node)
        claim(edge.child, no_node, child);
    else if (!budget_.stopped())
        state_ = line_.state(1);
    return child;
}

// An outcome of a chance node that has too many to list, drawn by the executor.
NodeId Worker::sample_child(NodeId id, bool& fresh) {
    tree_.load_state(id, state_);
    const game::PlayoutResult result = game_.playout(state_, random_, 1);
    if (result.plies != 1) return fail();
    line_.start(state_);
    return add_node(child_key(tree_[id].key, 0, line_.hash(0)), 0, fresh);
}

bool Worker::expand(NodeId id) {
    Node& node = tree_[id];
    if (full_ || !Tree::claim_expansion(node)) return false;
    tree_.load_state(id, state_);
    line_.start(state_);
    const NodeKind kind = line_.list(0);
    const game::MoveList& moves = line_.moves(0);
    if (kind == NodeKind::Fault || moves.empty()) {
        fail();
        return false;
    }
    node.sampled = kind == NodeKind::Chance && moves.size() > plan_.options.outcomes;
    if (!node.sampled && !tree_.add_edges(node, moves.size())) {
        publish(node.stage, static_cast<std::uint8_t>(Node::Stage::Leaf));
        full_ = true;
        return false;
    }
    ++counts_.expanded;
    if (!node.sampled && !fill_edges(id)) return false;
    Tree::show_edges(node);
    if (!node.sampled && plan_.options.proof && update_bounds(tree_, id, utilities_) && tree_.exact(id))
        ++counts_.proven;
    return true;
}

// The edges of the moves that the line has listed at ply 0. False: a rule failed.
bool Worker::fill_edges(NodeId id) {
    const Node& node = tree_[id];
    const game::MoveList& moves = line_.moves(0);
    const std::span<Edge> edges = tree_.edges(node);
    const bool chance = node.kind == NodeKind::Chance;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        edges[i] = {};
        edges[i].id = moves.id(i);
        if (chance) edges[i].value = moves.probability(i);
    }
    if (plan_.evaluates() && !evaluate_children(id)) return false;
    return chance || !plan_.options.proof || end_children(id);
}

// Makes nodes of the moves that end the game, which the executor finds without a list of the others.
bool Worker::end_children(NodeId id) {
    const Node& node = tree_[id];
    const std::span<Edge> edges = tree_.edges(node);
    std::uint64_t skips = std::numeric_limits<std::uint32_t>::max(), left = skips;
    std::size_t i = 0;
    for (Next at = line_.first(0, left); at != Next::None; at = line_.next(0, left), ++i) {
        if (at == Next::Fault) {
            fail();
            return false;
        }
        i += skips - left;
        skips = left;
        if (at != Next::Terminal || i >= edges.size()) continue;
        bool fresh = false;
        edges[i].child = add_node(child_key(node.key, edges[i].id, line_.hash(1)), 1, fresh);
        if (budget_.stopped()) return false;
    }
    return true;
}

// What the evaluation says of each move, in the view of who makes it; of outcomes in that of the first player.
bool Worker::evaluate_children(NodeId id) {
    const Node& node = tree_[id];
    const std::span<Edge> edges = tree_.edges(node);
    const std::uint32_t viewer = node.kind == NodeKind::Chance ? 0 : node.mover;
    PlayerValues room;
    const std::span values = std::span(room).first(utilities_.players());
    std::size_t i = 0;
    for (Next at = line_.first(0); at != Next::None && i < edges.size(); at = line_.next(0), ++i) {
        if (at == Next::Fault) {
            fail();
            return false;
        }
        if (at == Next::Terminal) {
            if (!terminal_values(line_, 1, values)) {
                fail();
                return false;
            }
        } else {
            static_values(line_, 1, game_.traits(), values);
        }
        edges[i].shared_value = static_cast<float>(values[viewer]);
        edges[i].shared_visits = static_cast<float>(plan_.options.prior);
    }
    budget_.made(edges.size());
    return true;
}

} // namespace zug::search
