#include "search/best_first/mgss.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace zug::search {

namespace {

constexpr std::uint32_t expansions_a_leaf = 64; // of those so far, for each leaf that a look at the tree finds
constexpr double most_deviations = 8;           // by which a sibling may give way
constexpr double infinite = std::numeric_limits<double>::infinity();

// The expectation of max(0, x - threshold) for a normally distributed x.
double expected_excess(double mean, double deviation, double threshold) {
    if (threshold == infinite) return 0;
    if (!(deviation > 0)) return std::max(0.0, mean - threshold);
    const double z = (mean - threshold) / deviation;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    const double below = std::erfc(-z / std::numbers::sqrt2) / 2;
    return std::max(0.0, deviation * density + (mean - threshold) * below);
}

} // namespace

void Mgss::estimate_bounds(Node& leaf, const game::State&) { leaf.pessimistic = leaf.optimistic = leaf.value; }

void Mgss::begin_search() {
    looks_ = 0;
    worthless_ = false;
}

void Mgss::grow() {
    view_ = tree_[Tree::root].view();
    while (tree_[Tree::root].open) {
        const std::uint32_t expansions = tree_[Tree::root].expansions;
        const double nodes = static_cast<double>(probe().budget().nodes()) / expansions;
        const double cost = options_.best_first.cost * range() * nodes / 1000;
        worthless_ = !find_worthwhile(1 + expansions / expansions_a_leaf, cost);
        if (worthless_ && cost > 0) return;
        if (worthless_) candidates_.assign(1, {infinite, end_of_best_line()});
        for (const Candidate& candidate : candidates_)
            if (candidate.benefit > cost && !expand(candidate.leaf)) return;
    }
}

bool Mgss::find_worthwhile(std::size_t most, double cost) {
    most_ = most;
    for (give_way_ = 0; give_way_ <= most_deviations; give_way_ = std::max(1.0, 2 * give_way_)) {
        find_candidates();
        std::ranges::sort(candidates_, std::ranges::greater{}, &Candidate::benefit);
        if (!candidates_.empty() && candidates_.front().benefit > cost) return true;
    }
    return false;
}

void Mgss::find_candidates() {
    ++looks_;
    candidates_.clear();
    const Node& root = tree_[Tree::root];
    const Node* const best = tree_.best_child(root);
    const Node* second = nullptr;
    for (const Node& child : tree_.children(root))
        if (&child != best && (second == nullptr || view_ * child.value > view_ * second->value)) second = &child;
    if (second == nullptr) return; // there is nothing to choose
    for (const Node& child : tree_.children(root)) {
        const bool is_best = &child == best;
        const double threshold = view_ * (is_best ? second : best)->value;
        look_below(child, {-infinite, infinite, threshold, is_best});
    }
}

// Of those that can be expanded.
BestFirst::Tree::Id Mgss::end_of_best_line() const {
    const Node* at = &tree_[Tree::root];
    while (at->children > 0) {
        const Node* best = nullptr;
        for (const Node& child : tree_.children(*at))
            if (child.open && (best == nullptr || at->view() * child.value > at->view() * best->value)) best = &child;
        at = best;
    }
    return tree_.id_of(*at);
}

void Mgss::look_below(const Node& node, const Clamp& clamp) {
    if (!node.open) return;
    if (clamp.best ? clamp.low >= clamp.threshold : clamp.high <= clamp.threshold) return;
    if (node.children == 0) {
        add({benefit(node, clamp), tree_.id_of(node)});
        return;
    }
    const bool greatest = node.view() == view_; // the root's mover chooses
    const Siblings siblings = siblings_of(node);
    for (const Node& child : tree_.children(node)) {
        const double left = &child == siblings.best ? siblings.of_best : siblings.of_others;
        Clamp inner = clamp;
        if (greatest)
            inner.low = std::max(clamp.low, std::min(left, clamp.high));
        else
            inner.high = std::min(clamp.high, std::max(left, clamp.low));
        look_below(child, inner);
    }
}

Mgss::Siblings Mgss::siblings_of(const Node& node) const {
    const double sign = node.view(); // the node's mover takes the greatest of what follows
    double first = -infinite, second = -infinite;
    const Node* best = nullptr;
    for (const Node& child : tree_.children(node)) {
        const double room = child.open ? give_way_ * deviation_of(child) : 0;
        const double value = sign * child.value - room;
        if (value > first) {
            second = first;
            first = value;
            best = &child;
        } else {
            second = std::max(second, value);
        }
    }
    const double to_root = sign * view_;
    return {best, to_root * second, to_root * first};
}

double Mgss::benefit(const Node& leaf, const Clamp& clamp) const {
    const double mean = view_ * leaf.value, deviation = deviation_of(leaf);
    if (!clamp.best)
        return expected_excess(mean, deviation, clamp.threshold) - expected_excess(mean, deviation, clamp.high);
    return expected_excess(-mean, deviation, -clamp.threshold) - expected_excess(-mean, deviation, -clamp.low);
}

void Mgss::add(const Candidate& candidate) {
    const auto greater = [](const Candidate& a, const Candidate& b) {
        return a.benefit != b.benefit ? a.benefit > b.benefit : a.leaf < b.leaf;
    };
    if (candidates_.size() == most_) {
        if (!greater(candidate, candidates_.front())) return;
        std::ranges::pop_heap(candidates_, greater);
        candidates_.pop_back();
    }
    candidates_.push_back(candidate);
    std::ranges::push_heap(candidates_, greater);
}

void Mgss::count(std::vector<Count>& counts) const {
    counts.push_back({"looks at the tree", looks_});
    counts.push_back({"no longer worth its cost", worthless_ ? 1U : 0U});
}

} // namespace zug::search
