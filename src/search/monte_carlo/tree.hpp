#pragma once
// The tree of a Monte-Carlo search, in one block of memory whose size never changes: nodes grow from its beginning, the
// moves of nodes (edges) from its end. When they meet the tree is full, and stays as it is until the next search drops
// what can't be reached any more. With a table from hashes to nodes it is a graph, which may have cycles.
//
// Threads share it without locks. A node is complete before the table or an edge shows it; its edges are complete
// before its stage says so. The rest are numbers as in shared_number.hpp.
//
// Values are utilities on the rule file's scale. Where one number says it all (leaf.hpp: scalar) only the first
// player's are stored, else those of each player.

#include "base/zeroed_array.hpp"
#include "game/game.hpp"
#include "search/monte_carlo/shared_number.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace zug::search {

using NodeId = std::uint32_t; // from 1
inline constexpr NodeId no_node = 0;

// A move, or an outcome of chance.
struct Edge {
    std::uint64_t id = 0;
    NodeId child = no_node; // with closed_bit: need not be visited again
    std::uint32_t visits = 0;
    // For the player who moves: the mean; once closed what is proven, or minus infinity if another move is no worse. Of
    // an outcome of chance: its probability.
    double value = 0;
    // The shared value, and how many visits it stands for: rapid action values, or the evaluation.
    float shared_visits = 0;
    float shared_value = 0;
};
static_assert(sizeof(Edge) == 32);
inline constexpr NodeId closed_bit = NodeId{1} << 31;

struct Node {
    enum class Stage : std::uint8_t { Leaf, Expanding, Expanded };

    std::uint64_t key = 0;
    std::uint32_t first_edge = 0;
    std::uint32_t edges = 0;
    std::uint32_t visits = 0;
    std::uint16_t height = 0; // plies to the end that proves the value, once it is proven
    game::NodeKind kind = game::NodeKind::Decision;
    std::uint8_t stage = 0; // a Stage
    std::uint8_t mover = 0;
    bool sampled = false; // a chance node whose outcomes are not listed
};
static_assert(sizeof(Node) == 32);

class Tree {
public:
    // At most so many bytes; `values` numbers are a value, `words` a state. `histories`: states have a past, which
    // counts as about 200 bytes.
    Tree(std::size_t bytes, std::uint32_t values, std::uint32_t words, bool histories);

    Node& operator[](NodeId id) { return *reinterpret_cast<Node*>(record(id)); }
    const Node& operator[](NodeId id) const { return *reinterpret_cast<const Node*>(record(id)); }
    std::span<double> sums(NodeId id) { return {numbers(id), values_}; }
    std::span<double> lower(NodeId id) { return {numbers(id) + values_, values_}; }
    std::span<double> upper(NodeId id) { return {numbers(id) + 2 * values_, values_}; }
    // Whether each value lies between two equal bounds.
    bool exact(NodeId id);
    std::span<Edge> edges(const Node& node) {
        return {reinterpret_cast<Edge*>(end()) - node.first_edge - node.edges, node.edges};
    }
    bool expanded(const Node& node) const { return acquire(node.stage) == std::uint8_t(Node::Stage::Expanded); }
    NodeId child(const Edge& edge) const { return acquire(edge.child) & ~closed_bit; }
    static bool closed(const Edge& edge) { return (load(edge.child) & closed_bit) != 0; }
    void load_state(NodeId id, game::State& out) const;

    NodeId find(std::uint64_t key) const;
    // A new node with nothing but these; or the one of another thread that came first. none: the tree is full.
    NodeId add(const Node& node, const game::State& state, std::span<const double> lower,
               std::span<const double> upper);
    // Room for so many edges in a node that this thread has claimed for expansion. False: the tree is full.
    bool add_edges(Node& node, std::size_t count);
    static void show_edges(Node& node) { publish(node.stage, std::uint8_t(Node::Stage::Expanded)); }
    static bool claim_expansion(Node& node) {
        return claim(node.stage, std::uint8_t(Node::Stage::Leaf), std::uint8_t(Node::Stage::Expanding));
    }

    // By one thread, between searches.
    void clear();
    // Drops all that can't be reached from there, and returns where that is now.
    NodeId keep_only(NodeId root);

    std::uint32_t size() const { return static_cast<std::uint32_t>(load(used_)); }
    std::size_t bytes() const { return bytes(load(used_)); }
    std::size_t capacity() const { return block_.size(); }

private:
    std::byte* end() { return block_.data() + block_.size(); }
    std::byte* record(NodeId id) { return block_.data() + std::size_t(id - 1) * record_bytes_; }
    const std::byte* record(NodeId id) const { return block_.data() + std::size_t(id - 1) * record_bytes_; }
    double* numbers(NodeId id) { return reinterpret_cast<double*>(record(id) + sizeof(Node)); }
    std::uint64_t* words(NodeId id) { return reinterpret_cast<std::uint64_t*>(numbers(id) + 3 * values_); }
    std::size_t bytes(std::uint64_t used) const {
        return static_cast<std::uint32_t>(used) * record_bytes_ + (used >> 32) * sizeof(Edge);
    }
    bool take(std::uint64_t more, std::uint64_t& before);
    NodeId insert(std::uint64_t key, NodeId id);
    std::vector<NodeId> reachable(NodeId root);
    void slide_edges(std::span<const NodeId> kept);

    std::uint32_t values_, words_;
    bool histories_;
    std::size_t record_bytes_;
    ZeroedArray<std::byte> block_;
    ZeroedArray<NodeId> table_; // open addressing; at most half full
    std::vector<std::shared_ptr<const run::HistoryNode>> pasts_;
    std::uint32_t most_nodes_ = 0;
    std::uint64_t used_ = 0; // nodes, and edges in the upper half: both sides of the block change together
};

} // namespace zug::search
