#pragma once
// Draws looks.

#include "draw/board/pieces/canvas.hpp"
#include "draw/board/pieces/look.hpp"

namespace zug::draw::board {

// `size`: the side of the square that the site has for it.
void draw_look(Canvas& canvas, const Look& look, Point centre, double size);

// A flower of eight petals, which marks a place.
void draw_rosette(Canvas& canvas, const Paint& paint, Point centre, double radius);

// A die with this number of pips, 0 to 6.
void draw_die(Canvas& canvas, std::int64_t pips, Point centre, double size);

} // namespace zug::draw::board
