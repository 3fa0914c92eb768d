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

} // namespace zug::run
