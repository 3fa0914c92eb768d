#pragma once
// The text beside the boards: who is to move or who has won, the last move, and the state that is on no board.

#include "draw/board/pieces/canvas.hpp"
#include "draw/board/pieces/look.hpp"
#include "draw/board/pieces/palette.hpp"
#include "draw/board/pieces/view.hpp"

#include <optional>
#include <string>
#include <vector>

namespace zug::draw::board {

// A word, with what it is about or what it looks like before it.
struct Chip {
    std::optional<Look> icon = {};
    int die = -1; // instead of a text: a die that shows so much
    std::string text;
    bool card = false; // one of several that someone has: in a frame
};

struct PanelRow {
    std::string label;
    std::vector<Chip> chips;
};

// The rows for a variable; none where there is nothing to tell. With `all` also what is as at the start.
std::vector<PanelRow> rows_for(const View& view, ir::StateId id, bool all);

// Draws rows below `top` between two sides, and returns where they end. Long rows are broken, long texts shortened.
struct PanelPlace {
    double left = 0, right = 0, top = 0;
};
double paint_panel(Canvas& canvas, const Theme& theme, std::vector<PanelRow> rows, const PanelPlace& place);

} // namespace zug::draw::board
