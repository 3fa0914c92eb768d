#pragma once
// A map from players and places to numbers of men, as the picture of rows that its `look` gives: squares, or triangles
// with the men stacked in them. The first and the last place of a player's way are beside the track: a yard, a bar,
// home.

#include "draw/board/marks.hpp"
#include "draw/board/pieces/canvas.hpp"
#include "draw/board/pieces/palette.hpp"
#include "draw/board/pieces/view.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace zug::draw::board {

class PlaceBoard {
public:
    // All must outlive the picture. `marks`: by player and place. `flip`: seen from the other side.
    PlaceBoard(const View& view, const ir::PlaceLook& look, const std::vector<Mark>& marks, bool flip);
    double width() const;
    double height() const;
    // The upper left corner.
    void paint(Canvas& canvas, const Theme& theme, Point at) const;
    // Who has how many men where, in words.
    std::string description() const;

private:
    struct Men {
        std::size_t player = 0;
        std::int64_t count = 0;
    };
    struct Cell {
        std::vector<Men> men;
        std::vector<std::size_t> users;   // players whose way leads here
        std::optional<std::size_t> end;   // the player whose first or last place it is
        std::optional<std::size_t> begin; // the player whose way begins here
        bool shared = false;              // several players' ways lead here
        bool marked = false;              // by the `look`
        bool moved = false, target = false;
        std::string name; // of the place, to the first player who uses it
    };
    Cell& cell_at(std::int32_t given); // by its number in the `look`
    void find_shared();
    std::string key(std::size_t cell) const;
    Point middle(std::size_t cell, Point at) const;
    Look man_of(const Men& men, bool numbered) const;
    void paint_triangle(Canvas& canvas, const Theme& theme, std::size_t cell, Point at) const;
    void paint_stack(Canvas& canvas, std::size_t cell, Point at) const;
    void paint_square(Canvas& canvas, const Theme& theme, std::size_t cell, Point at) const;
    std::string content(const Cell& cell) const;
    void paint_men(Canvas& canvas, const Cell& cell, Point middle) const;

    const View& view_;
    const ir::PlaceLook& look_;
    bool flip_;
    std::vector<Cell> cells_;
    double unit_ = 0; // the width of a cell
};

} // namespace zug::draw::board
