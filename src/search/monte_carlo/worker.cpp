#include "search/monte_carlo/worker.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace zug::search {

using game::NodeKind;

namespace {

constexpr std::size_t longest_path = 1000; // deeper lines end in a playout
constexpr std::size_t few_utilities = 3;   // won, lost, drawn: their range is the unit of exploration
constexpr double least_spread = 1e-9;

} // namespace

void MonteCarloCounts::add(const MonteCarloCounts& other) {
    iterations += other.iterations;
    playouts += other.playouts;
    plies += other.plies;
    nodes += other.nodes;
    expanded += other.expanded;
    proven += other.proven;
    transpositions += other.transpositions;
    full += other.full;
    deepest = std::max(deepest, other.deepest);
}

Worker::Worker(game::Game& game, Tree& tree, const MonteCarloPlan& plan, std::uint64_t seed)
    : game_(game), tree_(tree), plan_(plan), utilities_(game.traits()),
      selection_(plan.options, plan.shares(), plan.implicit), rollout_(game, plan.options, plan.cutoff), line_(game),
      random_(seed), narrow_(!game.traits().utilities.empty() && game.traits().utilities.size() <= few_utilities) {}

void Worker::search(NodeId root, const Limits& limits, std::atomic<bool>& done, std::function<void()> tick) {
    budget_.start(limits, std::move(tick));
    counts_ = {};
    full_ = false;
    while (!done.load(std::memory_order_relaxed) && budget_.goes_on() && !tree_.exact(root) && iterate(root)) {
    }
    done.store(true, std::memory_order_relaxed);
}

// One way down the tree, a playout, and the way back. False: it was broken off, and leaves no trace.
bool Worker::iterate(NodeId root) {
    path_.clear();
    played_.clear();
    dangling_ = false;
    const Descent found = descend(root);
    if (found == Descent::Stopped || (found == Descent::Play && !play_out())) {
        abandon();
        return false;
    }
    ++counts_.iterations;
    counts_.deepest = std::max<std::uint64_t>(counts_.deepest, path_.size() - 1);
    if (!narrow_) observe();
    back_up();
    return true;
}

Worker::Descent Worker::descend(NodeId root) {
    for (NodeId id = root;;) {
        if (!enter(id)) return Descent::Stopped;
        if (tree_.exact(id)) return known(id);
        const Node& node = tree_[id];
        if (!tree_.expanded(node)) {
            const bool due = id == root || load(node.visits) > plan_.options.expand_after;
            if (!due || !expand(id)) return budget_.stopped() ? Descent::Stopped : leaf(id);
            if (tree_.exact(id)) return known(id);
        }
        if (path_.size() > longest_path) return leaf(id);
        bool fresh = false;
        NodeId child = no_node;
        if (node.sampled) {
            child = sample_child(id, fresh);
        } else {
            const std::span<Edge> edges = tree_.edges(node);
            const bool chance = node.kind == NodeKind::Chance;
            const std::size_t i =
                chance ? Selection::draw(edges, random_)
                       : selection_.choose(edges, load(node.visits), mean(id, node.mover), spread(node.mover), random_);
            if (i == edges.size()) return all_closed(id);
            Edge& edge = edges[i];
            follow(edge, node.mover);
            child = tree_.child(edge);
            if (child == no_node) child = make_child(id, edge, fresh);
        }
        if (budget_.stopped()) return Descent::Stopped;
        dangling_ = child == no_node || (!fresh && on_path(child));
        if (dangling_) return child == no_node ? Descent::Play : leaf(child);
        if (fresh) {
            if (!enter(child)) return Descent::Stopped;
            return tree_.exact(child) ? known(child) : leaf(child);
        }
        id = child;
    }
}

Worker::Descent Worker::leaf(NodeId id) {
    tree_.load_state(id, state_);
    return Descent::Play;
}

// Two workers may each have closed an edge without seeing the other's.
Worker::Descent Worker::all_closed(NodeId id) {
    update_bounds(tree_, id, utilities_);
    return tree_.exact(id) ? known(id) : leaf(id);
}

Worker::Descent Worker::known(NodeId id) {
    for (std::uint32_t p = 0; p < utilities_.players(); ++p) result_[p] = utilities_.of(tree_.lower(id), p);
    return Descent::Known;
}

bool Worker::enter(NodeId id) {
    if (!budget_.visit()) return false;
    path_.push_back({.node = id});
    add(tree_[id].visits, 1U);
    return true;
}

// A line that comes back to one of its positions goes on in a playout.
bool Worker::on_path(NodeId id) const { return std::ranges::find(path_, id, &Step::node) != path_.end(); }

void Worker::follow(Edge& edge, std::uint32_t mover) {
    Step& step = path_.back();
    step.edge = &edge;
    const std::uint32_t visits = load(edge.visits) + 1;
    store(edge.visits, visits);
    if (!plan_.shared_by_workers || tree_[step.node].kind == NodeKind::Chance || Tree::closed(edge)) return;
    const double value = visits > 1 ? load(edge.value) : mean(step.node, mover);
    step.loss = value - spread(mover);
    store(edge.value, value + (step.loss - value) / visits);
}

bool Worker::play_out() {
    const std::uint64_t before = budget_.nodes();
    const std::span utilities = std::span(result_).first(utilities_.players());
    const bool done = rollout_.run(state_, random_, budget_, utilities, plan_.rave ? &played_ : nullptr);
    ++counts_.playouts;
    counts_.plies += budget_.nodes() - before;
    if (dangling_) ++counts_.full;
    return done;
}

// Takes back the visits of an iteration that has no result.
void Worker::abandon() {
    for (const Step& step : path_) {
        Node& node = tree_[step.node];
        store(node.visits, load(node.visits) - 1);
        if (step.edge == nullptr) continue;
        const std::uint32_t visits = load(step.edge->visits);
        store(step.edge->visits, visits - 1);
        if (!plan_.shared_by_workers || node.kind == NodeKind::Chance || Tree::closed(*step.edge) || visits < 2)
            continue;
        store(step.edge->value, (load(step.edge->value) * visits - step.loss) / (visits - 1));
    }
}

// The value of a node as far as it is known.
double Worker::mean(NodeId id, std::uint32_t player) {
    if (tree_.exact(id)) return utilities_.of(tree_.lower(id), player);
    return utilities_.of(tree_.sums(id), player) / std::max(1U, load(tree_[id].visits));
}

void Worker::observe() {
    ++seen_;
    for (std::uint32_t p = 0; p < utilities_.players(); ++p) {
        const double off = result_[p] - means_[p];
        means_[p] += off / static_cast<double>(seen_);
        squares_[p] += off * (result_[p] - means_[p]);
    }
}

// The unit of exploration: the range of utilities, or where there are many, twice the deviation of those seen, which
// for won and lost games is the same.
double Worker::spread(std::uint32_t player) const {
    const double range = utilities_.highest(player) - utilities_.lowest(player);
    if (narrow_) return range;
    if (seen_ < 2) return std::min(range, 1.0);
    const double deviation = std::sqrt(squares_[player] / static_cast<double>(seen_));
    return std::clamp(2 * deviation, least_spread, std::max(range, least_spread));
}

} // namespace zug::search
