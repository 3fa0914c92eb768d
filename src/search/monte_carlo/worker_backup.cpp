// How a worker adds the result of an iteration to the nodes on its way.

#include "search/monte_carlo/worker.hpp"

#include <algorithm>
#include <limits>

namespace zug::search {

using game::NodeKind;

void Worker::back_up() {
    bool tighter = false; // the bounds of the node below
    for (std::size_t k = path_.size(); k-- > 0;) {
        const Step& step = path_[k];
        const Node& node = tree_[step.node];
        const NodeId child = k + 1 < path_.size() ? path_[k + 1].node : no_node;
        const bool listed = tree_.expanded(node) && !node.sampled;
        const bool news = tighter || (child != no_node && tree_.exact(child));
        tighter = step.edge != nullptr && news && plan_.options.proof && update_bounds(tree_, step.node, utilities_);
        if (tighter && tree_.exact(step.node)) ++counts_.proven;
        if (step.edge != nullptr && node.kind == NodeKind::Decision) back_up_edge(step, child);
        clamp(step.node);
        if (listed && node.kind == NodeKind::Chance)
            average(step.node);
        else
            for (std::uint32_t p = 0; p < utilities_.stored(); ++p) add(tree_.sums(step.node)[p], result_[p]);
    }
    if (plan_.rave) share();
    if (plan_.implicit > 0) back_up_evaluations();
}

// Proven moves are not visited again, so the result of another says no more than what is proven.
void Worker::clamp(NodeId id) {
    for (std::uint32_t p = 0; p < utilities_.players(); ++p) {
        const Bounds bounds = bounds_of(tree_, id, utilities_, p);
        result_[p] = std::clamp(result_[p], bounds.low, std::max(bounds.low, bounds.high));
    }
}

void Worker::back_up_edge(const Step& step, NodeId child) {
    Edge& edge = *step.edge;
    if (Tree::closed(edge)) return;
    const std::uint32_t mover = tree_[step.node].mover;
    if (child != no_node && plan_.options.transpositions == Sharing::Nodes) {
        store(edge.value, mean(child, mover));
        return;
    }
    const double before = plan_.shared_by_workers ? step.loss : load(edge.value);
    add(edge.value, (result_[mover] - before) / std::max(1U, load(edge.visits)));
}

// A chance node's value: the mean of its outcomes' by probability, as far as they have been met.
void Worker::average(NodeId id) {
    const Node& node = tree_[id];
    const double visits = load(node.visits);
    for (std::uint32_t p = 0; p < utilities_.stored(); ++p) {
        double sum = 0, met = 0;
        for (const Edge& edge : tree_.edges(node)) {
            const NodeId child = tree_.child(edge);
            if (child == no_node || load(tree_[child].visits) == 0) continue;
            sum += edge.value * mean(child, p);
            met += edge.value;
        }
        if (met > 0) store(tree_.sums(id)[p], sum / met * visits);
    }
}

// Rapid action values: each move of a node on the way that its player made then or later gets the result.
void Worker::share() {
    times_.begin(path_.size() + played_.size());
    for (std::size_t k = 0; k < path_.size(); ++k)
        if (path_[k].edge != nullptr)
            times_.made(path_[k].edge->id, tree_[path_[k].node].mover, static_cast<std::uint32_t>(k));
    for (std::size_t k = 0; k < played_.size(); ++k)
        if (!played_[k].chance)
            times_.made(played_[k].id, played_[k].player, static_cast<std::uint32_t>(path_.size() + k));
    for (std::size_t k = 0; k < path_.size(); ++k) back_up_shared(k);
}

void Worker::back_up_shared(std::size_t k) {
    const Node& node = tree_[path_[k].node];
    if (!tree_.expanded(node) || node.kind != NodeKind::Decision) return;
    const auto result = static_cast<float>(result_[node.mover]);
    for (Edge& edge : tree_.edges(node)) {
        if (!times_.made_since(edge.id, node.mover, static_cast<std::uint32_t>(k))) continue;
        const float visits = load(edge.shared_visits) + 1;
        const float before = load(edge.shared_value);
        store(edge.shared_visits, visits);
        store(edge.shared_value, before + (result - before) / visits);
    }
}

void Worker::back_up_evaluations() {
    for (std::size_t k = path_.size() - 1; k > 0; --k) {
        const Node& node = tree_[path_[k].node];
        Edge* const edge = path_[k - 1].edge;
        if (edge == nullptr || Tree::closed(*edge)) return;
        if (node.sampled || !tree_.expanded(node)) continue;
        const Node& parent = tree_[path_[k - 1].node];
        const double first = best_evaluation(path_[k].node);
        const bool flips = parent.kind == NodeKind::Decision && utilities_.flipped(parent.mover);
        store(edge->shared_value, static_cast<float>(flips ? -first : first));
    }
}

// The minimax value of the evaluations below an expanded node, for the first player.
double Worker::best_evaluation(NodeId id) {
    const Node& node = tree_[id];
    const bool chance = node.kind == NodeKind::Chance;
    double best = chance ? 0 : -std::numeric_limits<double>::infinity();
    for (const Edge& edge : tree_.edges(node)) {
        const double its = load(edge.shared_value);
        if (chance)
            best += edge.value * its;
        else
            best = std::max(best, Tree::closed(edge) ? load(edge.value) : its);
    }
    return !chance && utilities_.flipped(node.mover) ? -best : best;
}

} // namespace zug::search
