#include "draw/board/places.hpp"

#include "draw/board/layout/layout.hpp"
#include "draw/board/pieces/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace zug::draw::board {

namespace {

constexpr std::int64_t most_stacked = 5;
constexpr double board_rim = 14, number_band = 16, middle_gap = 0.7;
constexpr double point_length = 4.3, stack_room = 4.9; // in widths of a cell

} // namespace

PlaceBoard::PlaceBoard(const View& view, const ir::PlaceLook& look, const std::vector<Mark>& marks, bool flip)
    : view_(view), look_(look), flip_(flip),
      cells_(static_cast<std::size_t>(look.width) * static_cast<std::size_t>(look.height)) {
    constexpr double wanted = 576, least = 28, most = 64;
    unit_ = std::clamp(wanted / std::max(look.width, look.height), least, most);
    const ir::TypeId places = view.state(look.state).indices[1];
    for (std::size_t player = 0; player < look.cells.size(); ++player) {
        const auto& of_player = look.cells[player];
        for (std::size_t place = 0; place < of_player.size(); ++place) {
            if (of_player[place] < 0) continue;
            Cell& cell = cell_at(of_player[place]);
            cell.users.push_back(player);
            if (place == 0 || place + 1 == of_player.size()) cell.end = player;
            if (place == 1) cell.begin = player;
            cell.marked |= std::ranges::find(look.marked, place) != look.marked.end();
            if (cell.name.empty()) cell.name = view.words(places, view.program().types.value(places, place));
            const std::size_t entry = player * of_player.size() + place;
            cell.moved |= marks[entry].changed;
            cell.target |= marks[entry].target;
            if (const std::int64_t count = view.value(look.state, entry); count > 0)
                cell.men.push_back({player, count});
        }
    }
    find_shared();
}

PlaceBoard::Cell& PlaceBoard::cell_at(std::int32_t given) {
    const auto i = static_cast<std::size_t>(given);
    return cells_[flip_ ? cells_.size() - 1 - i : i];
}

std::string PlaceBoard::key(std::size_t cell) const {
    return cell_key(view_.program(), look_, static_cast<std::int32_t>(flip_ ? cells_.size() - 1 - cell : cell));
}

// A square between two shared ones is shared, too, even if all others turn off before it.
void PlaceBoard::find_shared() {
    for (const auto& way : look_.cells)
        for (std::size_t place = 0; place < way.size(); ++place) {
            const auto users = [&](std::size_t of) -> std::size_t {
                return of < way.size() && way[of] >= 0 ? cell_at(way[of]).users.size() : 0;
            };
            if (way[place] < 0) continue;
            cell_at(way[place]).shared |=
                users(place) > 1 || (users(place + 1) > 1 && place > 0 && users(place - 1) > 1);
        }
}

double PlaceBoard::width() const { return unit_ * look_.width + 2 * board_rim; }

double PlaceBoard::height() const {
    if (look_.triangles) return unit_ * (2 * stack_room + middle_gap) + 2 * board_rim + 2 * number_band;
    return unit_ * look_.height + 2 * board_rim;
}

Point PlaceBoard::middle(std::size_t cell, Point at) const {
    const auto columns = static_cast<std::size_t>(look_.width);
    const std::size_t row = cell / columns, column = cell % columns;
    return at + Point{board_rim + unit_ * (static_cast<double>(column) + 0.5),
                      board_rim + unit_ * (static_cast<double>(row) + 0.5)};
}

// One man of them; or one with their number.
Look PlaceBoard::man_of(const Men& men, bool numbered) const {
    const auto player = static_cast<std::int64_t>(men.player);
    if (!numbered) return view_.looks().of(view_.program().player_type, player);
    return {.form = Form::Lettered, .ink = view_.looks().player(player), .text = std::to_string(men.count)};
}

// From the edge of the board to its middle; of more men than fit the last one has the number on it.
void PlaceBoard::paint_stack(Canvas& canvas, std::size_t cell, Point at) const {
    const bool top = cell < static_cast<std::size_t>(look_.width);
    const double inset = board_rim + number_band + unit_ / 2, x = middle(cell, at).x;
    double y = top ? at.y + inset : at.y + height() - inset;
    for (const Men& men : cells_[cell].men)
        for (std::int64_t i = 0; i < std::min(men.count, most_stacked); ++i) {
            const bool numbered = i + 1 == most_stacked && men.count > most_stacked;
            draw_look(canvas, man_of(men, numbered), {x, y}, unit_ * 1.1);
            y += (top ? 1 : -1) * unit_ * 0.94;
        }
}

void PlaceBoard::paint_triangle(Canvas& canvas, const Theme& theme, std::size_t cell_index, Point at) const {
    const Cell& cell = cells_[cell_index];
    const double top = at.y + board_rim + number_band, bottom = at.y + height() - board_rim - number_band;
    const bool upper = cell_index < static_cast<std::size_t>(look_.width);
    const double x = middle(cell_index, at).x, base = upper ? top : bottom, side = upper ? 1 : -1;
    if (cell.users.size() < 2) { // a column beside the points, such as the bar
        const double low = std::min(base, base + side * (bottom - top) / 2);
        canvas.rectangle({x - unit_ / 2, low, unit_, (bottom - top) / 2}, {.fill = theme.wood});
    } else {
        const bool dark = (cell_index + (upper ? 0 : 1)) % 2 == 0;
        canvas.polygon({{x - unit_ / 2, base}, {x + unit_ / 2, base}, {x, base + side * unit_ * point_length}},
                       {.fill = dark ? theme.dark : theme.light, .stroke = theme.edge, .width = 1});
        canvas.centred_text({x, base - side * number_band / 2}, {.size = 12, .fill = theme.line}, cell.name);
    }
    const double low = std::min(base, base + side * unit_ * stack_room);
    const Rectangle area{x - unit_ / 2 + 1, low, unit_ - 2, unit_ * stack_room, unit_ / 4};
    if (cell.moved) canvas.rectangle(area, {.fill = theme.moved, .opacity = 0.3});
    paint_stack(canvas, cell_index, at);
    if (cell.target) canvas.rectangle(area, {.stroke = theme.target, .width = 3});
}

// One man in the middle, up to four beside each other, or a man of each player with their number.
void PlaceBoard::paint_men(Canvas& canvas, const Cell& cell, Point middle) const {
    std::int64_t all = 0;
    for (const Men& men : cell.men) all += men.count;
    const bool apart = all <= 4;
    const auto shown = apart ? all : static_cast<std::int64_t>(cell.men.size());
    std::int64_t i = 0;
    for (const Men& men : cell.men)
        for (std::int64_t n = 0; n < (apart ? men.count : 1); ++n, ++i) {
            const double off = shown > 1 ? 0.22 : 0;
            const Point at = middle + Point{i % 2 == 0 ? -off : off, shown < 3 ? 0 : i < 2 ? -off : off} * unit_;
            draw_look(canvas, man_of(men, !apart), at, unit_ * (shown > 1 ? 0.5 : 0.86));
        }
}

void PlaceBoard::paint_square(Canvas& canvas, const Theme& theme, std::size_t cell_index, Point at) const {
    const Cell& cell = cells_[cell_index];
    const Point centre = middle(cell_index, at);
    const double half = unit_ / 2;
    const Rectangle area{centre.x - half, centre.y - half, unit_, unit_, cell.end ? unit_ / 4 : 0};
    canvas.rectangle(area, {.fill = theme.light, .stroke = theme.edge, .width = 1});
    const auto owner = cell.end ? cell.end : cell.begin ? cell.begin : std::optional(cell.users.front());
    if (cell.end || cell.begin || !cell.shared)
        canvas.rectangle(area, {.fill = view_.looks().player(static_cast<std::int64_t>(*owner)).fill, .opacity = 0.5});
    if (cell.marked) draw_rosette(canvas, {.fill = theme.dark, .stroke = theme.edge, .width = 1}, centre, unit_ * 0.4);
    if (cell.moved) canvas.rectangle(area, {.fill = theme.moved, .opacity = 0.5});
    paint_men(canvas, cell, centre);
    if (cell.target)
        canvas.rectangle({centre.x - half + 2, centre.y - half + 2, unit_ - 4, unit_ - 4, unit_ / 5},
                         {.stroke = theme.target, .width = 3});
}

std::string PlaceBoard::content(const Cell& cell) const {
    std::string text;
    for (const Men& men : cell.men)
        text += fmt::format("{}{} {}", text.empty() ? ": " : ", ", view_.program().players[men.player], men.count);
    return cell.name + text;
}

void PlaceBoard::paint(Canvas& canvas, const Theme& theme, Point at) const {
    canvas.rectangle({at.x, at.y, width(), height(), 12}, {.fill = theme.wood, .stroke = theme.line, .width = 1.5});
    const double inset = board_rim + number_band;
    if (look_.triangles)
        canvas.rectangle({at.x + board_rim, at.y + inset, unit_ * look_.width, height() - 2 * inset},
                         {.fill = theme.tray});
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        if (cells_[i].users.empty() && !look_.triangles) continue;
        if (cells_[i].users.empty())
            canvas.open_titled(content(cells_[i]));
        else
            canvas.open_named(key(i), content(cells_[i]));
        if (look_.triangles)
            paint_triangle(canvas, theme, i, at);
        else
            paint_square(canvas, theme, i, at);
        canvas.close();
    }
}

std::string PlaceBoard::description() const {
    const ir::TypeId places = view_.state(look_.state).indices[1];
    std::vector<std::string> parts;
    for (std::size_t player = 0; player < look_.cells.size(); ++player)
        for (std::size_t place = 0; place < look_.cells[player].size(); ++place)
            if (const std::int64_t count = view_.value(look_.state, player * look_.cells[player].size() + place);
                count > 0)
                parts.push_back(fmt::format("{} {}: {}", view_.program().players[player],
                                            view_.words(places, view_.program().types.value(places, place)), count));
    return fmt::format("{}: {}.", view_.state(look_.state).name, fmt::join(parts, "; "));
}

} // namespace zug::draw::board
