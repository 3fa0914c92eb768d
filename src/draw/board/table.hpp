#pragma once
// Maps over two things that are no sites, as tables: a row for each value of the first, a column for each of the
// second.

#include "draw/board/pieces/canvas.hpp"
#include "draw/board/pieces/palette.hpp"
#include "draw/board/pieces/view.hpp"

namespace zug::draw::board {

class Table {
public:
    Table(const View& view, ir::StateId id);
    double width() const;
    double height() const;
    // The upper left corner.
    void paint(Canvas& canvas, const Theme& theme, Point at) const;

private:
    double row_height() const;
    void paint_band(Canvas& canvas, const Theme& theme, Point at, std::uint64_t first) const;
    void paint_entry(Canvas& canvas, const Theme& theme, Point middle, std::uint64_t entry) const;
    void paint_stack(Canvas& canvas, Look look, Point middle, std::int64_t count) const;
    std::string heading(std::size_t index, std::uint64_t i) const;

    const View& view_;
    ir::StateId id_;
    std::uint64_t rows_ = 0, columns_ = 0;
    std::uint64_t band_ = 0;     // so many columns stand beside each other, the next ones below
    bool stacked_ = false;       // counts are stones one on the other, for two players
    double head_ = 0, cell_ = 0; // widths
};

} // namespace zug::draw::board
