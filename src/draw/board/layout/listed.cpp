// Layouts of boards that are listed without coordinates.
//
// Trees: draw/layout.hpp. Other graphs: stress majorisation, E. Gansner, Y. Koren, S. North, Graph Drawing by Stress
// Majorization, Graph Drawing 2004, begun with the sites in a ring, so that it is the same each time.

#include "draw/board/layout/layout.hpp"
#include "draw/layout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace zug::draw::board {

namespace {

using Neighbours = std::vector<std::vector<std::size_t>>;

// Where edges or directions lead.
Neighbours successors_of(const ir::Board& board) {
    Neighbours next(board.sites.size());
    std::vector<ir::StepId> steps = board.edges;
    if (steps.empty())
        for (std::uint32_t d = 0; d < board.dir_count; ++d) steps.push_back(static_cast<ir::StepId>(d));
    for (const ir::StepId step : steps)
        for (std::size_t i = 0; i < next.size(); ++i)
            if (const std::int32_t to = board.steps[step].to[i]; to >= 0)
                next[i].push_back(static_cast<std::size_t>(to));
    return next;
}

// The root of the tree that the edges are; none: they are no tree.
std::optional<std::size_t> root_of(const Neighbours& next) {
    std::vector<int> before(next.size());
    std::size_t edges = 0;
    for (const auto& all : next)
        for (const std::size_t to : all) ++before[to], ++edges;
    const auto root = std::ranges::find(before, 0);
    if (root == before.end() || edges + 1 != next.size() || std::ranges::any_of(before, [](int n) { return n > 1; }))
        return std::nullopt;
    // With as many edges as other sites, and one into each of these, only a cycle could be apart from the root.
    std::vector<std::size_t> reached{static_cast<std::size_t>(root - before.begin())};
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (const std::size_t to : next[reached[i]]) reached.push_back(to);
    return reached.size() == next.size() ? std::optional(reached.front()) : std::nullopt;
}

std::vector<Point> tree_points(const Neighbours& next, std::size_t root) {
    std::vector<std::size_t> order{root}; // of the boxes
    std::vector<Box> boxes(next.size(), Box{.width = 1, .children = {}});
    std::vector<double> depth(next.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const std::size_t to : next[order[i]]) {
            depth[order.size()] = depth[i] + 1;
            boxes[i].children.push_back(order.size());
            order.push_back(to);
        }
    lay_out(boxes, 0.5);
    std::vector<Point> points(next.size());
    for (std::size_t i = 0; i < order.size(); ++i) points[order[i]] = {boxes[i].x, depth[i] * 1.4};
    return points;
}

// The number of edges between each two sites; between parts that no edge joins, more than any.
std::vector<std::vector<double>> distances_of(const ir::Board& board) {
    const std::size_t count = board.sites.size();
    Neighbours beside(count);
    for (const auto& [a, b] : joined_sites(board)) beside[a].push_back(b), beside[b].push_back(a);
    const double apart = std::sqrt(static_cast<double>(count)) + 2;
    std::vector<std::vector<double>> distances(count, std::vector<double>(count, apart));
    for (std::size_t from = 0; from < count; ++from) {
        std::vector<std::size_t> reached{from};
        distances[from][from] = 0;
        std::vector<bool> known(count);
        known[from] = true;
        for (std::size_t i = 0; i < reached.size(); ++i)
            for (const std::size_t to : beside[reached[i]])
                if (!known[to]) {
                    known[to] = true;
                    distances[from][to] = distances[from][reached[i]] + 1;
                    reached.push_back(to);
                }
    }
    return distances;
}

// One round: each site goes where the others, weighted by distance, would have it.
void majorise(std::vector<Point>& points, const std::vector<std::vector<double>>& distances) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        Point sum;
        double weights = 0;
        for (std::size_t j = 0; j < points.size(); ++j) {
            if (i == j) continue;
            const double wanted = distances[i][j], weight = 1 / (wanted * wanted);
            const Point off = points[i] - points[j];
            sum = sum + (points[j] + off * (wanted / std::max(1e-9, length_of(off)))) * weight;
            weights += weight;
        }
        if (weights > 0) points[i] = sum * (1 / weights);
    }
}

// Turns all about their middle so that the first one is straight above it, unless it is there itself.
void turn_upright(std::vector<Point>& points) {
    Point middle;
    for (const Point point : points) middle = middle + point * (1 / static_cast<double>(points.size()));
    const Point off = points.empty() ? Point{} : points.front() - middle;
    const double length = length_of(off);
    if (length < 0.1) return;
    const double sine = -off.x / length, cosine = -off.y / length;
    for (Point& point : points) {
        const Point p = point - middle;
        point = {p.x * cosine - p.y * sine, p.x * sine + p.y * cosine};
    }
}

std::vector<Point> graph_points(const ir::Board& board) {
    constexpr std::size_t most = 1500; // more would take seconds
    const std::size_t count = board.sites.size();
    std::vector<Point> points;
    for (std::size_t i = 0; i < count; ++i) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
        points.push_back(Point{std::sin(angle), -std::cos(angle)} *
                         (count > most ? static_cast<double>(count) / 6 : 1));
    }
    if (count > most) return points;
    const auto distances = distances_of(board);
    const std::size_t rounds = std::clamp<std::size_t>(40'000'000 / (count * count + 1), 20, 300);
    for (std::size_t i = 0; i < rounds; ++i) majorise(points, distances);
    turn_upright(points);
    double nearest = 1e9;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i + 1; j < count; ++j) nearest = std::min(nearest, length_of(points[i] - points[j]));
    if (count > 1)
        for (Point& point : points) point = point * (1.25 / std::max(0.2, nearest));
    return points;
}

} // namespace

std::vector<std::pair<std::size_t, std::size_t>> joined_sites(const ir::Board& board) {
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    const Neighbours next = successors_of(board);
    for (std::size_t i = 0; i < next.size(); ++i)
        for (const std::size_t to : next[i])
            if (to != i) pairs.insert(std::minmax(i, to));
    return {pairs.begin(), pairs.end()};
}

std::vector<Point> listed_points(const ir::Board& board) {
    const Neighbours next = successors_of(board);
    const auto root = root_of(next);
    return root ? tree_points(next, *root) : graph_points(board);
}

} // namespace zug::draw::board
