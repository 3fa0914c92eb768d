// The syntax of a definition.

#include "lang/check/definitions.hpp"

#include <algorithm>

namespace zug::lang {

std::span<const NodeId> parameters_of(const Declaration& d) {
    const NodeId parameters = d.tree->child(d.node, 0);
    if (!valid(parameters)) return {};
    return d.tree->children(parameters);
}

bool stands_for_whole(const Declaration& d, NodeId parameter) {
    if (!valid(parameter)) return false;
    const NodeId type = d.tree->child(parameter, 0);
    return valid(type) && ((*d.tree)[type].kind == Kind::TypeMap || is_type_word(*d.tree, type, "path"));
}

bool takes_whole(const Declaration& d) {
    return std::ranges::any_of(parameters_of(d), [&](NodeId parameter) { return stands_for_whole(d, parameter); });
}

NodeId definition_body(const Declaration& d) { return d.tree->child(d.node, 1); }

bool is_type_word(const syntax::Tree& tree, NodeId id, std::string_view word) {
    return valid(id) && tree[id].kind == Kind::TypeName && tree[id].text == word;
}

} // namespace zug::lang
