// Loop reduction: what a loop over the members of a set counts is counted for all members by one instruction.

#include "compiler/graph/value_graph.hpp"

namespace zug::run {

struct ValueGraph::Reaching {
    NodeRef from = no_node;   // the members of the domain for which the conditions hold
    NodeRef target = no_node; // the set that each is intersected with
    NodeRef set = no_node;    // of each: rays, or a row of a table
};

// Whether the node belongs to a region outside of this one, so that it is computed before the loop.
bool ValueGraph::lies_around(std::uint32_t region, NodeRef n) const {
    const std::uint32_t own = (*this)[n].region;
    while (region != 0) {
        region = regions_[region].parent;
        if (region == own) return true;
    }
    return false;
}

// A conjunction of memberships of the loop's variable in sets that do not depend on it: narrows `out.from` to their
// intersection. False: the truth is another.
bool ValueGraph::decompose_condition(const Loop& loop, NodeRef truth, Reaching& out) {
    if (lies_around(loop.region, truth)) {
        out.from = bcast(truth, out.from);
        return true;
    }
    const Node node = (*this)[truth];
    if (node.family == Family::And)
        return decompose_condition(loop, node.in[0], out) && decompose_condition(loop, node.in[1], out);
    const bool negated = node.family == Family::Not;
    const Node test = negated ? (*this)[node.in[0]] : node;
    if (test.family != Family::Test || test.in[0] != loop.var || test.in[2] != no_node ||
        test.op_width != width(out.from) || !lies_around(loop.region, test.in[1]))
        return false;
    out.from = negated ? and_not(out.from, test.in[1]) : and_(out.from, test.in[1]);
    return true;
}

bool ValueGraph::decompose(const Loop& loop, NodeRef set, Reaching& out) {
    const Node node = (*this)[set];
    if (lies_around(loop.region, set)) {
        out.target = and_(out.target, set);
        return true;
    }
    switch (node.family) {
    case Family::And: return decompose(loop, node.in[0], out) && decompose(loop, node.in[1], out);
    case Family::AndNot:
        if (!lies_around(loop.region, node.in[1])) return false;
        out.target = and_not(out.target, node.in[1]);
        return decompose(loop, node.in[0], out);
    case Family::Bcast: return decompose_condition(loop, node.in[0], out) && decompose(loop, node.in[1], out);
    case Family::Rays: {
        // If a ray could pass through the start of another ray, the two would merge, and the sum would be too small.
        const Node from = (*this)[node.in[0]];
        if (out.set != no_node || from.family != Family::Bit || from.in[0] != loop.var) return false;
        out.set = set;
        return lies_around(loop.region, node.in[1]) &&
               (known_disjoint(loop.domain, node.in[1]) || known_disjoint(node.in[1], loop.domain));
    }
    case Family::SetTable:
        if (out.set != no_node || node.in[0] != loop.var || node.imm != 0) return false;
        out.set = set;
        return true;
    default: return false;
    }
}

ValueGraph::Counted ValueGraph::count_outside(const OpenLoop& open, NodeRef set) {
    const Passes::Timer timer(passes_, Pass::LoopReduction);
    const Loop loop = loops_[open.loop];
    if (!passes_.on(Pass::LoopReduction) || current_ != loop.region || width(loop.domain) != width(set)) return {};
    Reaching found{loop.domain, this->set(std::vector<std::uint64_t>(width(set), ~std::uint64_t{0}), true), no_node};
    if (!decompose(loop, set, found) || found.set == no_node) return {};
    passes_.changed(Pass::LoopReduction);
    const Node each = (*this)[found.set];
    if (each.family == Family::SetTable)
        return {make(Family::CountImage, each.op_width, {found.from, found.target, no_node}, 0, each.extra),
                found.from};
    return {make(Family::CountRays, each.op_width, {found.from, each.in[1], found.target}, 0, each.extra), found.from};
}

} // namespace zug::run
