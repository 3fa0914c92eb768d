#include "draw/board/board_painter.hpp"

#include "draw/board/pieces/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace zug::draw::board {

namespace {

// A piece or a mark, with its words.
struct Standing {
    Look look;
    std::string words;
};

// A piece whose site is the value of a variable. Named for a chessman it is one.
Standing piece_of(const View& view, ir::StateId id, std::size_t entry) {
    const auto& indices = view.state(id).indices;
    if (indices.empty()) return {view.looks().standing(id, nullptr), view.state(id).name};
    const std::int64_t value = view.program().types.value(indices[0], entry);
    if (view.program().types.kind(indices[0]) == ir::TypeKind::Player)
        return {view.looks().standing(id, &view.looks().player(value)),
                view.words(indices[0], value) + " " + view.state(id).name};
    return {view.looks().of(indices[0], value), view.words(indices[0], value)};
}

// From the ground up.
std::vector<Standing> standing_on(const View& view, const BoardRole& role, std::size_t site) {
    std::vector<Standing> found;
    for (const game::Thing& thing : game::things_on(view.program(), view.slots(), role.standing, site)) {
        if (thing.kind == game::Thing::Kind::Mark) {
            const game::StandingMark& mark = role.standing.marks[thing.number];
            found.push_back({view.looks().mark(mark.state, mark.glyph), view.state(mark.state).name});
        } else if (thing.kind == game::Thing::Kind::Pile) {
            const ir::StateId id = role.standing.piles[thing.number];
            found.push_back({view.look(id, thing.entry), view.words(id, thing.entry)});
        } else {
            found.push_back(piece_of(view, role.standing.pieces[thing.number].state, thing.entry));
        }
    }
    return found;
}

// Blocks, tiles and marks of the ground lie flat; all else that is on one site is a pile.
bool lies_flat(const Look& look) {
    return look.form == Form::Block || look.form == Form::Tile || look.form == Form::Goal || look.form == Form::Burnt;
}

void draw_standing(Canvas& canvas, const std::vector<Standing>& all, Point at, double size) {
    const auto high =
        static_cast<double>(std::ranges::count_if(all, [](const Standing& s) { return !lies_flat(s.look); }));
    const double step = std::min(0.12, 0.4 / std::max(high, 1.0)) * size;
    double down = step * (high - 1) / 2;
    for (const Standing& standing : all) {
        const bool flat = lies_flat(standing.look);
        draw_look(canvas, standing.look, flat ? at : at + Point{0, down}, size);
        if (!flat) down -= step;
    }
}

class SitePainter {
public:
    SitePainter(const Brush& brush, const BoardFrame& frame, std::size_t site)
        : brush_(brush), frame_(frame), shape_(frame.layout.sites[site]), site_(site), at_(frame.at(shape_.centre)),
          mark_(brush.marks.boards[index(frame.role->board)][site]) {}

    void all();

private:
    void ground();
    void last_move();
    void content(const BoardMap& map);
    void storeys(std::int64_t count);
    void column(ir::StateId id);
    void seeds(std::int64_t count, const std::string& text);
    void name();
    void last_stone();
    void targets();
    double pixels(double units) const { return units * frame_.scale; }
    bool is_occupied() const;
    std::vector<Point> outline(double part) const;
    std::string_view note() const {
        return shape_.shade == Shade::Dark ? brush_.theme.note_dark : brush_.theme.note_light;
    }
    // Outwards from the middle of the board; in rows of pits up or down.
    Point away() const;

    const Brush& brush_;
    const BoardFrame& frame_;
    const SiteShape& shape_;
    std::size_t site_;
    Point at_;
    const Mark& mark_;
    double sunk_ = 0; // how much lower than the middle the piece is; less than 0: raised by what is below it
};

// The outline of the cell in pixels, this part of its size.
std::vector<Point> SitePainter::outline(double part) const {
    std::vector<Point> corners;
    for (const Point corner : shape_.outline)
        corners.push_back(frame_.at(shape_.centre + (corner - shape_.centre) * part));
    return corners;
}

Point SitePainter::away() const {
    const Point middle = (frame_.layout.low + frame_.layout.high) * 0.5, off = shape_.centre - middle;
    if (frame_.layout.tray) return {0, off.y < 0 ? -1.0 : 1.0};
    const double length = length_of(off);
    return length < 1e-6 ? Point{0, 1} : off * (1 / length);
}

void SitePainter::ground() {
    const Theme& theme = brush_.theme;
    std::string_view fill = shape_.shade == Shade::Dark     ? theme.dark
                            : shape_.shade == Shade::Middle ? theme.middle
                                                            : theme.light;
    double strength = 1;
    for (const BoardMap& map : frame_.role->maps)
        if (map.layer == Layer::Ground && brush_.view.value(map.state, site_) != ir::none) {
            fill = brush_.view.look(map.state, site_).ink.fill;
            strength = 0.55;
        }
    const double edge = std::clamp(frame_.scale / 50, 0.5, 1.2);
    const Surface surface = frame_.layout.surface;
    if (shape_.owner)
        brush_.canvas.disc(at_, pixels(0.48), {.fill = brush_.view.looks().player(*shape_.owner).fill, .opacity = 0.5});
    if (surface == Surface::Cells) {
        if (strength < 1) brush_.canvas.polygon(outline(1), {.fill = theme.light});
        brush_.canvas.polygon(outline(1), {.fill = fill, .opacity = strength});
        brush_.canvas.polygon(outline(1), {.stroke = theme.edge, .width = edge, .opacity = 0.55});
    }
    if (surface == Surface::Holes)
        brush_.canvas.disc(at_, pixels(0.41), {.fill = theme.hole, .stroke = theme.edge, .width = edge});
    // What can be pointed at, where nothing may be drawn.
    if (surface == Surface::Points || surface == Surface::Bare) brush_.canvas.disc(at_, pixels(0.48), {});
    if (surface == Surface::Points && frame_.layout.nodes > 0)
        brush_.canvas.disc(at_, pixels(frame_.layout.nodes), {.fill = theme.line});
    if (!shape_.marked) return;
    const Paint flower{
        .fill = shape_.shade == Shade::Dark ? theme.middle : theme.dark, .stroke = theme.edge, .width = 1};
    draw_rosette(brush_.canvas, flower, at_, pixels(surface == Surface::Cells ? 0.36 : 0.3));
}

void SitePainter::last_move() {
    if (!mark_.named && !mark_.changed) return;
    const Paint paint{.fill = brush_.theme.moved, .opacity = mark_.named ? 0.62 : 0.3};
    if (frame_.layout.surface == Surface::Cells)
        brush_.canvas.polygon(outline(0.99), paint);
    else
        brush_.canvas.disc(at_, pixels(frame_.layout.room * 0.47), paint);
}

void SitePainter::storeys(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        const double half = pixels(0.47 - 0.055 * static_cast<double>(i));
        brush_.canvas.rectangle({at_.x - half, at_.y - half, 2 * half, 2 * half, half / 5},
                                {.fill = i % 2 == 0 ? "#e9e4da" : "#c9c1b2", .stroke = "#6a6357", .width = 1});
    }
}

// The lowest first. The column is as high as the site allows.
void SitePainter::column(ir::StateId id) {
    const std::size_t levels = brush_.view.program().types.cardinality(brush_.view.state(id).indices[1]);
    std::vector<Look> looks;
    for (std::size_t level = 0; level < levels; ++level)
        if (const Look look = brush_.view.look(id, site_ * levels + level); look.form != Form::None)
            looks.push_back(look);
    if (looks.empty()) return;
    const double step = std::min(0.09, 0.3 / static_cast<double>(looks.size()));
    sunk_ = -step * static_cast<double>(looks.size()) / 2;
    for (std::size_t i = looks.size(); i-- > 0;) {
        looks[i].form = Form::Disc;
        const double down = step * static_cast<double>(i + 1) + sunk_;
        draw_look(brush_.canvas, looks[i], at_ + Point{0, pixels(down)}, pixels(frame_.layout.room * 0.86));
    }
}

// Spread like the seeds of a sunflower, H. Vogel, A better way to construct the sunflower head (1979); the number
// beside them.
void SitePainter::seeds(std::int64_t count, const std::string& text) {
    constexpr double golden_angle = 2.39996;
    constexpr std::int64_t most = 40;
    const std::int64_t shown = std::min(count, most);
    const double spread = 0.33 / std::sqrt(static_cast<double>(std::max<std::int64_t>(shown, 9)));
    for (std::int64_t i = 0; i < shown; ++i) {
        const double n = static_cast<double>(i), radius = pixels(spread * std::sqrt(n + 0.5));
        const Point off{radius * std::cos(n * golden_angle), radius * std::sin(n * golden_angle)};
        brush_.canvas.disc(at_ + off, pixels(std::min(0.06, spread * 0.75)),
                           {.fill = "#f7f3ea", .stroke = "#3d2b18", .width = 1});
    }
    brush_.canvas.centred_text(at_ + away() * pixels(0.63),
                               {.size = pixels(0.24), .fill = brush_.theme.line, .bold = true}, text);
}

void SitePainter::content(const BoardMap& map) {
    const View& view = brush_.view;
    const double size = pixels(frame_.layout.room);
    if (map.layer == Layer::Ground) return;
    if (map.layer == Layer::Column) return column(map.state);
    const std::int64_t value = view.value(map.state, site_);
    const std::string text = view.words(map.state, site_);
    switch (map.layer) {
    case Layer::Storeys: return storeys(value - view.program().types[view.state(map.state).value].lo);
    case Layer::Counts:
        if (frame_.layout.surface == Surface::Holes) return seeds(value, text);
        return brush_.canvas.centred_text(at_, {.size = pixels(0.36), .fill = note(), .bold = true}, text);
    case Layer::Badge:
        if (text.empty() || value == view.program().types[view.state(map.state).value].lo) return;
        return brush_.canvas.centred_text(at_ + Point{pixels(0.3), pixels(0.36)},
                                          {.size = pixels(0.24), .fill = note(), .bold = true}, text);
    default: return draw_look(brush_.canvas, view.look(map.state, site_), at_ + Point{0, pixels(sunk_)}, size);
    }
}

// The text that moves call the site by, where no letters and numbers stand at the edges.
void SitePainter::name() {
    if (!frame_.layout.named) return;
    const std::string& text = site_text(brush_.view.program().boards[frame_.role->board].sites[site_]);
    if (frame_.layout.surface == Surface::Cells) {
        brush_.canvas.text(at_ + Point{pixels(-0.45), pixels(-0.28)},
                           {.size = pixels(0.19), .fill = note(), .anchor = "start"}, text);
        return;
    }
    const bool is_pit = frame_.layout.surface == Surface::Holes;
    // The lines of a tree come from above and lead down.
    Point at = at_ + (frame_.layout.round ? Point{pixels(0.42), pixels(-0.4)} : Point{pixels(-0.5), 0});
    if (is_pit) at = at_ - away() * pixels(frame_.layout.tray ? 0.56 : 0.64);
    const bool is_middle = length_of(shape_.centre - (frame_.layout.low + frame_.layout.high) * 0.5) < 0.5;
    if (frame_.layout.round && !is_middle) at = at_ + away() * pixels(0.62);
    brush_.canvas.centred_text(at, {.size = pixels(0.2), .fill = brush_.theme.line}, text);
}

// A stone hides what is behind it.
void SitePainter::last_stone() {
    if (!mark_.named || frame_.layout.surface == Surface::Cells) return;
    for (const BoardMap& map : frame_.role->maps)
        if (map.layer == Layer::Pieces && brush_.view.look(map.state, site_).form == Form::Disc)
            brush_.canvas.disc(at_, pixels(0.17), {.stroke = brush_.theme.ring, .width = std::max(2.0, pixels(0.06))});
}

bool SitePainter::is_occupied() const {
    return !standing_on(brush_.view, *frame_.role, site_).empty() ||
           std::ranges::any_of(frame_.role->maps, [&](const BoardMap& map) {
               return map.layer == Layer::Pieces && brush_.view.look(map.state, site_).form != Form::None;
           });
}

void SitePainter::targets() {
    const Theme& theme = brush_.theme;
    const Paint thin{.stroke = theme.target, .width = pixels(0.045)};
    if (mark_.origin && !shape_.outline.empty())
        brush_.canvas.polygon(outline(0.93), thin);
    else if (mark_.origin)
        brush_.canvas.disc(at_, pixels(frame_.layout.room * 0.45), thin);
    if (!mark_.target) return;
    if (is_occupied())
        brush_.canvas.disc(at_, pixels(frame_.layout.room * 0.45), {.stroke = theme.target, .width = pixels(0.075)});
    else
        brush_.canvas.disc(at_, pixels(0.13), {.fill = theme.target, .stroke = "#ffffff", .width = pixels(0.02)});
}

void SitePainter::all() {
    const ir::Board& board = brush_.view.program().boards[frame_.role->board];
    const std::string &text = site_text(board.sites[site_]), words = content_of(brush_.view, *frame_.role, site_);
    brush_.canvas.open_named(site_key(board, site_), words.empty() ? text : text + ": " + words);
    ground();
    last_move();
    // Read in the order in which it is written, the name comes first, as in the title; on a cell nothing may hide it.
    const bool stands_beside = frame_.layout.surface == Surface::Holes;
    if (stands_beside) name();
    for (const BoardMap& map : frame_.role->maps) content(map);
    draw_standing(brush_.canvas, standing_on(brush_.view, *frame_.role, site_), at_, pixels(frame_.layout.room));
    last_stone();
    if (!stands_beside) name();
    targets();
    brush_.canvas.close();
}

void paint_ground(const Brush& brush, const BoardFrame& frame) {
    const Layout& layout = frame.layout;
    const Theme& theme = brush.theme;
    const Rectangle area{frame.origin.x, frame.origin.y, frame.width(), frame.height(), 0};
    for (const SiteShape& site : layout.sites)
        if (layout.rim > 0) brush.canvas.disc(frame.at(site.centre), frame.scale * layout.rim, {.fill = theme.wood});
    if (layout.surface != Surface::Cells && layout.rim == 0) {
        const double rounding = std::min(18.0, frame.scale / 3);
        brush.canvas.rectangle({area.x, area.y, area.width, area.height, rounding},
                               {.fill = theme.wood, .stroke = theme.line, .width = 1.5});
    }
    for (const auto& cell : layout.voids) {
        std::vector<Point> corners;
        for (const Point corner : cell) corners.push_back(frame.at(corner));
        brush.canvas.polygon(corners, {.fill = theme.light});
    }
    if (!layout.voids.empty()) brush.canvas.rectangle(area, {.stroke = theme.edge, .width = 1.5});
    const Paint thin{.stroke = theme.line, .width = std::clamp(frame.scale / 26, 1.0, 2.0)};
    const double half = frame.scale / 2;
    for (const SiteShape& site : layout.sites)
        if (layout.surface != Surface::Cells && site.shade != Shade::Light)
            brush.canvas.rectangle({frame.at(site.centre).x - half, frame.at(site.centre).y - half, 2 * half, 2 * half},
                                   {.fill = theme.hole});
    for (const Segment& line : layout.lines) brush.canvas.line(frame.at(line.from), frame.at(line.to), thin);
    for (const auto& loop : layout.loops) {
        std::vector<Point> points;
        for (const Point point : loop) points.push_back(frame.at(point));
        brush.canvas.lines(points, thin);
    }
    for (const Point star : layout.stars) brush.canvas.disc(frame.at(star), frame.scale * 0.1, {.fill = theme.line});
}

constexpr double side_width = 0.16;

void paint_sides(const Brush& brush, const BoardFrame& frame) {
    for (const SideEdge& side : frame.layout.sides) {
        const Ink& ink = brush.view.looks().player(side.player);
        const Point from = frame.at(side.line.from), to = frame.at(side.line.to);
        brush.canvas.line(from, to, {.stroke = ink.stroke, .width = frame.scale * side_width});
        brush.canvas.line(from, to, {.stroke = ink.fill, .width = frame.scale * side_width * 0.75});
    }
}

void paint_labels(const Brush& brush, const BoardFrame& frame) {
    constexpr double size = 13;
    const double distance = 12 + (frame.layout.sides.empty() ? 0 : side_width / 2 * frame.scale);
    for (const EdgeLabel& label : frame.layout.labels)
        brush.canvas.centred_text(frame.at(label.at) + label.away * distance,
                                  {.size = size, .fill = brush.theme.faint_text}, label.text);
}

} // namespace

bool BoardFrame::labelled_above() const {
    return std::ranges::any_of(layout.labels, [](const EdgeLabel& label) { return label.away.y < -0.1; });
}

std::string content_of(const View& view, const BoardRole& role, std::size_t site) {
    std::vector<std::string> parts;
    for (const BoardMap& map : role.maps) {
        if (map.layer == Layer::Column) continue;
        // A tile is called what stands on it.
        const Look look = map.layer == Layer::Pieces ? view.look(map.state, site) : Look{};
        const std::string words = look.form == Form::Tile ? look.text : view.words(map.state, site);
        const bool extra = map.layer != Layer::Pieces && map.layer != Layer::Counts;
        const bool nothing = words.empty() || words == "no" || (extra && words == "0");
        if (!nothing)
            parts.push_back(extra            ? view.state(map.state).name + " " + words
                            : words == "yes" ? view.state(map.state).name
                                             : words);
    }
    for (const Standing& piece : standing_on(view, role, site)) parts.push_back(piece.words);
    return fmt::format("{}", fmt::join(parts, ", "));
}

void paint_board(const Brush& brush, const BoardFrame& frame) {
    paint_ground(brush, frame);
    for (std::size_t site = 0; site < frame.layout.sites.size(); ++site) SitePainter(brush, frame, site).all();
    paint_sides(brush, frame);
    paint_labels(brush, frame);
}

void paint_corners(const Brush& brush, const BoardFrame& frame, const BoardRole& corners) {
    const ir::Board& board = brush.view.program().boards[corners.board];
    const auto& marks = brush.marks.boards[index(corners.board)];
    for (std::size_t site = 0; site < board.sites.size(); ++site) {
        const Point cell{board.sites[site].x + 0.5, -board.sites[site].y - 0.5};
        const Point at = frame.at(cell * (frame.flip ? -1 : 1));
        const std::string &text = site_text(board.sites[site]), words = content_of(brush.view, corners, site);
        brush.canvas.open_named(site_key(board, site), words.empty() ? text : text + ": " + words);
        brush.canvas.disc(at, frame.scale * 0.25, {}); // what can be pointed at
        brush.canvas.disc(at, frame.scale * 0.05, {.fill = brush.theme.edge});
        if (marks[site].named || marks[site].changed)
            brush.canvas.disc(at, frame.scale * 0.2, {.fill = brush.theme.moved, .opacity = 0.8});
        for (const BoardMap& map : corners.maps)
            draw_look(brush.canvas, brush.view.look(map.state, site), at, frame.scale * 1.9);
        draw_standing(brush.canvas, standing_on(brush.view, corners, site), at, frame.scale * 0.4);
        if (marks[site].target) brush.canvas.disc(at, frame.scale * 0.09, {.fill = brush.theme.target});
        brush.canvas.close();
    }
}

} // namespace zug::draw::board
