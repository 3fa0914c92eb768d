#include "draw/board/layout/layout.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <string_view>

namespace zug::draw::board {

namespace {

bool is_hexagonal(const ir::Board& board) {
    return board.shape == ir::BoardShape::Rhombus || board.shape == ir::BoardShape::Hexagon;
}

bool is_star(const ir::Board& board) {
    return std::ranges::any_of(board.groups, [](const ir::SiteGroup& group) { return group.name == "tip0"; });
}

bool is_gridlike(const ir::Board& board) {
    return board.shape == ir::BoardShape::Grid || (board.shape == ir::BoardShape::Lines && board.width > 0);
}

// Clockwise, the first one at the bottom; or in two rows, as seeds are sown.
std::vector<Point> ring_points(std::size_t count, bool trays) {
    std::vector<Point> points;
    const std::size_t half = count / 2;
    const double radius = std::max(1.0, static_cast<double>(count) / (2 * std::numbers::pi));
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = static_cast<double>(i);
        const double angle = 2 * std::numbers::pi * (number + 0.5) / static_cast<double>(count);
        if (!trays || count % 2 == 1)
            points.push_back({-radius * std::sin(angle), radius * std::cos(angle)});
        else if (i < half)
            points.push_back({number, 0});
        else
            points.push_back({static_cast<double>(count - 1 - i), -1.5});
    }
    return points;
}

std::vector<Point> points_of(const ir::Board& board, const ir::BoardLook* look, bool trays) {
    std::vector<Point> points;
    if (look != nullptr && !look->cells.empty()) {
        for (const auto& [x, y] : look->cells) points.push_back({static_cast<double>(x), static_cast<double>(y)});
        return points;
    }
    if (board.shape == ir::BoardShape::Ring) return ring_points(board.sites.size(), trays);
    if (!is_gridlike(board) && !is_hexagonal(board)) return listed_points(board);
    for (const ir::Site& site : board.sites) {
        const double x = site.x, y = site.y;
        points.push_back(is_hexagonal(board) ? Point{x + y / 2, -y * std::numbers::sqrt3 / 2} : Point{x, -y});
    }
    return points;
}

// Whether the letters of the sites' own texts name the rows, the first of them on top.
bool has_letters_downwards(const ir::Board& board) {
    if (!is_hexagonal(board)) return false;
    std::string last;
    for (std::size_t i = board.sites.size(); i-- > 0;) { // from the top row down
        const std::string letters = letters_and_digits(board.sites[i].text).first;
        if (letters.empty() || letters < last) return false;
        if (i + 1 < board.sites.size() && (letters == last) != (board.sites[i].y == board.sites[i + 1].y)) return false;
        last = letters;
    }
    return true;
}

std::vector<Point> square(Point centre) {
    constexpr double half = 0.5;
    return {centre + Point{-half, -half}, centre + Point{half, -half}, centre + Point{half, half},
            centre + Point{-half, half}};
}

std::vector<Point> hexagon(Point centre, bool turned) {
    std::vector<Point> corners;
    for (int i = 0; i < 6; ++i) {
        const double angle = std::numbers::pi / 3 * (turned ? i : i + 0.5), radius = 1 / std::numbers::sqrt3;
        corners.push_back(centre + Point{radius * std::cos(angle), radius * std::sin(angle)});
    }
    return corners;
}

// Whether a step leads across the corners of cells: on a grid diagonally, on hexagons to a cell of the same one of
// three colours.
bool is_diagonal(const ir::Board& board, const Travel& travel) {
    const ir::Site &from = board.sites[travel.from], &to = board.sites[travel.to];
    const std::int32_t dx = to.x - from.x, dy = to.y - from.y;
    if (dx == 0 && dy == 0) return false;
    if (!is_hexagonal(board)) return std::abs(dx) == std::abs(dy);
    return dx == dy || dy == -2 * dx || dx == -2 * dy;
}

// Whether all sites are of one colour of a chessboard.
bool is_half_board(const ir::Board& board) {
    return board.shape == ir::BoardShape::Grid && board.sites.size() > 1 &&
           std::ranges::all_of(board.sites, [](const ir::Site& site) { return (site.x + site.y) % 2 == 0; });
}

Shade shade_of(const ir::Board& board, const ir::Site& site) {
    if (!is_hexagonal(board)) return (site.x + site.y) % 2 == 0 ? Shade::Dark : Shade::Light;
    constexpr std::array shades{Shade::Dark, Shade::Middle, Shade::Light};
    return shades[static_cast<std::size_t>((site.x - site.y + 3 * (board.width + board.height)) % 3)];
}

// Whether play tells colours of cells apart: by pieces that go diagonally over two cells or more; or diagonally, but
// never sideways.
bool has_diagonal_play(const ir::Board& board, const std::vector<Travel>& travels) {
    bool diagonal = false, sideways = false;
    for (const Travel& travel : travels) {
        const ir::Site &from = board.sites[travel.from], &to = board.sites[travel.to];
        const bool is_far = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)) >= 2;
        if (is_diagonal(board, travel) && (is_far || is_hexagonal(board))) return true;
        diagonal |= is_diagonal(board, travel);
        sideways |= from.y == to.y;
    }
    return diagonal && !sideways;
}

bool is_checkered(const ir::Board& board, const LayoutRequest& request) {
    if (request.look != nullptr && request.look->checkered) return *request.look->checkered;
    if (request.look != nullptr && request.look->shaded.any()) return false;
    const bool played = request.travels != nullptr && has_diagonal_play(board, *request.travels);
    return request.chess || played || is_half_board(board);
}

// Sites that are shaded have a colour between those of a checkered board.
void add_shades(Layout& layout, const ir::Board& board, const LayoutRequest& request) {
    const bool checkered = layout.surface == Surface::Cells && is_checkered(board, request);
    for (std::size_t i = 0; i < board.sites.size() && checkered; ++i)
        layout.sites[i].shade = shade_of(board, board.sites[i]);
    if (request.look == nullptr) return;
    for_each_bit(request.look->shaded, [&](std::size_t i) { layout.sites[i].shade = Shade::Middle; });
    for_each_bit(request.look->marked, [&](std::size_t i) { layout.sites[i].marked = true; });
}

// The cells of a half board that are no sites.
void add_voids(Layout& layout, const ir::Board& board, bool flip) {
    if (!is_half_board(board)) return;
    for (std::int32_t y = 1; y <= board.height; ++y)
        for (std::int32_t x = 1; x <= board.width; ++x)
            if ((x + y) % 2 == 1)
                layout.voids.push_back(
                    square(Point{static_cast<double>(x), static_cast<double>(-y)} * (flip ? -1 : 1)));
}

void add_lines(Layout& layout, const ir::Board& board, const std::vector<Travel>* travels) {
    const auto add = [&](std::size_t a, std::size_t b) {
        layout.lines.push_back({layout.sites[a].centre, layout.sites[b].centre});
    };
    if (board.shape != ir::BoardShape::Grid) {
        for (const auto& [a, b] : joined_sites(board)) add(a, b);
        return;
    }
    for (std::size_t a = 0; a < board.sites.size(); ++a)
        for (std::size_t b = a + 1; b < board.sites.size(); ++b) {
            const std::int32_t dx = std::abs(board.sites[a].x - board.sites[b].x),
                               dy = board.sites[b].y - board.sites[a].y;
            if (dx + dy == 1) add(a, b);
            if (dx != 1 || dy != 1 || travels == nullptr) continue;
            if (std::ranges::binary_search(*travels, Travel{a, b}) ||
                std::ranges::binary_search(*travels, Travel{b, a}))
                add(a, b);
        }
}

// The marked points of the usual boards for stones: square, of an odd number of lines.
void add_stars(Layout& layout, const ir::Board& board) {
    const std::int32_t n = board.width;
    const bool full = board.sites.size() == static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    if (board.shape != ir::BoardShape::Grid || !full || n != board.height || n < 9 || n % 2 == 0) return;
    const std::int32_t in = n < 13 ? 3 : 4, middle = (n + 1) / 2;
    const auto is_marked = [&](std::int32_t k) { return k == in || k == middle || k == n + 1 - in; };
    for (std::size_t i = 0; i < board.sites.size(); ++i)
        if (is_marked(board.sites[i].x) && is_marked(board.sites[i].y) &&
            (n > 13 || (board.sites[i].x == middle) == (board.sites[i].y == middle)))
            layout.stars.push_back(layout.sites[i].centre);
}

constexpr double loop_room = 0.12; // around the curves of loops

// Between the middle of a site without a cell and the edge of the board. Sites may have texts outside.
double margin_of(const Layout& layout) {
    if (layout.rim > 0) return layout.rim;
    if (layout.round) return 0.9;
    if (layout.tray || layout.nodes > 0) return 0.8;
    return layout.surface == Surface::Points ? 0.62 : 0.5;
}

void add_bounds(Layout& layout) {
    const double margin = margin_of(layout);
    layout.low = {1e9, 1e9};
    layout.high = {-1e9, -1e9};
    const auto include = [&](Point point) {
        layout.low = {std::min(layout.low.x, point.x), std::min(layout.low.y, point.y)};
        layout.high = {std::max(layout.high.x, point.x), std::max(layout.high.y, point.y)};
    };
    for (const SiteShape& site : layout.sites) {
        for (const Point corner : site.outline) include(corner);
        if (!site.outline.empty()) continue;
        include(site.centre - Point{margin, margin});
        include(site.centre + Point{margin, margin});
    }
    for (const auto& cell : layout.voids)
        for (const Point corner : cell) include(corner);
    for (const auto& loop : layout.loops)
        for (const Point point : loop) {
            include(point - Point{loop_room, loop_room});
            include(point + Point{loop_room, loop_room});
        }
}

Surface surface_named(ir::Surface surface) {
    switch (surface) {
    case ir::Surface::Cells: return Surface::Cells;
    case ir::Surface::Points: return Surface::Points;
    case ir::Surface::Holes: return Surface::Holes;
    }
    return Surface::Cells;
}

} // namespace

const std::string& site_text(const ir::Site& site) { return site.text.empty() ? site.name : site.text; }

std::string site_key(const ir::Board& board, std::size_t site) {
    return board.name + ":" + site_text(board.sites[site]);
}

std::string cell_key(const ir::Program& program, const ir::PlaceLook& look, std::int32_t cell) {
    return program.states[look.state].name + ":" + std::to_string(cell);
}

std::pair<std::string, std::string> letters_and_digits(const std::string& text) {
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const auto split = std::ranges::find_if_not(text, is_letter);
    if (split == text.begin() || split == text.end() || !std::all_of(split, text.end(), is_digit)) return {};
    return {std::string(text.begin(), split), std::string(split, text.end())};
}

Surface surface_of(const ir::Board& board) {
    constexpr std::array<std::string_view, 5> points{"point", "node", "vertex", "crossing", "intersection"};
    constexpr std::array<std::string_view, 4> holes{"hole", "pit", "pin", "peg"};
    const auto is_in = [&](const auto& words) { return std::ranges::find(words, board.name) != words.end(); };
    if (board.shape == ir::BoardShape::Lines || board.shape == ir::BoardShape::Graph) return Surface::Points;
    if (board.shape == ir::BoardShape::Ring || is_star(board) || is_in(holes)) return Surface::Holes;
    return is_in(points) && !is_hexagonal(board) ? Surface::Points : Surface::Cells;
}

Layout layout_of(const ir::Board& board, const LayoutRequest& request) {
    Layout layout;
    const ir::BoardLook* const look = request.look;
    layout.surface = request.bare                       ? Surface::Bare
                     : look != nullptr && look->surface ? surface_named(*look->surface)
                                                        : surface_of(board);
    const bool placed = look != nullptr && !look->cells.empty(), hexagonal = is_hexagonal(board) && !placed;
    const bool turned = hexagonal && has_letters_downwards(board);
    for (Point point : points_of(board, look, request.trays)) {
        if (turned) point = {point.y, -point.x};
        if (request.flip) point = point * -1;
        SiteShape site{.centre = point, .outline = {}};
        if (layout.surface == Surface::Cells) site.outline = hexagonal ? hexagon(point, turned) : square(point);
        layout.sites.push_back(std::move(site));
    }
    add_shades(layout, board, request);
    if (layout.surface == Surface::Cells) {
        if (!placed) add_voids(layout, board, request.flip);
        layout.room = request.chess && !hexagonal ? 0.9 : 0.94;
    }
    if (layout.surface == Surface::Points) {
        const bool plain = look != nullptr && look->checkered == false;
        add_lines(layout, board, plain ? nullptr : request.travels);
        add_stars(layout, board);
        layout.round = board.width == 0 && layout.lines.size() >= layout.sites.size();
        if (board.shape != ir::BoardShape::Grid) layout.nodes = is_gridlike(board) ? 0.09 : 0.13;
        constexpr std::int32_t many = 9; // lines, as on boards for stones that nearly touch
        layout.room = std::min(board.width, board.height) >= many ? 1.16 : 0.98;
    }
    if (layout.surface == Surface::Holes) {
        layout.room = 0.9;
        layout.rim = hexagonal ? 0.68 : 0;
    }
    layout.tray = request.trays && !placed && board.sites.size() % 2 == 0;
    if (look != nullptr) {
        add_sides(layout, *look);
        add_loops(layout, *look);
    }
    add_bounds(layout);
    add_labels(layout, board);
    return layout;
}

} // namespace zug::draw::board
