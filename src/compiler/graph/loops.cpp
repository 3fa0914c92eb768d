// Loops and guards: regions of the graph that are executed many times, or only where a truth holds.

#include "compiler/graph/value_graph.hpp"

#include <algorithm>

namespace zug::run {

namespace {

// What the loops of one routine may cost, in words computed: some seconds. What takes longer is left to
// the reference evaluator, which counts its steps.
constexpr double most_cost = 0x1p30;
// Of a loop that has no other bound.
constexpr double usual_rounds = 64;
constexpr double record_cost = 24; // beside that of its words

} // namespace

ValueGraph::OpenLoop ValueGraph::open_loop(Reduce reduce, NodeRef domain, std::uint16_t width, NodeRef init) {
    const auto region = static_cast<std::uint32_t>(regions_.size());
    regions_.push_back({current_, regions_[current_].depth + 1, true, {}});
    current_ = region;
    const bool carried = reduce == Reduce::Grow || reduce == Reduce::Repeat;
    Node var;
    var.family = carried ? Family::Carry : Family::LoopVar;
    var.width = var.op_width = carried ? width : std::uint16_t{1};
    const NodeRef ref = add(std::move(var));
    nodes_[position(ref)].region = region;
    loops_.push_back({reduce, domain, ref, init, no_node, region, width});
    return {static_cast<std::uint32_t>(loops_.size() - 1), ref};
}

NodeRef ValueGraph::close_loop(const OpenLoop& open, NodeRef body) {
    Loop& loop = loops_[open.loop];
    loop.body = body;
    regions_[loop.region].open = false;
    current_ = regions_[loop.region].parent;
    if (!loop.dropped) {
        const double rounds = loop.reduce == Reduce::Once ? 1 : loop.most != 0 ? loop.most : usual_rounds;
        // To find the next member takes a look at half of the words.
        double once = regions_[loop.region].cost + (loop.domain == no_node ? 0 : width(loop.domain) / 2);
        for (const NodeRef n : regions_[loop.region].order) {
            const Node& node = nodes_[position(n)];
            once += node.op_width + (node.family == Family::EmitRecord ? record_cost : 0);
        }
        regions_[current_].cost += rounds * once;
        overflow_ = overflow_ || regions_[current_].cost > most_cost;
    }
    Node node;
    node.family = Family::Loop;
    node.width = node.op_width = loop.width;
    node.extra = open.loop;
    node.effect = loop.reduce == Reduce::Effects || loop.reduce == Reduce::Once;
    return add(std::move(node));
}

// The body, which is complete, is the union of what it is of each part of what has grown, and of what does not depend
// on that: it need not be computed of the members of earlier rounds again. Without a loop in it that would save
// nothing.
void ValueGraph::grow_by_new(const OpenLoop& open) {
    loops_[open.loop].by_new = std::ranges::any_of(regions_[loops_[open.loop].region].order, [&](NodeRef n) {
        return nodes_[position(n)].family == Family::Loop;
    });
}

ValueGraph::OpenLoop ValueGraph::open_guard(NodeRef truth) {
    const OpenLoop open = open_loop(Reduce::Once, truth, 1, no_node);
    regions_[current_].keeps = true;
    return open;
}

// The deepest of the regions of what a loop reads: its domain, its initial value, and the inputs of its body from
// outside.
std::uint32_t ValueGraph::region_of_loop(const Loop& loop) const {
    std::uint32_t deepest = innermost_guard();
    const auto need = [&](NodeRef n) {
        if (n == no_node) return;
        // The regions of this loop and of loops within it are closed by now; only those around it are open.
        const std::uint32_t region = nodes_[position(n)].region;
        if (regions_[region].open && regions_[region].depth > regions_[deepest].depth) deepest = region;
    };
    const auto scan = [&](const auto& self, const Loop& inner) -> void {
        need(inner.domain);
        need(inner.init);
        need(inner.body);
        for (NodeRef n : regions_[inner.region].order) {
            for (NodeRef in : nodes_[position(n)].in) need(in);
            for (NodeRef in : nodes_[position(n)].more) need(in);
            if (nodes_[position(n)].family == Family::Loop) self(self, loops_[nodes_[position(n)].extra]);
        }
    };
    scan(scan, loop);
    return deepest;
}

} // namespace zug::run
