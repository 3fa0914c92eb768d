// Sinking of conditions: where a routine returns if two truths hold, the more expensive one is computed behind a jump
// on the other.

#include "compiler/graph/value_graph.hpp"

#include <algorithm>

namespace zug::run {
namespace {

constexpr std::size_t worth_a_jump = 8; // instructions

constexpr bool only_returns(Family family) {
    return family == Family::ReturnIf || family == Family::ReturnIfAny || family == Family::ReturnIfNone;
}

} // namespace

void ValueGraph::sink_conditions(std::span<const NodeRef> roots) {
    for (std::size_t at = 0; at < regions_[0].order.size(); ++at)
        if (nodes_[position(regions_[0].order[at])].family == Family::ReturnIf && sink(roots, at)) at += 2;
}

// If the effect at index `at` of the routine's order has a conjunction as its condition: moves the truth that has more
// nodes of its own (that nothing else needs) behind a jump, if these are enough to be worth one.
bool ValueGraph::sink(std::span<const NodeRef> roots, std::size_t at) {
    const NodeRef effect = regions_[0].order[at];
    const Node both = nodes_[position(nodes_[position(effect)].in[0])];
    if (both.family != Family::And || both.op_width != 1 || both.region != 0) return false;
    std::vector<NodeRef> moved;
    std::size_t which = 0;
    for (std::size_t k = 0; k < 2; ++k) {
        mark_all(roots, {effect, both.in[k]});
        std::vector<bool> elsewhere;
        for (const Node& node : nodes_) elsewhere.push_back(node.live);
        mark_all(roots, {});
        std::vector<NodeRef> own; // nodes that only this input needs
        bool movable = true;
        for (std::size_t i = 0; i < at; ++i) {
            const NodeRef n = regions_[0].order[i];
            const Node& node = nodes_[position(n)];
            // A node may not move past a change of the state.
            if (node.effect && !own.empty()) movable = movable && only_returns(node.family);
            if (node.effect || !node.live || elsewhere[position(n)] || n == nodes_[position(effect)].in[0]) continue;
            own.push_back(n);
        }
        if (movable && own.size() > moved.size()) {
            moved = std::move(own);
            which = k;
        }
    }
    if (moved.size() < worth_a_jump) return false;
    const NodeRef rest = both.in[which];
    std::vector<NodeRef>& order = regions_[0].order;
    std::vector<NodeRef> tail(order.begin() + static_cast<std::ptrdiff_t>(at) + 1, order.end());
    order.resize(at);
    std::erase_if(order, [&](NodeRef n) { return std::ranges::find(moved, n) != moved.end(); });
    nodes_[position(effect)].in[0] = rest;
    open_branch(both.in[1 - which]);
    nodes_[position(regions_[0].order.back())].origin = nodes_[position(effect)].origin;
    order.insert(order.end(), moved.begin(), moved.end());
    order.push_back(effect);
    close_branch();
    passes_.changed(Pass::SinkConditions);
    order.insert(order.end(), tail.begin(), tail.end());
    return true;
}

} // namespace zug::run
