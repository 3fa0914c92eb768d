#pragma once
// Maps over players and the places of their way to counts of men, in the rows that their `look` gives.

#include "draw/terminal/characters.hpp"
#include "draw/terminal/signs.hpp"

namespace zug::draw::terminal {

// Empty: it is wider than the screen.
Characters place_rows_of(const board::View& view, const ir::PlaceLook& look, const Screen& screen);

} // namespace zug::draw::terminal
