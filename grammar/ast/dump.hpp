#pragma once
// A syntax tree as one line of text per declaration, for tests: (Move mark (Parameters (Parameter c (TypeName cell)))
// ...). Absent children are `-`; a text that is not a plain word stands in quotes.

#include "grammar/ast/ast.hpp"

#include <string>

namespace zug::syntax {

std::string dump(const Tree& tree);
std::string dump(const Tree& tree, NodeId node);

} // namespace zug::syntax
