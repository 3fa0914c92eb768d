#pragma once
// Where everything of a drawn tree stands, in pixels: a row of boxes for each ply. From top to bottom a box has the
// move that leads to it, the board, alpha and beta, the cut-off, and a symbol with the value; the parts of a row stand
// at equal heights. Positions that are merged stand below the first branch that leads to them.

#include "draw/labels.hpp"
#include "draw/layout.hpp"
#include "draw/tree.hpp"

#include <optional>
#include <string>
#include <vector>

namespace zug::draw {

inline constexpr double line_height = 15, symbol_height = 36, leaf_height = 24;

// A node, or a pruned branch.
struct Item {
    std::optional<NodeIndex> node;
    std::string label; // the move; empty where each branch has its own, beside its line
    int row = 0;
    double width = 0; // of the symbol
};

struct Line {
    std::size_t from = 0, to = 0; // items
    std::string label;            // empty: it stands at the item
    bool best = false;
    double label_x = 0, label_y = 0; // of its middle; from the top of the first row
};

struct Row {
    double label = 0, board = 0, window = 0, cut = 0; // the tops of the parts
    double symbol = 0, bottom = 0;
};

struct Point {
    double x = 0, y = 0;
};

struct Picture {
    std::vector<Item> items; // as many as boxes, and in the same order
    std::vector<Box> boxes;
    std::vector<Line> lines;
    std::vector<Row> rows;
    bool triangles = true; // all values are short enough to stand in a triangle
    double width = 0, height = 0;
};

Picture picture_of(const Tree& tree);
// Where lines leave an item, and where they reach it: at the first part of its box that there is.
Point bottom_of(const Picture& picture, const Tree& tree, std::size_t item);
Point top_of(const Picture& picture, const Tree& tree, std::size_t item);
double height_of(const Node& node); // of its symbol

// About how wide a text of so many characters is.
inline double text_width(std::size_t characters) { return 7.2 * static_cast<double>(characters); }

} // namespace zug::draw
