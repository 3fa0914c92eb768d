#pragma once
// The tree of a best-first search, in one block of memory whose size never changes. Children of a node lie side by
// side. No positions are kept: a node's is found again by its moves from the root.
//
// All values of a node are the first player's utility. That player's side takes the greatest of the children's values,
// the other the least, and so with bounds and estimates of either kind.

#include "base/zeroed_array.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zug::search {

class BestFirstTree {
public:
    using Id = std::uint32_t;
    static constexpr Id root = 0;

    struct Node {
        std::uint64_t move = 0;                 // that leads to it
        double value = 0;                       // an estimate, between the bounds
        double first_value = 0;                 // what the probe said
        double low = 0, high = 0;               // proven bounds
        double pessimistic = 0, optimistic = 0; // estimated bounds for the first player: see b_star.hpp
        double after_pass = 0;                  // of a leaf: its value if the other player were to move
        Id parent = root, first_child = root;
        std::uint32_t children = 0;   // 0: a leaf
        std::uint32_t expansions = 0; // of the node and those below it
        std::uint16_t ply = 0;
        std::uint16_t height = 0; // plies to the end that decides the value, once it is proven
        std::uint8_t side = 0;    // to move: 0 is the first player's
        std::uint8_t kind = 0;    // of leaf: see change_model.hpp
        bool open = true;         // some leaf below can be expanded, and could change the value

        bool exact() const { return low >= high; }
        // 1, or -1: turns the first player's utility into the mover's, and back.
        double view() const { return side == 0 ? 1 : -1; }
    };

    // At most so many bytes; at least one node.
    explicit BestFirstTree(std::size_t bytes);
    // Whether there was memory for it.
    bool made() const { return nodes_.size() > 0; }

    // A tree of this node alone.
    void begin(const Node& node);
    // Room for so many nodes, which are not part of the tree yet. Empty: the tree is full.
    std::span<Node> room_for(std::size_t count);
    // The first so many of them become the children of a leaf.
    void adopt(Id parent, std::size_t count);

    Node& operator[](Id id) { return nodes_[id]; }
    const Node& operator[](Id id) const { return nodes_[id]; }
    std::span<Node> children(const Node& node) { return {nodes_.data() + node.first_child, node.children}; }
    std::span<const Node> children(const Node& node) const { return {nodes_.data() + node.first_child, node.children}; }
    Id id_of(const Node& node) const { return static_cast<Id>(&node - nodes_.data()); }

    // Brings an expanded node and those above it up to date with their children. Cost: the children of each.
    void back_up(Id id);
    // Brings all expanded nodes up to date, after set_leaf(leaf) for each leaf. Cost: the tree.
    template <class SetLeaf>
    void back_up_all(SetLeaf&& set_leaf) {
        for (std::size_t i = size_; i-- > 0;) // children have greater ids than their parents
            if (Node& node = nodes_[i]; node.children == 0)
                set_leaf(node);
            else
                update(node);
    }
    // The child that its mover takes as things stand: the best value, then the best proven bound, then the soonest win
    // or the latest loss, then the first. Null: a leaf.
    const Node* best_child(const Node& node) const;
    // The moves of these children, from the root on.
    std::vector<std::uint64_t> best_line() const;

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return nodes_.size(); }

private:
    void update(Node& node);
    static std::uint16_t height_of(const Node& node, std::span<const Node> children);

    ZeroedArray<Node> nodes_;
    std::size_t size_ = 0;
};

} // namespace zug::search
