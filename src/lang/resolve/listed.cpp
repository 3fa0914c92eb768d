// Boards whose sites are listed: lines of sites along named directions, and graphs.

#include "lang/resolve/boards.hpp"
#include "lang/resolve/shapes.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

namespace zug::lang {

namespace {

// The name of the opposite direction, for those of a compass.
std::string_view opposite(std::string_view name) {
    for (const auto& c : grid_compass())
        if (c.name == name)
            for (const auto& o : grid_compass())
                if (o.dx == -c.dx && o.dy == -c.dy) return o.name;
    return {};
}

// Numbers names in order of appearance.
class Numbering {
public:
    std::size_t number(const std::string& name) {
        const auto [it, fresh] = numbers_.emplace(name, names.size());
        if (fresh) names.push_back(name);
        return it->second;
    }
    std::vector<std::string> names;

private:
    boost::unordered_flat_map<std::string, std::size_t> numbers_;
};

// If all names have the form a1, the sites get coordinates and the order of a grid. Returns the new index of each
// site.
std::vector<std::size_t> add_sites(ir::Board& board, const std::vector<std::string>& names) {
    std::vector<std::size_t> order(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) order[i] = i;
    std::vector<std::pair<std::int64_t, std::int64_t>> at;
    for (const auto& name : names)
        if (auto xy = site_coordinates(name)) at.push_back(*xy);
    const bool algebraic = at.size() == names.size();
    if (algebraic) std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(at[i].second, at[i].first); });
    std::vector<std::size_t> new_index(names.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        new_index[order[i]] = i;
        ir::Site site{.name = names[order[i]]};
        if (algebraic) {
            site.x = static_cast<std::int32_t>(at[order[i]].first);
            site.y = static_cast<std::int32_t>(at[order[i]].second);
            board.width = std::max(board.width, site.x);
            board.height = std::max(board.height, site.y);
        }
        board.sites.push_back(std::move(site));
    }
    return new_index;
}

ir::StepMap reversed(const ir::StepMap& map, std::string name) {
    ir::StepMap result{.name = std::move(name), .to = std::vector<std::int32_t>(map.to.size(), -1)};
    for (std::size_t i = 0; i < map.to.size(); ++i)
        if (map.to[i] >= 0) result.to[static_cast<std::size_t>(map.to[i])] = static_cast<std::int32_t>(i);
    return result;
}

void finish_directions(ir::Board& board) {
    const auto count = board.steps.size();
    board.dir_count = static_cast<std::uint32_t>(count);
    for (auto& step : board.steps) step.injective = is_injective(step);
    board.compass = board.axes = board.adjacent = Bits::full(count);
    board.ortho = board.diagonals = Bits(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto& name = board.steps[static_cast<ir::StepId>(i)].name;
        for (std::size_t j = 0; j < i; ++j) // of two opposites the first listed is the axis
            if (board.steps[static_cast<ir::StepId>(j)].name == opposite(name)) board.axes.reset(i);
    }
}

} // namespace

bool Boards::line_sites(NodeId shape, ir::Board& board) {
    board.shape = ir::BoardShape::Lines;
    Numbering sites;
    for (NodeId set : children(shape))
        for (NodeId line : children(set))
            for (NodeId site : children(line))
                if (valid(site)) sites.number(node(site).text);
    if (!fits_board(static_cast<std::int64_t>(sites.names.size()), span(shape))) return false;
    const auto new_index = add_sites(board, sites.names);
    for (NodeId set : children(shape)) {
        ir::StepMap map{.name = node(set).text, .to = std::vector<std::int32_t>(new_index.size(), -1)};
        for (NodeId line : children(set)) {
            const auto names = children(line);
            for (std::size_t i = 0; i + 1 < names.size(); ++i) {
                if (!valid(names[i]) || !valid(names[i + 1])) continue;
                auto& to = map.to[new_index[sites.number(node(names[i]).text)]];
                const auto next = static_cast<std::int32_t>(new_index[sites.number(node(names[i + 1]).text)]);
                if (to >= 0 && to != next) error(Message::LineForks, span(names[i]), {node(names[i]).text, map.name});
                to = next;
            }
        }
        for (const auto& step : board.steps)
            if (step.name == map.name) error(Message::DeclaredTwice, span(set), {map.name});
        board.steps.push(std::move(map));
    }
    // Indexed, because the list grows.
    for (std::uint32_t i = 0, listed = static_cast<std::uint32_t>(board.steps.size()); i < listed; ++i) {
        const std::string other(opposite(board.steps[static_cast<ir::StepId>(i)].name));
        const bool there = std::ranges::any_of(board.steps, [&](const auto& step) { return step.name == other; });
        if (!other.empty() && !there) board.steps.push(reversed(board.steps[static_cast<ir::StepId>(i)], other));
    }
    finish_directions(board);
    return true;
}

// The i-th edge out of each site makes the map out<i>; their union is the path `out`.
bool Boards::graph_sites(NodeId shape, ir::Board& board) {
    board.shape = ir::BoardShape::Graph;
    Numbering sites;
    for (NodeId list : children(shape)) sites.number(node(list).text);
    std::size_t most = 0;
    for (NodeId list : children(shape)) {
        most = std::max(most, children(list).size());
        for (NodeId to : children(list))
            if (valid(to)) sites.number(node(to).text);
    }
    if (!fits_board(static_cast<std::int64_t>(sites.names.size()), span(shape))) return false;
    for (const auto& name : sites.names) board.sites.push_back({.name = name});
    for (std::size_t i = 0; i < most; ++i) {
        ir::StepMap map{.name = "out" + std::to_string(i + 1), .to = std::vector<std::int32_t>(sites.names.size(), -1)};
        for (NodeId list : children(shape)) {
            const auto edges = children(list);
            if (i < edges.size() && valid(edges[i]))
                map.to[sites.number(node(list).text)] = static_cast<std::int32_t>(sites.number(node(edges[i]).text));
        }
        map.injective = is_injective(map);
        board.edges.push_back(board.steps.push(std::move(map)));
    }
    board.compass = board.ortho = board.diagonals = board.axes = board.adjacent = Bits(0);
    return true;
}

} // namespace zug::lang
