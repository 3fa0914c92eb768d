#pragma once
// A tree in the language of Graphviz, for `dot` (E. Gansner, S. North, An open graph visualization system and its
// applications to software engineering, Software: Practice and Experience 30, 2000).

#include "draw/tree.hpp"

#include <string>

namespace zug::draw {

std::string dot_of(const Tree& tree);

} // namespace zug::draw
