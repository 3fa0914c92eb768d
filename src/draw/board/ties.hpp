#pragma once
// A map over two things of one kind, to players: lines in their colours between points in a ring.

#include "draw/board/pieces/canvas.hpp"
#include "draw/board/pieces/palette.hpp"
#include "draw/board/pieces/view.hpp"

namespace zug::draw::board {

inline constexpr double ties_size = 400; // width and height

// The upper left corner.
void paint_ties(Canvas& canvas, const Theme& theme, const View& view, ir::StateId id, Point at);

} // namespace zug::draw::board
