// Live values: the nodes that results and effects need. All others are dead: nodes that rewriting has replaced, and
// those that failed attempts to lower an expression have left.

#include "compiler/graph/value_graph.hpp"

namespace zug::run {
void ValueGraph::mark(NodeRef n) {
    if (n == no_node || nodes_[position(n)].live) return;
    Node& node = nodes_[position(n)];
    node.live = true;
    if (node.family == Family::Loop) mark_loop(node.extra);
    for (NodeRef in : nodes_[position(n)].in) mark(in);
    for (NodeRef in : nodes_[position(n)].more) mark(in);
}

void ValueGraph::mark_loop(std::uint32_t index) {
    const Loop loop = loops_[index];
    if (loop.dropped) return;
    mark(loop.domain);
    mark(loop.init);
    mark(loop.body);
    for (NodeRef n : regions_[loop.region].order)
        if (nodes_[position(n)].effect) mark(n);
}

// `exception`: of this effect, that input is not followed.
void ValueGraph::mark_all(std::span<const NodeRef> roots, const Exception& exception) {
    for (Node& node : nodes_) node.live = false;
    for (NodeRef n : roots) mark(n);
    for (NodeRef n : regions_[0].order) {
        if (!nodes_[position(n)].effect) continue;
        if (n != exception.effect) {
            mark(n);
            continue;
        }
        nodes_[position(n)].live = true;
        for (NodeRef in : nodes_[position(nodes_[position(n)].in[0])].in)
            if (in != exception.input) mark(in);
    }
}

// The positions in the order of the routine at which live nodes are needed last. What is in a loop is needed until the
// loop ends.
std::vector<std::size_t> ValueGraph::last_uses(std::span<const NodeRef> roots) const {
    std::vector<std::size_t> result(nodes_.size(), 0);
    const auto note = [&](const auto& self, NodeRef n, std::size_t at) -> void {
        const Node& node = nodes_[position(n)];
        if (!node.live) return;
        const auto use = [&](NodeRef used) {
            if (used != no_node) result[position(used)] = at;
        };
        use(n);
        for (const NodeRef in : node.in) use(in);
        for (const NodeRef in : node.more) use(in);
        if (node.family != Family::Loop || loops_[node.extra].dropped) return;
        const Loop& loop = loops_[node.extra];
        for (const NodeRef part : {loop.domain, loop.init, loop.body, loop.var}) use(part);
        for (const NodeRef inner : regions_[loop.region].order) self(self, inner, at);
    };
    const std::vector<NodeRef>& order = regions_[0].order;
    for (std::size_t at = 0; at < order.size(); ++at) note(note, order[at], at);
    for (const NodeRef n : roots)
        if (n != no_node) result[position(n)] = SetRegisters::for_ever;
    return result;
}

} // namespace zug::run
