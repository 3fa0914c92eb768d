#include "draw/terminal/board.hpp"

#include "draw/terminal/board_labels.hpp"
#include "draw/terminal/board_lines.hpp"
#include "ir/board_text.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace zug::draw::terminal {

using board::Point;
using board::Surface;

namespace {

class BoardWriter {
public:
    BoardWriter(const BoardContent& content, const board::Layout& layout, const Screen& screen)
        : content_(content), layout_(layout), screen_(screen), lines_(screen) {}

    Characters in_rows();
    Characters in_trays();
    Characters as_graph();

private:
    const ir::Board& board() const { return content_.board; }
    void write_sites(std::span<const Place> places, bool is_named);
    void write_lines(double across, double down);
    void write_tray(std::span<const std::size_t> sites, int line, int labels);
    bool has_slants() const;

    const BoardContent& content_;
    const board::Layout& layout_;
    const Screen& screen_;
    Characters page_;
    BoardLines lines_;
};

Place place_of(Point point, double across, double down) {
    return {static_cast<int>(std::lround(point.x * across)), static_cast<int>(std::lround(point.y * down))};
}

bool BoardWriter::has_slants() const {
    return std::ranges::any_of(layout_.lines, [](const board::Segment& line) {
        return std::abs(line.from.x - line.to.x) > 0.01 && std::abs(line.from.y - line.to.y) > 0.01;
    });
}

// Signs end at their places.
void BoardWriter::write_sites(std::span<const Place> places, bool is_named) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Sign& sign = content_.sites[i];
        const Place at = places[i];
        const std::string crossing = screen_.unicode && content_.width == 1 && !is_named ? lines_.crossing(at) : "";
        const std::string text = !sign.text.empty() ? sign.text
                                 : crossing.empty() ? std::string(empty_sign(screen_))
                                                    : crossing;
        page_.write({at.x + 1 - columns_of(text), at.y}, text, sign.text.empty() ? faint_colour : sign.colour);
        if (is_named) page_.write({at.x + 2, at.y}, board::site_text(board().sites[i]), faint_colour);
    }
}

void BoardWriter::write_lines(double across, double down) {
    for (const board::Segment& line : layout_.lines)
        lines_.add(place_of(line.from, across, down), place_of(line.to, across, down));
    lines_.write(page_);
}

Characters BoardWriter::in_rows() {
    const bool hexagonal = board().shape == ir::BoardShape::Rhombus || board().shape == ir::BoardShape::Hexagon;
    // Lines between neighbours that touch would say nothing without characters for them.
    const bool has_lines = layout_.surface == Surface::Points &&
                           (screen_.unicode || board().shape != ir::BoardShape::Grid || has_slants());
    const int stretch = has_lines && has_slants() ? 2 : 1;
    int spacing = content_.width + 1;
    if (hexagonal) spacing += spacing % 2;
    std::vector<Place> places;
    for (const ir::Site& site : board().sites)
        places.push_back({stretch * site.x * spacing + (hexagonal ? site.y * (spacing / 2) : 0), -stretch * site.y});
    if (has_lines) write_lines(stretch * spacing, stretch);
    write_sites(places, false);
    write_labels(page_, {board(), places, content_.width, {stretch * spacing, stretch}, hexagonal});
    return std::move(page_);
}

// The pits of one row, and beside it whose they are, if they are one player's.
void BoardWriter::write_tray(std::span<const std::size_t> sites, int line, int labels) {
    int widest = content_.width;
    const auto label_of = [&](std::size_t site) {
        const std::string& text = content_.owners[site].text;
        return text.empty() ? board::site_text(board().sites[site]) : text;
    };
    for (std::size_t site = 0; site < board().sites.size(); ++site)
        widest = std::max(widest, columns_of(label_of(site)));
    std::set<std::uint32_t> owners;
    int x = 0;
    for (const std::size_t site : sites) {
        x += widest + 2;
        const Owner& owner = content_.owners[site];
        const std::string label = label_of(site);
        const std::string text =
            content_.sites[site].text.empty() ? std::string(empty_sign(screen_)) : content_.sites[site].text;
        page_.write({x - columns_of(text), line}, text);
        page_.write({x - columns_of(label), labels}, label, faint_colour);
        if (owner.player && !owner.several) owners.insert(*owner.player);
    }
    if (owners.size() == 1) page_.write({x + 3, line}, content_.program.players[*owners.begin()]);
}

Characters BoardWriter::in_trays() {
    const std::size_t half = board().sites.size() / 2;
    std::vector<std::size_t> lower, upper;
    for (std::size_t i = 0; i < half; ++i) {
        lower.push_back(i);
        upper.push_back(2 * half - 1 - i);
    }
    write_tray(upper, 1, 0);
    write_tray(lower, 2, 3);
    return std::move(page_);
}

Characters BoardWriter::as_graph() {
    constexpr std::size_t many = 80;
    if (board().sites.size() > many) return {};
    int widest = 0;
    for (const ir::Site& site : board().sites) widest = std::max(widest, columns_of(board::site_text(site)));
    const double across = std::max(6, content_.width + widest + 3), down = 3;
    std::vector<Place> places;
    for (const board::SiteShape& site : layout_.sites) places.push_back(place_of(site.centre, across, down));
    write_lines(across, down);
    write_sites(places, true);
    return page_.right() - page_.left() > static_cast<int>(screen_.width) ? Characters() : std::move(page_);
}

} // namespace

Characters board_of(const BoardContent& content, const board::Layout& layout, const Screen& screen) {
    BoardWriter writer(content, layout, screen);
    if (ir::has_rows(content.board)) return writer.in_rows();
    return layout.tray ? writer.in_trays() : writer.as_graph();
}

} // namespace zug::draw::terminal
