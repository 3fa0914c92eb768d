#pragma once
// A tree as a picture, in SVG: one file without references to others, for a browser, light or dark, or for paper.

#include "draw/tree.hpp"

#include <string>

namespace zug::draw {

std::string svg_of(const Tree& tree);

} // namespace zug::draw
