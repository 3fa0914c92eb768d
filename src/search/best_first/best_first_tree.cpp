#include "search/best_first/best_first_tree.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace zug::search {

BestFirstTree::BestFirstTree(std::size_t bytes)
    : nodes_(std::clamp<std::size_t>(bytes / sizeof(Node), 1, std::numeric_limits<Id>::max())) {}

void BestFirstTree::begin(const Node& node) {
    nodes_[root] = node;
    size_ = 1;
}

std::span<BestFirstTree::Node> BestFirstTree::room_for(std::size_t count) {
    if (size_ + count > nodes_.size()) return {};
    const std::span<Node> room{nodes_.data() + size_, count};
    std::ranges::fill(room, Node{});
    return room;
}

void BestFirstTree::adopt(Id parent, std::size_t count) {
    nodes_[parent].first_child = static_cast<Id>(size_);
    nodes_[parent].children = static_cast<std::uint32_t>(count);
    size_ += count;
}

void BestFirstTree::back_up(Id id) {
    while (true) {
        update(nodes_[id]);
        if (id == root) return;
        id = nodes_[id].parent;
    }
}

void BestFirstTree::update(Node& node) {
    const std::span<const Node> below = children(node);
    const bool first = node.side == 0;
    const auto best = [&](double Node::*number) {
        double found = below.front().*number;
        for (const Node& child : below) found = first ? std::max(found, child.*number) : std::min(found, child.*number);
        return found;
    };
    node.value = best(&Node::value);
    node.low = best(&Node::low);
    node.high = best(&Node::high);
    node.pessimistic = best(&Node::pessimistic);
    node.optimistic = best(&Node::optimistic);
    node.expansions = 1;
    bool open = false;
    for (const Node& child : below) {
        node.expansions += child.expansions;
        open = open || (child.open && (first ? child.high > node.low : child.low < node.high));
    }
    node.open = open && !node.exact();
    if (node.exact()) node.height = height_of(node, below);
}

// The plies to the end: the least of those moves that decide a node that is good for the mover, else the greatest.
std::uint16_t BestFirstTree::height_of(const Node& node, std::span<const Node> children) {
    std::uint16_t least = std::numeric_limits<std::uint16_t>::max(), greatest = 0;
    for (const Node& child : children) {
        if (!child.exact() || child.value != node.value) continue;
        least = std::min(least, child.height);
        greatest = std::max(greatest, child.height);
    }
    return static_cast<std::uint16_t>((node.view() * node.value > 0 ? least : greatest) + 1);
}

const BestFirstTree::Node* BestFirstTree::best_child(const Node& node) const {
    const double view = node.view();
    const Node* best = nullptr;
    const auto rank = [&](const Node& child) {
        const double value = view * child.value;
        const int soon = value > 0 ? -child.height : child.height;
        return std::tuple(value, view > 0 ? child.low : -child.high, child.exact() ? soon : 0);
    };
    for (const Node& child : children(node))
        if (best == nullptr || rank(child) > rank(*best)) best = &child;
    return best;
}

std::vector<std::uint64_t> BestFirstTree::best_line() const {
    std::vector<std::uint64_t> line;
    for (const Node* at = best_child(nodes_[root]); at != nullptr; at = best_child(*at)) line.push_back(at->move);
    return line;
}

} // namespace zug::search
