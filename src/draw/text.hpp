#pragma once
// A tree as text for a terminal or a pipe, a node a line, with the lines of `tree`. In UTF-8.

#include "draw/tree.hpp"

#include <string>

namespace zug::draw {

std::string text_of(const Tree& tree);

} // namespace zug::draw
