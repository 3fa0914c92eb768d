// The texts at the edges of boards.

#include "draw/board/layout/layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace zug::draw::board {

namespace {

constexpr double tiny = 1e-6;

// The sites that have a text in common.
struct Group {
    std::string text;
    std::vector<Point> sites;
};

// By letters and by digits; empty where the texts aren't made of both.
std::pair<std::vector<Group>, std::vector<Group>> groups_of(const Layout& layout, const ir::Board& board) {
    std::map<std::string, Group> columns, rows;
    const bool own = std::ranges::all_of(
        board.sites, [](const ir::Site& site) { return !letters_and_digits(site_text(site)).first.empty(); });
    for (std::size_t i = 0; i < board.sites.size(); ++i) {
        const ir::Site& site = board.sites[i];
        const auto [letters, digits] = letters_and_digits(own ? site_text(site) : site.name);
        if (letters.empty()) return {};
        columns[letters].sites.push_back(layout.sites[i].centre);
        rows[digits].sites.push_back(layout.sites[i].centre);
    }
    const auto values = [](const std::map<std::string, Group>& groups) {
        std::vector<Group> all;
        for (const auto& [text, group] : groups) all.push_back({text, group.sites});
        return all;
    };
    return {values(columns), values(rows)};
}

// At the end of the group's line that lies farthest along `side`, in the direction of its last step.
EdgeLabel label_at_end(const Layout& layout, Group group, Point side) {
    std::ranges::sort(group.sites, {}, [&](Point p) { return p.x * side.x + p.y * side.y; });
    const Point end = group.sites.back();
    Point away = side;
    if (group.sites.size() > 1) {
        const Point step = end - group.sites[group.sites.size() - 2];
        away = step * (1 / std::max(tiny, length_of(step)));
    }
    return {end + away * std::max(0.5, layout.rim), away, group.text};
}

// Below the board, or to its left.
EdgeLabel label_at_side(const Layout& layout, const Group& group, bool below) {
    const Point first = group.sites.front();
    if (below) return {{first.x, layout.high.y}, {0, 1}, group.text};
    return {{layout.low.x, first.y}, {-1, 0}, group.text};
}

bool all_in_line(const std::vector<Group>& groups, double Point::*coordinate) {
    return std::ranges::all_of(groups, [&](const Group& group) {
        return std::ranges::all_of(group.sites, [&](Point site) {
            return std::abs(site.*coordinate - group.sites.front().*coordinate) < tiny;
        });
    });
}

// Those of `some` that lie on one of the others.
std::vector<std::size_t> overlaps(const std::vector<EdgeLabel>& some, const std::vector<EdgeLabel>& others) {
    constexpr double near = 0.45;
    const auto middle = [](const EdgeLabel& label) { return label.at + label.away * 0.4; };
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < some.size(); ++i)
        if (std::ranges::any_of(
                others, [&](const EdgeLabel& other) { return length_of(middle(some[i]) - middle(other)) < near; }))
            found.push_back(i);
    return found;
}

// The letters of the columns at that end of them where fewer lie on numbers. Those that still do go straight up or
// down.
std::vector<EdgeLabel> letters_at_ends(const Layout& layout, const std::vector<Group>& columns,
                                       const std::vector<EdgeLabel>& numbers) {
    std::vector<EdgeLabel> best;
    std::size_t least = SIZE_MAX;
    for (const double side : {1.0, -1.0}) {
        std::vector<EdgeLabel> labels;
        for (const Group& group : columns) labels.push_back(label_at_end(layout, group, {0.01, side}));
        const std::vector<std::size_t> bad = overlaps(labels, numbers);
        for (const std::size_t i : bad) labels[i].away = {0, side};
        if (bad.size() >= least) continue;
        least = bad.size();
        best = std::move(labels);
    }
    return best;
}

} // namespace

void add_labels(Layout& layout, const ir::Board& board) {
    const auto has_number = [](const ir::Site& site) {
        return !site.text.empty() && letters_and_digits(site.text).first.empty() &&
               std::ranges::all_of(site.text, [](char c) { return c >= '0' && c <= '9'; });
    };
    const auto [columns, rows] = groups_of(layout, board);
    const bool grid = all_in_line(columns, &Point::x) && all_in_line(rows, &Point::y);
    const bool listed = board.shape == ir::BoardShape::Graph || board.shape == ir::BoardShape::Ring || board.width == 0;
    layout.named = listed || columns.empty() || std::ranges::all_of(board.sites, has_number);
    if (layout.named) return;
    std::vector<EdgeLabel> left, below;
    for (const Group& group : rows)
        left.push_back(grid ? label_at_side(layout, group, false) : label_at_end(layout, group, {-1, 0.01}));
    if (grid) {
        for (const Group& group : columns) below.push_back(label_at_side(layout, group, true));
    } else {
        below = letters_at_ends(layout, columns, left);
    }
    layout.labels = std::move(below);
    layout.labels.insert(layout.labels.end(), left.begin(), left.end());
}

} // namespace zug::draw::board
