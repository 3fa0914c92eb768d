#include "grammar/ast/ast.hpp"

#include <array>

namespace zug::syntax {

std::string_view kind_name(Kind kind) {
    static constexpr std::array names = {
#define KIND(name, children) std::string_view(#name),
#include "grammar/ast/kinds.def"
#undef KIND
    };
    return names[static_cast<std::size_t>(kind)];
}

NodeId Tree::make(Kind kind, Span span, std::string text, std::span<const NodeId> children) {
    Node node{kind, span, std::move(text), static_cast<std::uint32_t>(child_pool_.size()),
              static_cast<std::uint32_t>(children.size())};
    child_pool_.insert(child_pool_.end(), children.begin(), children.end());
    return nodes_.push(std::move(node));
}

std::span<const NodeId> Tree::children(NodeId id) const {
    const Node& node = nodes_[id];
    return std::span(child_pool_).subspan(node.first_child, node.child_count);
}

} // namespace zug::syntax
