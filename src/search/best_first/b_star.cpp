#include "search/best_first/b_star.hpp"

#include <algorithm>

namespace zug::search {

namespace {
constexpr double first_width = 0.5; // deviations
} // namespace

void BStar::estimate_bounds(Node& leaf, const game::State& state) {
    leaf.after_pass = leaf.value;
    if (!leaf.exact() && !probe().budget().stopped())
        if (const auto passed = probe().value_after_pass(state))
            leaf.after_pass = corrected(*passed, leaf, -leaf.view());
    set_interval(leaf);
}

void BStar::set_interval(Node& leaf) const {
    const double margin = leaf.exact() ? 0 : width_ * deviation_of(leaf);
    leaf.pessimistic = std::max(std::min(leaf.value, leaf.after_pass) - margin, leaf.low);
    leaf.optimistic = std::min(std::max(leaf.value, leaf.after_pass) + margin, leaf.high);
}

void BStar::begin_search() {
    width_ = std::min(first_width, options_.best_first.width);
    proving_ = disproving_ = 0;
    separated_ = false;
}

void BStar::grow() {
    while (true) {
        while (const Node* const chosen = choose(contest()))
            if (!expand(leaf_below(*chosen))) return;
        if (!separated_ || width_ >= options_.best_first.width) return;
        width_ = std::min(2 * width_, options_.best_first.width);
        tree_.back_up_all([this](Node& leaf) { set_interval(leaf); });
    }
}

BStar::Contest BStar::contest() const {
    const Node& root = tree_[Tree::root];
    const double view = root.view();
    Contest contest;
    contest.best = tree_.best_child(root);
    const auto more_hopeful = [&](const Node& node, const Node* than) {
        return than == nullptr || optimistic(node, view) > optimistic(*than, view);
    };
    const double sure = -optimistic(*contest.best, -view);
    for (const Node& child : tree_.children(root)) {
        if (&child == contest.best) continue;
        if (more_hopeful(child, contest.challenger)) contest.challenger = &child;
        if (optimistic(child, view) <= sure) continue;
        contest.spent_on_others += child.expansions;
        if (child.open && more_hopeful(child, contest.rival)) contest.rival = &child;
    }
    return contest;
}

// The move of the root to look into; null: the search is over.
const BestFirst::Node* BStar::choose(const Contest& contest) {
    const double view = tree_[Tree::root].view();
    if (tree_[Tree::root].exact() || contest.challenger == nullptr) return nullptr;
    separated_ = -optimistic(*contest.best, -view) >= optimistic(*contest.challenger, view);
    if (separated_) return nullptr;
    const bool can_prove = contest.best->open;
    if (can_prove && (contest.rival == nullptr || contest.best->expansions <= contest.spent_on_others)) {
        ++proving_;
        return contest.best;
    }
    if (contest.rival != nullptr) ++disproving_;
    return contest.rival;
}

BestFirst::Tree::Id BStar::leaf_below(const Node& node) const {
    const Node* at = &node;
    while (const Node* const next = hopeful_child(*at)) at = next;
    return tree_.id_of(*at);
}

const BestFirst::Node* BStar::hopeful_child(const Node& node) const {
    const double view = node.view();
    const Node* best = nullptr;
    for (const Node& child : tree_.children(node)) {
        if (!child.open) continue;
        const double hope = optimistic(child, view), most = best != nullptr ? optimistic(*best, view) : 0;
        if (best == nullptr || hope > most || (hope == most && view * child.value > view * best->value)) best = &child;
    }
    return best;
}

void BStar::count(std::vector<Count>& counts) const {
    counts.push_back({"by PROVEBEST", proving_});
    counts.push_back({"by DISPROVEREST", disproving_});
    counts.push_back({"separated", separated_ ? 1U : 0U});
}

} // namespace zug::search
