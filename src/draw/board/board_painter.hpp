#pragma once
// Draws a board of a position.

#include "draw/board/layout/layout.hpp"
#include "draw/board/marks.hpp"
#include "draw/board/pieces/canvas.hpp"
#include "draw/board/pieces/palette.hpp"
#include "draw/board/pieces/view.hpp"
#include "draw/board/roles.hpp"

namespace zug::draw::board {

// A board, its corners included, as it lies on the page.
struct BoardFrame {
    const BoardRole* role = nullptr;
    Layout layout;
    Point origin;     // of the upper left corner, in pixels
    double scale = 1; // pixels for each unit of the layout
    bool flip = false;

    Point at(Point point) const { return origin + (point - layout.low) * scale; }
    double width() const { return (layout.high.x - layout.low.x) * scale; }
    bool labelled_above() const;
    double height() const { return (layout.high.y - layout.low.y) * scale; }
};

struct Brush {
    Canvas& canvas;
    const View& view;
    const Theme& theme;
    const Marks& marks;
};

void paint_board(const Brush& brush, const BoardFrame& frame);
// The sites of a board whose sites are where those of `frame` meet.
void paint_corners(const Brush& brush, const BoardFrame& frame, const BoardRole& corners);

// What stands on a site in words; empty: nothing does.
std::string content_of(const View& view, const BoardRole& role, std::size_t site);

} // namespace zug::draw::board
