#include "search/alpha_beta/expectimax.hpp"

#include "base/random.hpp"
#include "search/core/leaf.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace zug::search {

using game::Next;
using game::NodeKind;

namespace {
Options adapted(Options options) {
    if (options.window != RootWindow::Full) options.window = RootWindow::Aspiration;
    return options;
}
} // namespace

Expectimax::Expectimax(game::Game& game, const Options& options, std::shared_ptr<Table> shared, Method method)
    : AlphaBeta(game, adapted(options), method, std::move(shared)),
      margin_(1e-11 * std::max({1.0, std::abs(lowest_), std::abs(highest_)})),
      prunes_(options.pruning && options.star != Star::Off && std::isfinite(lowest_) && std::isfinite(highest_)),
      probes_(prunes_ && options.star == Star::Star2) {}

void Expectimax::begin_search() {
    AlphaBeta::begin_search();
    probed_ = probe_cutoffs_ = chance_cutoffs_ = sampled_ = 0;
}

void Expectimax::count(std::vector<Count>& counts) const {
    AlphaBeta::count(counts);
    if (!game_.traits().chance) return;
    counts.push_back({"cut-offs at chance nodes", chance_cutoffs_});
    counts.push_back({"of them by probes", probe_cutoffs_});
    counts.push_back({"probes", probed_});
    if (options_.samples != 0) counts.push_back({"sampled chance nodes", sampled_});
}

double Expectimax::sampling_error() const {
    constexpr double doubt = 0.05;
    if (sampled_ == 0) return 0;
    return (highest_ - lowest_) * std::sqrt(std::log(2 / doubt) / (2.0 * options_.samples));
}

// -- bounds

Expectimax::ChanceNode& Expectimax::begin_chance(int ply) {
    while (chances_.size() <= static_cast<std::size_t>(ply)) chances_.emplace_back();
    ChanceNode& node = chances_[static_cast<std::size_t>(ply)];
    Frame& frame = frames_[ply];
    const game::MoveList& moves = line_.moves(ply);
    rank_by_id(frame, moves);
    node.outcomes.clear();
    node.sampled = options_.samples != 0 && moves.size() > options_.samples;
    if (node.sampled) sample(ply, node.draws);
    for (const Ranked& entry : frame.order) {
        const double probability = node.sampled ? node.draws[entry.index] / static_cast<double>(options_.samples)
                                                : moves.probability(entry.index);
        if (probability > 0) node.outcomes.push_back({entry.index, probability, floor(ply), ceiling(ply)});
    }
    node.low = floor(ply);
    node.high = ceiling(ply);
    node.sequence.resize(node.outcomes.size());
    std::iota(node.sequence.begin(), node.sequence.end(), 0U);
    std::ranges::sort(node.sequence, [&](std::uint32_t a, std::uint32_t b) {
        const double pa = node.outcomes[a].probability, pb = node.outcomes[b].probability;
        return pa != pb ? pa > pb : a < b;
    });
    return node;
}

void Expectimax::sample(int ply, std::vector<std::uint32_t>& draws) {
    ++sampled_;
    const std::vector<Ranked>& order = frames_[ply].order; // any other order depends on the executor
    draws.assign(order.size(), 0);
    Random random(line_.hash(ply));
    upto_.clear();
    for (const Ranked& entry : order)
        upto_.push_back((upto_.empty() ? 0 : upto_.back()) + line_.moves(ply).probability(entry.index));
    for (std::uint32_t n = 0; n < options_.samples; ++n) {
        const auto at = std::ranges::upper_bound(upto_, random.unit() * upto_.back());
        const auto which = std::min(static_cast<std::size_t>(at - upto_.begin()), order.size() - 1);
        ++draws[order[which].index];
    }
}

void Expectimax::tighten(ChanceNode& node, Outcome& outcome, const Claim& claim) {
    if (claim.lower != unknown && claim.value > outcome.low) {
        node.low += outcome.probability * (claim.value - outcome.low);
        outcome.low = claim.value;
        outcome.lower = claim.lower;
    }
    if (claim.upper != unknown && claim.value < outcome.high) {
        node.high += outcome.probability * (claim.value - outcome.high);
        outcome.high = claim.value;
        outcome.upper = claim.upper;
    }
}

// The values of the outcome that leave the mean undecided, a margin wider than `outside` looks at, so that an outcome
// that fails outside it decides the node.
Window Expectimax::inner_window(const ChanceNode& node, const Outcome& outcome, Window window) const {
    const double p = outcome.probability;
    return {outcome.high - (node.high - window.alpha + 2 * margin_) / p,
            outcome.low + (window.beta - node.low + 2 * margin_) / p};
}

// The node's claim if its mean must lie outside the window. The bound leaves the margin, for it has rounding errors.
std::optional<Claim> Expectimax::outside(const ChanceNode& node, Window window) const {
    const auto reason = [&](Reason Outcome::*which) {
        Reason greatest = node.sampled ? at_depth : 0;
        for (const Outcome& outcome : node.outcomes) greatest = std::max(greatest, outcome.*which);
        return greatest;
    };
    if (node.high <= window.alpha - margin_) return Claim{node.high + margin_, unknown, reason(&Outcome::upper)};
    if (node.low >= window.beta + margin_) return Claim{node.low - margin_, reason(&Outcome::lower), unknown};
    return std::nullopt;
}

// -- search

Claim Expectimax::chance(int ply, int remaining, Window window) {
    ChanceNode& node = begin_chance(ply);
    std::optional<Claim> claim;
    if (probes_ && remaining > 1) claim = probe_outcomes(ply, remaining, window);
    if (claim) ++probe_cutoffs_;
    if (!claim) claim = search_outcomes(ply, remaining, window);
    if (budget_.stopped()) return {};
    frames_[ply].pv.clear(); // a line of best play ends at a chance node
    if (claim) {
        ++chance_cutoffs_;
        return *claim;
    }
    const Reason least = node.sampled ? at_depth : 0;
    Claim mean{0, least, least};
    for (const Outcome& outcome : node.outcomes) {
        mean.value = add_outcome(mean.value, outcome.probability, outcome.low);
        mean.lower = std::max(mean.lower, outcome.lower);
        mean.upper = std::max(mean.upper, outcome.upper);
    }
    return mean;
}

std::optional<Claim> Expectimax::search_outcomes(int ply, int remaining, Window window) {
    ChanceNode& node = chances_[static_cast<std::size_t>(ply)];
    for (const std::uint32_t i : node.sequence) {
        Outcome& outcome = node.outcomes[i];
        if (outcome.decided()) continue;
        const Window inner = prunes_ ? inner_window(node, outcome, window) : full_window;
        const Claim found = child(ply, outcome.index, remaining, inner);
        if (budget_.stopped()) return std::nullopt;
        tighten(node, outcome, found);
        if (prunes_)
            if (auto claim = outside(node, window)) return claim;
        if (found.exact()) continue;
        // A bound that decides nothing, which only rounding can lead to.
        tighten(node, outcome, child(ply, outcome.index, remaining, full_window));
        if (budget_.stopped()) return std::nullopt;
    }
    return std::nullopt;
}

// -- probes

// Who can do at least so well can end a node whose value would be too great for the window; where the other side is to
// move, too small.
bool Expectimax::probe_helps(int ply, Window window) const {
    return side(ply) == side(ply + 1) ? window.beta < infinity : window.alpha > -infinity;
}

std::optional<Claim> Expectimax::probe_outcomes(int ply, int remaining, Window window) {
    ChanceNode& node = chances_[static_cast<std::size_t>(ply)];
    for (const std::uint32_t i : node.sequence) {
        Outcome& outcome = node.outcomes[i];
        const Next at = descend(ply, outcome.index);
        if (at == Next::Fault || !probe_helps(ply, window)) return std::nullopt;
        const bool same_view = side(ply) == side(ply + 1);
        const Window inner = inner_window(node, outcome, window);
        const Claim found = probe(ply + 1, remaining - 1, same_view ? inner : inner.flipped(), at);
        if (budget_.stopped()) return std::nullopt;
        tighten(node, outcome, (same_view ? found : found.flipped()).raised());
        if (auto claim = outside(node, window)) return claim;
    }
    return std::nullopt;
}

// What the table knows of the node, or one of its moves shows. Other nodes are left to the search.
Claim Expectimax::probe(int ply, int remaining, Window window, Next at) {
    frames_[ply].pv.clear();
    if (at == Next::Terminal) return node(ply, remaining, window, at);
    std::optional<std::uint64_t> hint;
    if (table_)
        if (const auto entry = table_->find(key(ply))) {
            const Claim known = entry->at(remaining);
            if (known.lower != unknown) {
                ++hits_;
                return known;
            }
            hint = entry->hint();
        }
    if (line_.list(ply) != NodeKind::Decision || !enter(ply)) return {};
    show(ply, false);
    return probe_moves(ply, remaining, window, hint);
}

std::size_t Expectimax::promising(int ply) {
    const game::MoveList& moves = line_.moves(ply);
    std::size_t best = 0;
    double greatest = -infinity;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (descend(ply, i) == Next::Fault) break;
        const double value = side(ply) == 0 ? evaluation(ply + 1) : -evaluation(ply + 1);
        if (value < greatest || (value == greatest && moves.id(i) >= moves.id(best))) continue;
        best = i;
        greatest = value;
    }
    budget_.made(moves.size());
    return best;
}

Claim Expectimax::probe_moves(int ply, int remaining, Window window, std::optional<std::uint64_t> hint) {
    ++probed_;
    if (!hint && remaining > 1 && options_.ordering && game_.traits().has_eval)
        hint = line_.moves(ply).id(promising(ply));
    if (budget_.stopped()) return {};
    if (options_.ordering && has_loud_) tell_kinds(ply);
    rank(ply, hint);
    const Claim found = child(ply, ranked(ply, 0).index, remaining, window);
    if (budget_.stopped()) return {};
    const bool only = frames_[ply].order.size() == 1;
    const Claim claim{found.value, found.lower, only ? found.upper : unknown};
    if (table_ && claim.lower != unknown) table_->store(key(ply), remaining, claim, frames_[ply].order[0].id);
    return claim;
}

} // namespace zug::search
