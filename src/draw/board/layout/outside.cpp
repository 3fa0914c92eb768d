// What a `look` has at the edge of a board and outside of it.

#include "draw/board/layout/layout.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace zug::draw::board {

namespace {

constexpr double near = 1e-3;

// An edge of a cell with no other cell behind it.
struct FreeEdge {
    std::size_t site = 0;
    Segment line;
    long direction = 0; // which way it faces, in degrees
};

std::vector<FreeEdge> free_edges(const Layout& layout) {
    std::vector<FreeEdge> found;
    const auto has_site = [&](Point at) {
        return std::ranges::any_of(layout.sites,
                                   [&](const SiteShape& site) { return length_of(site.centre - at) < near; });
    };
    for (std::size_t i = 0; i < layout.sites.size(); ++i) {
        const SiteShape& site = layout.sites[i];
        for (std::size_t k = 0; k < site.outline.size(); ++k) {
            const Segment line{site.outline[k], site.outline[(k + 1) % site.outline.size()]};
            const Point out = (line.from + line.to) * 0.5 - site.centre;
            if (has_site(site.centre + out * 2)) continue;
            found.push_back({i, line, std::lround(std::atan2(out.y, out.x) * 180 / std::numbers::pi)});
        }
    }
    return found;
}

// Sites of one player that lie beside each other.
struct Side {
    std::uint32_t player = 0;
    Bits sites;
    Point middle;
};

std::vector<Side> sides_of(const Layout& layout, const ir::BoardLook& look) {
    constexpr double beside = 1.1;
    std::vector<Side> sides;
    for (const auto& [player, sites] : look.sides) {
        Bits rest = sites;
        while (rest.any()) {
            Side side{player, Bits(rest.size()), {}};
            std::vector<std::size_t> reached{rest.first()};
            rest.reset(reached.front());
            for (std::size_t i = 0; i < reached.size(); ++i) {
                side.sites.set(reached[i]);
                for (std::size_t site = rest.first(); site < rest.size(); site = rest.next(site + 1)) {
                    if (length_of(layout.sites[site].centre - layout.sites[reached[i]].centre) > beside) continue;
                    rest.reset(site);
                    reached.push_back(site);
                }
            }
            for (const std::size_t site : reached)
                side.middle = side.middle + layout.sites[site].centre * (1 / static_cast<double>(reached.size()));
            sides.push_back(std::move(side));
        }
    }
    return sides;
}

// Each side has the half that is nearer to it.
void add_halves(Layout& layout, Segment line, const Side& one, const Side& other) {
    const Point half = (line.from + line.to) * 0.5;
    if (length_of(line.from - one.middle) > length_of(line.to - one.middle)) std::swap(line.from, line.to);
    layout.sides.push_back({{line.from, half}, one.player});
    layout.sides.push_back({{half, line.to}, other.player});
}

// Round the corner of a grid, or bulging away from its middle.
std::vector<Point> loop_between(Point from, Point to, Point middle) {
    constexpr int steps = 32;
    std::vector<Point> points;
    const Point off = to - from;
    if (std::abs(std::abs(off.x) - std::abs(off.y)) < near) {
        const Point one{from.x, to.y}, other{to.x, from.y};
        const Point corner = length_of(one - middle) > length_of(other - middle) ? one : other;
        const double radius = std::abs(off.x), start = std::atan2(from.y - corner.y, from.x - corner.x),
                     quarter =
                         std::remainder(std::atan2(to.y - corner.y, to.x - corner.x) - start, 2 * std::numbers::pi);
        const double turn = quarter - std::copysign(2 * std::numbers::pi, quarter); // the long way
        for (int i = 0; i <= steps; ++i)
            points.push_back(corner +
                             Point{std::cos(start + turn * i / steps), std::sin(start + turn * i / steps)} * radius);
        return points;
    }
    const Point away = (from + to) * 0.5 - middle;
    const Point out = away * (length_of(off) / std::max(near, length_of(away)));
    for (int i = 0; i <= steps; ++i) {
        const double t = static_cast<double>(i) / steps, s = 1 - t;
        points.push_back(from * (s * s * s + 3 * s * s * t) + to * (t * t * t + 3 * s * t * t) + out * (3 * s * t));
    }
    return points;
}

} // namespace

// The edges of a side face one way or two, not round the corners of the board. Where the sites of two sides meet, an
// edge belongs to the side that has more edges that face the same way; or half of it to each, if they have equally
// many.
void add_sides(Layout& layout, const ir::BoardLook& look) {
    if (look.sides.empty()) return;
    const std::vector<FreeEdge> edges = free_edges(layout);
    const std::vector<Side> sides = sides_of(layout, look);
    std::vector<std::map<long, std::size_t>> facing(sides.size()); // number of edges by direction
    std::vector<std::size_t> largest(sides.size());
    for (std::size_t side = 0; side < sides.size(); ++side)
        for (const FreeEdge& edge : edges)
            if (sides[side].sites.test(edge.site))
                largest[side] = std::max(largest[side], ++facing[side][edge.direction]);
    for (const FreeEdge& edge : edges) {
        std::vector<std::size_t> best;
        std::size_t most = 1;
        for (std::size_t side = 0; side < sides.size(); ++side) {
            const std::size_t found = sides[side].sites.test(edge.site) ? facing[side][edge.direction] : 0;
            if (found < most || 2 * found <= largest[side]) continue;
            if (found > most) best.clear();
            best.push_back(side);
            most = found;
        }
        if (best.size() == 1) layout.sides.push_back({edge.line, sides[best.front()].player});
        if (best.size() > 1) add_halves(layout, edge.line, sides[best[0]], sides[best[1]]);
    }
    for (const Side& side : sides)
        for_each_bit(side.sites, [&](std::size_t i) {
            if (std::ranges::find(edges, i, &FreeEdge::site) == edges.end()) layout.sites[i].owner = side.player;
        });
}

void add_loops(Layout& layout, const ir::BoardLook& look) {
    Point middle;
    for (const SiteShape& site : layout.sites)
        middle = middle + site.centre * (1 / static_cast<double>(layout.sites.size()));
    for (const auto& [from, to] : look.loops)
        layout.loops.push_back(loop_between(layout.sites[from].centre, layout.sites[to].centre, middle));
}

} // namespace zug::draw::board
