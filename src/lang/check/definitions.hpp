#pragma once
// The syntax of a definition: its parameters and its body. Internal to src/lang.

#include "lang/core/operand.hpp"

#include <span>

namespace zug::lang {

std::span<const NodeId> parameters_of(const Declaration& definition);
NodeId definition_body(const Declaration& definition);
// Whether a node is the type name `word`.
bool is_type_word(const syntax::Tree& tree, NodeId id, std::string_view word);
// Whether a parameter stands for a path or a whole map.
bool stands_for_whole(const Declaration& definition, NodeId parameter);
bool takes_whole(const Declaration& definition); // any parameter does

} // namespace zug::lang
