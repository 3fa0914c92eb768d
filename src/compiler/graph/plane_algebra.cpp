// Plane algebra: the planes of a map, with the rest of the board as the plane of the value with ordinal 0, are a
// partition of the board. So a union of planes is determined by its set of values, and intersections, unions and
// differences of such unions are operations on sets of values.

#include "compiler/graph/value_graph.hpp"

#include <bit>

namespace zug::run {
namespace {

using Words = std::vector<std::uint64_t>;

} // namespace

void ValueGraph::are_planes(std::span<const NodeRef> planes, NodeRef universe) {
    if (!passes_.on(Pass::PlaneAlgebra)) return;
    if (planes.empty() || planes.size() > 62 || (*this)[planes[0]].map != 0) return;
    const auto map = static_cast<std::uint32_t>(maps_.size() + 1);
    maps_.push_back({(std::uint64_t{2} << planes.size()) - 1, universe, {planes.begin(), planes.end()}});
    for (std::size_t k = 0; k < planes.size(); ++k) {
        Node& node = nodes_[position(planes[k])];
        node.map = map;
        node.values = std::uint64_t{2} << k;
    }
}

// Made of the largest union that has been built and is a part of it, and the rest.
NodeRef ValueGraph::union_of_planes(std::uint32_t map, std::uint64_t values) {
    const Map& of = maps_[map - 1];
    if (values == 0) return set(Words(width(of.universe), 0));
    if (values == of.values) return of.universe;
    NodeRef best = no_node;
    std::uint64_t most = 0;
    for (const NodeRef n : of.unions) {
        const std::uint64_t here = (*this)[n].values;
        if (here == values && visible(n)) return n;
        if ((here & ~values) == 0 && std::popcount(here) > std::popcount(most) && visible(n)) {
            best = n;
            most = here;
        }
    }
    NodeRef result = no_node;
    if ((values & 1) != 0) // what holds the first value is what the planes leave
        result =
            make(Family::AndNot, width(of.universe), {of.universe, union_of_planes(map, of.values & ~values), no_node});
    else
        result = make(Family::Or, width(of.universe), {best, union_of_planes(map, values & ~most), no_node});
    nodes_[position(result)].map = map;
    nodes_[position(result)].values = values;
    maps_[map - 1].unions.push_back(result);
    return result;
}

// The operation `values` on two unions of planes of the same map; no_node: the sets are others.
NodeRef ValueGraph::planes_of(NodeRef a, NodeRef b, std::uint64_t (*values)(std::uint64_t, std::uint64_t)) {
    const Node &x = (*this)[a], &y = (*this)[b];
    const std::uint32_t map = x.map != 0 ? x.map : y.map;
    if (map == 0) return no_node;
    const auto meant = [&](NodeRef n) -> std::optional<std::uint64_t> {
        if ((*this)[n].map == map) return (*this)[n].values;
        return n == maps_[map - 1].universe ? std::optional(maps_[map - 1].values) : std::nullopt;
    };
    const auto left = meant(a), right = meant(b);
    return left && right ? union_of_planes(map, values(*left, *right)) : no_node;
}

NodeRef ValueGraph::and_planes(NodeRef a, NodeRef b) {
    return planes_of(a, b, [](std::uint64_t x, std::uint64_t y) { return x & y; });
}

NodeRef ValueGraph::or_planes(NodeRef a, NodeRef b) {
    return planes_of(a, b, [](std::uint64_t x, std::uint64_t y) { return x | y; });
}

NodeRef ValueGraph::minus_planes(NodeRef a, NodeRef b) {
    return planes_of(a, b, [](std::uint64_t x, std::uint64_t y) { return x & ~y; });
}

} // namespace zug::run
