// Rays: the squares visible from other squares along straight lines.

#include "compiler/graph/value_graph.hpp"

#include <algorithm>

namespace zug::run {

bool ValueGraph::straight(const std::vector<std::int64_t>& step) {
    bool ascends = true, descends = true;
    for (std::size_t b = 0; b < step.size(); ++b) {
        if (step[b] < 0) continue;
        ascends = ascends && step[b] > static_cast<std::int64_t>(b);
        descends = descends && step[b] < static_cast<std::int64_t>(b);
    }
    return ascends || descends;
}

NodeRef ValueGraph::rays(NodeRef from, NodeRef through, const std::vector<std::int64_t>& step) {
    auto known = std::ranges::find(ray_steps_, step);
    if (known == ray_steps_.end()) known = ray_steps_.insert(known, step);
    const auto number = static_cast<std::uint32_t>(known - ray_steps_.begin());
    return make(Family::Rays, width(from), {from, through, no_node}, 0, ray_list({number}));
}

NodeRef ValueGraph::rays_back(NodeRef rays, NodeRef targets) {
    const Node node = (*this)[rays];
    NodeRef result = no_node;
    for (const std::uint32_t number : std::vector(ray_lists_[node.extra])) {
        const std::vector<std::int64_t> step = ray_steps_[number];
        std::vector<std::int64_t> back(step.size(), -1);
        for (std::size_t from = 0; from < step.size(); ++from)
            if (step[from] >= 0) back[static_cast<std::size_t>(step[from])] = static_cast<std::int64_t>(from);
        const NodeRef seen = this->rays(targets, node.in[1], back);
        result = result == no_node ? seen : or_(result, seen);
    }
    return result;
}

NodeRef ValueGraph::squares_between(NodeRef rays, NodeRef targets) {
    const Node node = (*this)[rays];
    if (targets == no_node) return no_node;
    // For sets of several words the instruction is slower than the intersection, which is a superset and so as safe.
    if (node.op_width != 1) return and_(rays, rays_back(rays, targets));
    return make(Family::Between, 1, {node.in[0], node.in[1], targets}, 0, node.extra);
}

NodeRef ValueGraph::preimage(NodeRef image, NodeRef targets) {
    const Node node = (*this)[image];
    const std::vector<std::uint64_t> rows = code_.tables.sets[node.extra];
    const std::size_t words = node.width;
    std::vector<std::uint64_t> back(words * 64 * words, 0);
    for (std::size_t from = 0; from < rows.size() / words; ++from)
        for (std::size_t to = 0; to < words * 64; ++to)
            if ((rows[from * words + to / 64] >> (to % 64) & 1) != 0)
                back[to * words + from / 64] |= std::uint64_t{1} << (from % 64);
    return make(Family::Image, node.op_width, {targets, no_node, no_node}, 0, add_sets(std::move(back)));
}

// Of rays from the same squares through the same squares: rays in the directions of both.
NodeRef ValueGraph::merge_rays(NodeRef a, NodeRef b) {
    const Node& x = (*this)[a];
    const Node& y = (*this)[b];
    if (x.family != Family::Rays || y.family != Family::Rays || x.in != y.in) return no_node;
    std::vector<std::uint32_t> steps = ray_lists_[x.extra];
    const auto& more = ray_lists_[y.extra];
    steps.insert(steps.end(), more.begin(), more.end());
    return make(Family::Rays, x.op_width, x.in, 0, ray_list(std::move(steps)));
}

std::uint32_t ValueGraph::ray_list(std::vector<std::uint32_t> steps) {
    std::ranges::sort(steps);
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    auto known = std::ranges::find(ray_lists_, steps);
    if (known == ray_lists_.end()) {
        known = ray_lists_.insert(known, std::move(steps));
        ray_tables_.push_back(-1);
    }
    return static_cast<std::uint32_t>(known - ray_lists_.begin());
}

std::uint32_t ValueGraph::ray_table(std::uint32_t list, std::uint16_t width) {
    if (ray_tables_[list] >= 0) return static_cast<std::uint32_t>(ray_tables_[list]);
    const auto ascends = [&](std::uint32_t s) {
        const auto& step = ray_steps_[s];
        for (std::size_t b = 0; b < step.size(); ++b)
            if (step[b] >= 0) return step[b] > static_cast<std::int64_t>(b);
        return true;
    };
    std::vector<std::uint32_t> steps = ray_lists_[list];
    const auto first_down = std::ranges::stable_partition(steps, ascends).begin();
    RayTable table;
    table.count = static_cast<std::uint32_t>(steps.size());
    table.up = static_cast<std::uint32_t>(first_down - steps.begin());
    for (std::size_t from = 0; from < ray_steps_[steps[0]].size(); ++from)
        for (const std::uint32_t s : steps) {
            std::vector<std::uint64_t> row(width, 0);
            for (std::int64_t to = ray_steps_[s][from]; to >= 0; to = ray_steps_[s][static_cast<std::size_t>(to)])
                row[static_cast<std::size_t>(to) / 64] |= std::uint64_t{1} << (to % 64);
            table.rows.insert(table.rows.end(), row.begin(), row.end());
        }
    code_.tables.rays.push_back(std::move(table));
    ray_tables_[list] = static_cast<std::int64_t>(code_.tables.rays.size() - 1);
    return static_cast<std::uint32_t>(ray_tables_[list]);
}

} // namespace zug::run
