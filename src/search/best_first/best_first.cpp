#include "search/best_first/best_first.hpp"

#include "search/core/leaf.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace zug::search {

using game::Next;
using game::NodeKind;

namespace {
// So many deviations below the best move a probe only shows that a move is no better.
constexpr double hopeless = 0.5;
} // namespace

BestFirst::BestFirst(game::Game& game, Method method, const Options& options)
    : options_(options), tree_(options.memory - options.memory / 8), game_(game), method_(method),
      first_side_(game.traits().first_side), lowest_(game.traits().min_utility), highest_(game.traits().max_utility),
      form_(game), probe_(game, form_, options), line_(game), changes_(highest_ - lowest_) {}

void BestFirst::forget() {
    probe_.forget();
    changes_.forget();
}

Result BestFirst::run(const game::State& root, const Limits& limits) {
    Result result;
    result.method = method_;
    result.value.resize(game_.players());
    depth_limit_ = limits.depth >= 0 ? std::min(limits.depth, max_depth) : max_depth;
    deepest_ = 0;
    partial_ = full_ = false;
    Limits own = limits;
    if (limits.enough_seconds > 0) own.seconds = limits.enough_seconds; // there are no passes to wait for
    probe_.begin(root, own, [this, &limits] { report(limits); });
    begin_search();
    if (begin(root, result)) {
        if (tree_[Tree::root].open && expand(Tree::root)) grow();
        describe(result);
    }
    write_pv(game_, root, result);
    const Budget& budget = probe_.budget();
    result.fault = budget.failure();
    result.nodes = budget.nodes();
    result.seconds = budget.seconds();
    return result;
}

void BestFirst::fail() {
    probe_.budget().fail(game_.fault_text());
    game_.clear_fault();
}

// The root as a leaf. False: there is nothing to search; then the result has all there is to say.
bool BestFirst::begin(const game::State& root, Result& result) {
    Budget& budget = probe_.budget();
    if (!tree_.made()) {
        budget.fail("there is no memory for a search tree");
        return false;
    }
    line_.start(root);
    const NodeKind kind = line_.kind(0);
    const bool over = kind == NodeKind::Terminal;
    if (kind == NodeKind::Fault || (over && !terminal_values(line_, 0, result.value))) {
        fail();
        return false;
    }
    if (!over) static_values(line_, 0, game_.traits(), result.value);
    for (double& value : result.value) value += 0.0; // no -0
    const bool visited = budget.visit();
    result.exact = over;
    result.complete = over || (visited && depth_limit_ == 0);
    if (over) return false;
    Node node;
    node.value = node.first_value = result.value[0];
    node.low = lowest_;
    node.high = highest_;
    node.side = side(0);
    node.open = depth_limit_ > 0 && visited;
    tree_.begin(node);
    return true;
}

std::optional<int> BestFirst::list_moves(Tree::Id leaf) {
    path_.clear();
    for (Tree::Id at = leaf; at != Tree::root; at = tree_[at].parent) path_.push_back(tree_[at].move);
    const int end = static_cast<int>(path_.size());
    for (int ply = 0; ply <= end; ++ply) {
        const NodeKind kind = line_.list(ply);
        if (kind == NodeKind::Chance) {
            probe_.budget().fail("a chance event in a game that was taken to have none");
            return std::nullopt;
        }
        if (kind == NodeKind::Fault) break;
        if (ply == end) return end;
        const auto i = line_.moves(ply).find(path_[static_cast<std::size_t>(end - 1 - ply)]);
        if (!i || line_.make(ply, *i) == Next::Fault) break;
    }
    fail();
    return std::nullopt;
}

bool BestFirst::expand(Tree::Id leaf) {
    Budget& budget = probe_.budget();
    if (!budget.goes_on()) return false;
    const auto ply = list_moves(leaf);
    if (!ply) return false;
    probe_.order_moves(line_.state(*ply), line_.moves(*ply), order_);
    const std::size_t moves = order_.order.size();
    const std::span<Node> children = tree_.room_for(moves);
    full_ = children.empty();
    if (full_) return false;
    double best = -infinity; // of the moves so far, in the mover's view
    std::size_t made = 0;
    for (; made < moves; ++made) {
        children[made].parent = leaf;
        if (!make_child(*ply, order_.order[made], best, children[made])) break;
        best = std::max(best, tree_[leaf].view() * children[made].first_value);
    }
    const bool whole = made == moves;
    partial_ = !whole && leaf == Tree::root;
    if (!whole && (!partial_ || made == 0)) return false;
    tree_.adopt(leaf, made);
    tree_.back_up(leaf);
    deepest_ = std::max(deepest_, *ply + 1);
    if (whole) learn_from(tree_[leaf]);
    return whole;
}

bool BestFirst::make_child(int ply, const Ranked& move, double best, Node& child) {
    Budget& budget = probe_.budget();
    if (!budget.goes_on()) return false;
    child.move = move.id;
    child.ply = static_cast<std::uint16_t>(ply + 1);
    const Next at = line_.make(ply, move.index);
    const NodeKind kind = at == Next::Fault ? NodeKind::Fault : line_.kind(ply + 1);
    if (kind == NodeKind::Fault) {
        fail();
        return false;
    }
    child.side = side(ply + 1);
    if (kind == NodeKind::Terminal) return value_end(child, ply + 1);
    const game::State& state = line_.state(ply + 1);
    const Node& parent = tree_[child.parent];
    const double worth_knowing = best - hopeless * deviation_of(parent);
    const LeafValue found = probe_.value(state, parent.view(), worth_knowing);
    child.first_value = found.value;
    child.low = found.low;
    child.high = found.high;
    child.open = ply + 1 < depth_limit_ && !child.exact();
    child.kind = changes_.kind_of(std::abs(child.first_value - parent.first_value));
    child.value = child.exact() ? found.value : corrected(found.value, child, child.view());
    estimate_bounds(child, state);
    return !budget.stopped();
}

bool BestFirst::value_end(Node& child, int ply) {
    const auto value = terminal_value(line_, ply, game_.traits());
    if (!value) fail();
    if (!value || !probe_.budget().visit()) return false;
    child.value = child.first_value = child.low = child.high = child.pessimistic = child.optimistic = *value;
    child.open = false;
    return true;
}

double BestFirst::corrected(double value, const Node& leaf, double view) const {
    constexpr double edge = 1e-6; // of the range: its edges are for what is proven
    const double expected = value + view * changes_.of(leaf.kind).mean;
    return std::clamp(std::clamp(expected, lowest_ + edge * range(), highest_ - edge * range()), leaf.low, leaf.high);
}

// The root's first value is no probe's.
void BestFirst::learn_from(const Node& node) {
    if (node.ply > 0) changes_.learn(node.kind, node.view() * (node.value - node.first_value));
}

void BestFirst::describe(Result& result) const {
    const Node& root = tree_[Tree::root];
    result.counts = {{"expansions", root.expansions}, {"tree nodes", tree_.size()}};
    count(result.counts);
    if (root.children == 0) return;
    result.exact = root.exact() && !partial_;
    result.complete = !probe_.budget().stopped() && !full_;
    share_out(root.value, first_side_, result.value);
    for (double& value : result.value) value += 0.0; // no -0
    result.pv_ids = tree_.best_line();
    result.depth = deepest_;
}

void BestFirst::report(const Limits& limits) {
    if (!limits.progress || tree_.size() == 0) return;
    Result now;
    now.method = method_;
    now.value.resize(game_.players());
    describe(now);
    now.nodes = probe_.budget().nodes();
    now.seconds = probe_.budget().seconds();
    limits.progress({now, false});
}

} // namespace zug::search
