#pragma once
// The syntax tree of a rule file: a flat array of nodes of one type. The row of a kind in kinds.def says what its
// children are. Nodes made by error recovery have kind Error; the checker ignores them, because the parser has reported
// the error.

#include "base/id.hpp"
#include "diag/span.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zug::syntax {

enum class NodeId : std::uint32_t {};

enum class Kind : std::uint8_t {
#define KIND(name, children) name,
#include "grammar/ast/kinds.def"
#undef KIND
};

std::string_view kind_name(Kind kind);

struct Node {
    Kind kind = Kind::Error;
    Span span;
    std::string text;              // names, operators, strings (decoded), numbers as written; see kinds.def
    std::uint32_t first_child = 0; // into Tree::child_pool
    std::uint32_t child_count = 0;
};

// A child may be none_id where kinds.def marks it optional with `?`. Two nodes may share a child: `a, b: set` makes two
// parameters with one type node. The tree is at most `max_height` nodes high, so walking it by recursion is safe,
// and a walk that enters shared nodes once a parent meets at most `max_unfolded` more of them than there are.
class Tree {
public:
    NodeId make(Kind kind, Span span, std::string text, std::span<const NodeId> children);
    const Node& operator[](NodeId id) const { return nodes_[id]; }
    std::span<const NodeId> children(NodeId id) const;
    NodeId child(NodeId id, std::size_t i) const { return children(id)[i]; }
    std::size_t size() const { return nodes_.size(); }

    static constexpr unsigned max_height = 1000;
    static constexpr unsigned max_unfolded = 500'000;

    NodeId root = none_id<NodeId>; // a File node

private:
    IdVector<NodeId, Node> nodes_;
    std::vector<NodeId> child_pool_;
};

} // namespace zug::syntax
