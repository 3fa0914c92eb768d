#include "draw/board/table.hpp"

#include "draw/board/pieces/pieces.hpp"

#include <algorithm>

namespace zug::draw::board {

namespace {

constexpr double title_height = 30, column_height = 22, table_text = 13, table_icon = 24;

bool is_players(const View& view, ir::TypeId type) { return view.program().types.kind(type) == ir::TypeKind::Player; }

} // namespace

Table::Table(const View& view, ir::StateId id) : view_(view), id_(id) {
    constexpr double most_width = 660, least_cell = 24, most_cell = 44;
    const ir::StateVariable& state = view.state(id);
    rows_ = view.program().types.cardinality(state.indices[0]);
    columns_ = view.program().types.cardinality(state.indices[1]);
    double widest = 0;
    for (std::uint64_t i = 0; i < rows_; ++i) head_ = std::max(head_, text_width(heading(0, i), table_text));
    for (std::uint64_t i = 0; i < columns_; ++i) widest = std::max(widest, text_width(heading(1, i), table_text));
    head_ += 12 + (is_players(view, state.indices[0]) ? table_icon : 0);
    const double columns_width = most_width - head_;
    cell_ = std::max(std::clamp(columns_width / static_cast<double>(columns_), least_cell, most_cell), widest + 6);
    band_ = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::max(1.0, columns_width / cell_)), 1, columns_);
    stacked_ = is_players(view, state.indices[0]) && rows_ == 2 && columns_ >= 8 &&
               view.program().types.kind(state.value) == ir::TypeKind::Int;
    // Bands of equal length.
    const std::uint64_t bands = (columns_ + band_ - 1) / band_;
    band_ = (columns_ + bands - 1) / bands;
}

double Table::row_height() const {
    constexpr double stack_height = 74, most = 40;
    return stacked_ ? stack_height : std::min(cell_, most);
}

double Table::width() const { return head_ + cell_ * static_cast<double>(band_); }

double Table::height() const {
    const std::uint64_t bands = (columns_ + band_ - 1) / band_;
    return title_height + static_cast<double>(bands) * (column_height + row_height() * static_cast<double>(rows_));
}

std::string Table::heading(std::size_t index, std::uint64_t i) const {
    const ir::TypeId type = view_.state(id_).indices[index];
    return view_.words(type, view_.program().types.value(type, i));
}

// From the bottom up; of more than fit the last one has the number on it.
void Table::paint_stack(Canvas& canvas, Look look, Point middle, std::int64_t count) const {
    constexpr std::int64_t most = 5;
    const double size = cell_ * 1.02, step = 11, bottom = middle.y + row_height() / 2 - size / 2;
    for (std::int64_t i = 0; i < std::min(count, most); ++i) {
        look.form = i + 1 == most && count > most ? Form::Lettered : Form::Disc;
        draw_look(canvas, look, {middle.x, bottom - step * static_cast<double>(i)}, size);
    }
}

// A count of what a player has is a stone with the number on it, or so many stones.
void Table::paint_entry(Canvas& canvas, const Theme& theme, Point middle, std::uint64_t entry) const {
    const ir::StateVariable& state = view_.state(id_);
    const double size = row_height() * 1.02;
    const std::int64_t value = view_.value(id_, entry);
    if (view_.program().types.kind(state.value) != ir::TypeKind::Int)
        return draw_look(canvas, view_.look(id_, entry), middle, size);
    if (value == 0) return stacked_ ? void() : canvas.disc(middle, 2, {.fill = theme.panel_edge});
    Look look{.form = Form::Text, .ink = {.fill = theme.text, .stroke = theme.text, .detail = theme.paper}};
    look.text = view_.words(id_, entry);
    if (is_players(view_, state.indices[0])) {
        look.form = Form::Lettered;
        look.ink = view_.looks().player(static_cast<std::int64_t>(entry / columns_));
    }
    if (stacked_) return paint_stack(canvas, look, middle, value);
    draw_look(canvas, look, middle, size);
}

void Table::paint_band(Canvas& canvas, const Theme& theme, Point at, std::uint64_t first) const {
    const std::uint64_t last = std::min(columns_, first + band_);
    const double top = at.y + column_height;
    const auto x_of = [&](std::uint64_t c) { return at.x + head_ + cell_ * (static_cast<double>(c - first) + 0.5); };
    for (std::uint64_t c = first; c < last; ++c)
        canvas.centred_text({x_of(c), at.y + column_height / 2}, {.size = table_text, .fill = theme.faint_text},
                            heading(1, c));
    for (std::uint64_t r = 0; r < rows_; ++r) {
        const double y = top + row_height() * (static_cast<double>(r) + 0.5);
        const bool player = is_players(view_, view_.state(id_).indices[0]);
        if (player) {
            canvas.rectangle({at.x, y - table_icon / 2, table_icon, table_icon, 5}, {.fill = theme.tray});
            draw_look(canvas, {.form = Form::Disc, .ink = view_.looks().player(static_cast<std::int64_t>(r))},
                      {at.x + table_icon / 2, y}, table_icon);
        }
        canvas.centred_text({at.x + (player ? table_icon + 4 : 0), y},
                            {.size = table_text, .fill = theme.text, .anchor = "start"}, heading(0, r));
        for (std::uint64_t c = first; c < last; ++c) {
            const double half = cell_ / 2 - 1, high = row_height() / 2 - 1;
            canvas.rectangle({x_of(c) - half, y - high, 2 * half, 2 * high, 3}, {.fill = theme.tray});
            paint_entry(canvas, theme, {x_of(c), y}, r * columns_ + c);
        }
    }
}

void Table::paint(Canvas& canvas, const Theme& theme, Point at) const {
    canvas.centred_text({at.x, at.y + title_height / 2},
                        {.size = 14, .fill = theme.text, .anchor = "start", .bold = true}, view_.state(id_).name);
    at.y += title_height;
    for (std::uint64_t first = 0; first < columns_; first += band_) {
        paint_band(canvas, theme, at, first);
        at.y += column_height + row_height() * static_cast<double>(rows_);
    }
}

} // namespace zug::draw::board
