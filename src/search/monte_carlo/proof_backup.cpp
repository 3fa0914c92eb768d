#include "search/monte_carlo/proof_backup.hpp"

#include "search/core/claim.hpp"

#include <algorithm>

namespace zug::search {

namespace {

constexpr double rounding = 1e-9; // relative to the range of utilities

bool tighten(Tree& tree, NodeId id, const Utilities& utilities, std::uint32_t player, Bounds to) {
    const bool flipped = utilities.flipped(player);
    const std::size_t k = utilities.scalar() ? 0 : player;
    if (flipped) to = {-to.high, -to.low};
    const bool raised = raise_to(tree.lower(id)[k], to.low);
    const bool lowered = lower_to(tree.upper(id)[k], to.high);
    return raised || lowered;
}

// Closes the edges that need not be visited again. `best`: what the mover can get at least.
void close_edges(Tree& tree, const Node& node, const Utilities& utilities, double best) {
    for (Edge& edge : tree.edges(node)) {
        const NodeId child = tree.child(edge);
        if (child == no_node || Tree::closed(edge)) continue;
        const Bounds here = bounds_of(tree, child, utilities, node.mover);
        // With several players a move that is as good for the mover may matter to the others.
        const bool worse = utilities.scalar() ? here.high <= best : here.high < best;
        const bool proven = here.exact() && tree.exact(child);
        if (!proven && !worse) continue;
        store(edge.value, proven ? here.low : -infinity);
        publish(edge.child, child | closed_bit);
    }
}

bool update_decision(Tree& tree, NodeId id, const Utilities& utilities) {
    const Node& node = tree[id];
    Bounds best{-infinity, -infinity};
    for (const Edge& edge : tree.edges(node)) {
        const NodeId child = tree.child(edge);
        const Bounds here = bounds_of(tree, child, utilities, node.mover);
        best = {std::max(best.low, here.low), std::max(best.high, here.high)};
    }
    close_edges(tree, node, utilities, best.low);
    bool changed = tighten(tree, id, utilities, node.mover, best);
    for (std::uint32_t p = 0; p < utilities.stored() && !utilities.scalar(); ++p) {
        if (p == node.mover) continue;
        Bounds hull{infinity, -infinity};
        for (const Edge& edge : tree.edges(node)) {
            const NodeId child = tree.child(edge);
            if (bounds_of(tree, child, utilities, node.mover).high < best.low) continue;
            const Bounds here = bounds_of(tree, child, utilities, p);
            hull = {std::min(hull.low, here.low), std::max(hull.high, here.high)};
        }
        changed |= tighten(tree, id, utilities, p, hull);
    }
    return changed;
}

bool update_chance(Tree& tree, NodeId id, const Utilities& utilities) {
    const Node& node = tree[id];
    bool known = true;
    for (const Edge& edge : tree.edges(node)) {
        const NodeId child = tree.child(edge);
        known = known && child != no_node && tree.exact(child);
    }
    bool changed = false;
    for (std::uint32_t p = 0; p < utilities.stored(); ++p) {
        Bounds mean;
        for (const Edge& edge : tree.edges(node)) {
            const Bounds here = bounds_of(tree, tree.child(edge), utilities, p);
            mean.low = add_outcome(mean.low, edge.value, here.low);
            mean.high = add_outcome(mean.high, edge.value, here.high);
        }
        const double margin = known ? 0 : rounding * (utilities.highest(p) - utilities.lowest(p));
        mean.low = std::clamp(mean.low - margin, utilities.lowest(p), utilities.highest(p));
        mean.high = std::clamp(mean.high + margin, utilities.lowest(p), utilities.highest(p));
        if (known) { // one that was weakened may be on the wrong side by a rounding
            store(tree.lower(id)[p], mean.low);
            store(tree.upper(id)[p], mean.low);
            changed = true;
        } else {
            changed |= tighten(tree, id, utilities, p, mean);
        }
    }
    return changed;
}

// The plies to the end of a proven node: who gains takes the shortest way, who loses the longest.
std::uint16_t height_of(Tree& tree, NodeId id, const Utilities& utilities) {
    const Node& node = tree[id];
    const bool chance = node.kind == game::NodeKind::Chance;
    const double value = utilities.of(tree.lower(id), node.mover);
    const bool longest = chance || 2 * value < utilities.lowest(node.mover) + utilities.highest(node.mover);
    std::uint16_t height = longest ? 0 : UINT16_MAX - 1;
    for (const Edge& edge : tree.edges(node)) {
        const NodeId child = tree.child(edge);
        if (child == no_node || !tree.exact(child)) continue;
        if (!chance && utilities.of(tree.lower(child), node.mover) < value) continue;
        const std::uint16_t its = load(tree[child].height);
        height = longest ? std::max(height, its) : std::min(height, its);
    }
    return static_cast<std::uint16_t>(std::min<int>(height + 1, UINT16_MAX - 1));
}

} // namespace

Bounds bounds_of(Tree& tree, NodeId id, const Utilities& utilities, std::uint32_t player) {
    if (id == no_node) return {utilities.lowest(player), utilities.highest(player)};
    const std::size_t k = utilities.scalar() ? 0 : player;
    const double low = load(tree.lower(id)[k]), high = load(tree.upper(id)[k]);
    return utilities.flipped(player) ? Bounds{-high, -low} : Bounds{low, high};
}

bool update_bounds(Tree& tree, NodeId id, const Utilities& utilities) {
    const bool chance = tree[id].kind == game::NodeKind::Chance;
    const bool changed = chance ? update_chance(tree, id, utilities) : update_decision(tree, id, utilities);
    if (changed && tree.exact(id)) store(tree[id].height, height_of(tree, id, utilities));
    return changed;
}

} // namespace zug::search
