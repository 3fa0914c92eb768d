#include "draw/terminal/place_rows.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace zug::draw::terminal {

namespace {

class RowsWriter {
public:
    RowsWriter(const board::View& view, const ir::PlaceLook& look, const Screen& screen)
        : view_(view), look_(look), screen_(screen), signs_(signs_of(view, view.program().player_type, screen)),
          cells_(static_cast<std::size_t>(look.width) * static_cast<std::size_t>(look.height)) {
        for (std::size_t player = 0; player < look.cells.size(); ++player)
            for (std::size_t place = 0; place < look.cells[player].size(); ++place)
                if (look.cells[player][place] >= 0) add(player, place);
        for (const Cell& cell : cells_) width_ = std::max(width_, columns_of(cell.text) + 1);
    }

    Characters page() {
        head_ = numbered() ? head_width() : 0;
        if (head_ + width_ * look_.width > static_cast<int>(screen_.width)) return {};
        for (std::size_t i = 0; i < cells_.size(); ++i) write_cell(i);
        for (std::int32_t row = 0; numbered() && row < look_.height; ++row) {
            page_.write({0, top_of(row)}, name(0), faint_colour);
            page_.write({0, top_of(row) + 2}, name(1), faint_colour);
        }
        return std::move(page_);
    }

private:
    struct Cell {
        std::string text, colour;           // empty: nobody's way leads here
        std::vector<std::string> numbers{}; // by player: the place, as that player counts
        std::size_t men = 0;                // of so many players
    };

    // Points have numbers, which moves name; squares have none, as in pictures.
    bool numbered() const { return look_.triangles && look_.cells.size() == 2; }
    const std::string& name(std::size_t player) const { return view_.program().players[player]; }
    int head_width() const { return std::max(columns_of(name(0)), columns_of(name(1))); }
    int top_of(std::int32_t row) const { return numbered() ? 4 * row : row; }

    void add(std::size_t player, std::size_t place) {
        const auto& way = look_.cells[player];
        Cell& cell = cells_[static_cast<std::size_t>(way[place])];
        const bool marked = std::ranges::find(look_.marked, place) != look_.marked.end();
        if (cell.text.empty()) {
            cell.text = marked ? "*" : empty_sign(screen_);
            cell.colour = faint_colour;
        }
        const ir::TypeId places = view_.state(look_.state).indices[1];
        cell.numbers.resize(look_.cells.size());
        cell.numbers[player] = view_.words(places, view_.program().types.value(places, place));
        const std::int64_t count = view_.value(look_.state, player * way.size() + place);
        if (count == 0) return;
        const std::string text = (count > 1 ? std::to_string(count) : "") + signs_[player].text;
        cell.text = cell.men++ == 0 ? text : cell.text + text;
        cell.colour = cell.men == 1 ? signs_[player].colour : "";
    }

    void write_end(int x, int y, const std::string& text, std::string_view colour) {
        page_.write({x - columns_of(text), y}, text, colour);
    }

    void write_cell(std::size_t i) {
        const Cell& cell = cells_[i];
        if (cell.text.empty()) return;
        const auto row = static_cast<std::int32_t>(i) / look_.width,
                   column = static_cast<std::int32_t>(i) % look_.width;
        const int x = head_ + width_ * (column + 1), y = top_of(row);
        write_end(x, numbered() ? y + 1 : y, cell.text, cell.colour);
        if (!numbered()) return;
        write_end(x, y, cell.numbers[0], faint_colour);
        write_end(x, y + 2, cell.numbers[1], faint_colour);
    }

    const board::View& view_;
    const ir::PlaceLook& look_;
    const Screen& screen_;
    std::vector<Sign> signs_; // by player
    std::vector<Cell> cells_;
    int width_ = 3, head_ = 0; // columns: of a cell, and of the players' names before the rows
    Characters page_;
};

} // namespace

Characters place_rows_of(const board::View& view, const ir::PlaceLook& look, const Screen& screen) {
    return RowsWriter(view, look, screen).page();
}

} // namespace zug::draw::terminal
