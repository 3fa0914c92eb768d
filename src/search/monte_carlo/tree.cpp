#include "search/monte_carlo/tree.hpp"

#include "base/copy_words.hpp"

#include <algorithm>
#include <bit>

namespace zug::search {

namespace {
constexpr std::size_t past_bytes = 200; // of a state with a history, beyond its words
constexpr std::size_t least_bytes = 1 << 16;
constexpr std::size_t most_nodes = closed_bit - 1;
} // namespace

Tree::Tree(std::size_t bytes, std::uint32_t values, std::uint32_t words, bool histories)
    : values_(values), words_(words), histories_(histories),
      record_bytes_(sizeof(Node) + 3 * values * sizeof(double) + words * sizeof(std::uint64_t)) {
    bytes = std::max(bytes, least_bytes);
    // An edge leads to each node; the table has two to four slots a node.
    const std::size_t of_node = record_bytes_ + sizeof(Edge) + (histories ? past_bytes : 0);
    most_nodes_ = static_cast<std::uint32_t>(std::min(bytes / (of_node + 4 * sizeof(NodeId)), most_nodes));
    const std::size_t slots = std::bit_ceil(std::size_t{2} * most_nodes_);
    const std::size_t of_pasts = histories ? past_bytes * most_nodes_ : 0;
    const std::size_t left = bytes - slots * sizeof(NodeId) - of_pasts;
    block_ = ZeroedArray<std::byte>(left / 64 * 64);
    table_ = ZeroedArray<NodeId>(slots);
    if (histories) pasts_.resize(most_nodes_ + 1);
    if (block_.size() == 0 || table_.size() == 0) most_nodes_ = 0; // no memory: a tree that is always full
}

bool Tree::exact(NodeId id) {
    const auto lows = lower(id), highs = upper(id);
    for (std::size_t k = 0; k < values_; ++k)
        if (load(lows[k]) < load(highs[k])) return false;
    return true;
}

void Tree::load_state(NodeId id, game::State& out) const {
    const std::uint64_t* const from = const_cast<Tree*>(this)->words(id);
    out.words.resize(words_);
    copy_words(from, words_, out.words.data());
    if (histories_) out.history = pasts_[id];
}

NodeId Tree::find(std::uint64_t key) const {
    if (most_nodes_ == 0) return no_node;
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = key & mask;; at = (at + 1) & mask) {
        const NodeId id = acquire(table_[at]);
        if (id == no_node || (*this)[id].key == key) return id;
    }
}

// Takes room for nodes or edges. False: there is none.
bool Tree::take(std::uint64_t more, std::uint64_t& before) {
    before = load(used_);
    while (bytes(before + more) <= block_.size() && static_cast<std::uint32_t>(before + more) <= most_nodes_) {
        if (claim(used_, before, before + more)) return true;
        before = load(used_);
    }
    return false;
}

NodeId Tree::add(const Node& node, const game::State& state, std::span<const double> lower,
                 std::span<const double> upper) {
    std::uint64_t before = 0;
    if (!take(1, before)) return no_node;
    const NodeId id = static_cast<NodeId>(before) + 1;
    (*this)[id] = node;
    std::ranges::fill(sums(id), 0.0);
    std::ranges::copy(lower, this->lower(id).begin());
    std::ranges::copy(upper, this->upper(id).begin());
    copy_words(state.words.data(), words_, words(id));
    if (histories_) pasts_[id] = state.history;
    return insert(node.key, id);
}

// The node of another thread that came first is the one to use; this thread's own stays unused until it is dropped.
NodeId Tree::insert(std::uint64_t key, NodeId id) {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = key & mask;; at = (at + 1) & mask) {
        if (claim(table_[at], no_node, id)) return id;
        const NodeId other = acquire(table_[at]);
        if ((*this)[other].key == key) return other;
    }
}

bool Tree::add_edges(Node& node, std::size_t count) {
    std::uint64_t before = 0;
    if (count > (UINT32_MAX >> 2) || !take(std::uint64_t{count} << 32, before)) return false;
    node.first_edge = static_cast<std::uint32_t>(before >> 32);
    node.edges = static_cast<std::uint32_t>(count);
    return true;
}

// Only the slots in use are touched, so that clearing a small tree costs little however large it may grow.
void Tree::clear() {
    const std::size_t mask = table_.size() - 1;
    for (NodeId id = 1; id <= size(); ++id) {
        for (std::size_t at = (*this)[id].key & mask; table_[at] != no_node; at = (at + 1) & mask) table_[at] = no_node;
        if (histories_) pasts_[id].reset();
    }
    used_ = 0;
}

std::vector<NodeId> Tree::reachable(NodeId root) {
    std::vector<char> seen(size() + 1, 0);
    std::vector<NodeId> found{root};
    seen[root] = 1;
    for (std::size_t k = 0; k < found.size(); ++k) {
        const Node& node = (*this)[found[k]];
        if (!expanded(node)) continue;
        for (const Edge& edge : edges(node)) {
            const NodeId to = child(edge);
            if (to == no_node || seen[to] != 0) continue;
            seen[to] = 1;
            found.push_back(to);
        }
    }
    std::ranges::sort(found);
    return found;
}

// Edges move towards the end of the block, those nearest to it first, so that none is overwritten before it has moved.
void Tree::slide_edges(std::span<const NodeId> kept) {
    std::vector<NodeId> order;
    for (const NodeId id : kept)
        if (expanded((*this)[id]) && (*this)[id].edges > 0) order.push_back(id);
    std::ranges::sort(order, {}, [&](NodeId id) { return (*this)[id].first_edge; });
    std::uint32_t used = 0;
    for (const NodeId id : order) {
        Node& node = (*this)[id];
        const std::span<Edge> from = edges(node);
        node.first_edge = used;
        std::copy_backward(from.begin(), from.end(), edges(node).end());
        used += node.edges;
    }
    used_ = std::uint64_t{used} << 32 | size();
}

NodeId Tree::keep_only(NodeId root) {
    const std::vector<NodeId> kept = reachable(root);
    std::vector<NodeId> moved(size() + 1, no_node);
    for (std::size_t k = 0; k < kept.size(); ++k) moved[kept[k]] = static_cast<NodeId>(k + 1);
    slide_edges(kept);
    std::ranges::fill(std::span(table_.data(), table_.size()), no_node);
    for (const NodeId from : kept) {
        const NodeId to = moved[from];
        std::copy_n(record(from), from == to ? 0 : record_bytes_, record(to));
        if (histories_ && from != to) pasts_[to] = std::move(pasts_[from]);
    }
    for (std::size_t id = kept.size() + 1; histories_ && id <= size(); ++id) pasts_[id].reset();
    used_ = (used_ >> 32) << 32 | kept.size();
    for (NodeId id = 1; id <= size(); ++id) {
        Node& node = (*this)[id];
        insert(node.key, id);
        if (!expanded(node)) continue;
        for (Edge& edge : edges(node))
            if (edge.child != no_node) edge.child = moved[edge.child & ~closed_bit] | (edge.child & closed_bit);
    }
    return moved[root];
}

} // namespace zug::search
