#include "search/alpha_beta/expectimax.hpp"

#include "search/core/leaf.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace zug::search {

namespace {
Options adapted(Options options) {
    if (options.window != RootWindow::Full) options.window = RootWindow::Aspiration;
    return options;
}
} // namespace

Expectimax::Expectimax(game::Game& game, const Options& options, std::shared_ptr<Table> shared, Method method)
    : AlphaBeta(game, adapted(options), method, std::move(shared)),
      margin_(1e-11 * std::max({1.0, std::abs(game.traits().min_utility), std::abs(game.traits().max_utility)})) {}

// The values of the next outcome that leave the mean undecided, a margin wider than `outside` looks at, so that an
// outcome that fails outside it decides the node. `mean.rest` does not include the outcome any more.
Window Expectimax::inner_window(const Mean& mean, double probability, Window window, std::uint32_t mover) const {
    const double alpha = window.alpha - mean.sum - mean.rest * ceiling(mover) - 2 * margin_;
    const double beta = window.beta - mean.sum - mean.rest * floor(mover) + 2 * margin_;
    return {alpha / probability, beta / probability};
}

// Whether the mean must lie outside the window. The claim is then the window's edge itself: a bound computed here might
// be off by a rounding error.
bool Expectimax::outside(const Mean& mean, Window window, std::uint32_t mover, Claim& claim) const {
    if (mean.upper != unknown && mean.sum + mean.rest * ceiling(mover) <= window.alpha - margin_) {
        claim = {window.alpha, unknown, mean.upper};
        return true;
    }
    if (mean.lower != unknown && mean.sum + mean.rest * floor(mover) >= window.beta + margin_) {
        claim = {window.beta, mean.lower, unknown};
        return true;
    }
    return false;
}

Claim Expectimax::chance(int ply, int remaining, Window window) {
    Frame& frame = frames_[ply];
    const std::uint32_t mover = line_.mover(ply);
    rank_by_id(frame, line_.moves(ply));
    Mean mean;
    for (std::size_t i = 0; i < frame.order.size(); ++i) {
        const std::size_t index = frame.order[i].index;
        const double probability = line_.moves(ply).probability(index);
        const bool last = i + 1 == frame.order.size();
        mean.rest = last ? 0 : std::max(0.0, mean.rest - probability);
        const Mean before = mean;
        const auto add = [&](const Claim& claim) {
            mean = before;
            mean.sum = add_outcome(mean.sum, probability, claim.value);
            mean.lower = std::max(mean.lower, claim.lower);
            mean.upper = std::max(mean.upper, claim.upper);
        };
        Claim found = child(ply, index, remaining,
                            options_.pruning ? inner_window(mean, probability, window, mover) : full_window);
        if (budget_.stopped()) return {};
        add(found);
        Claim claim;
        if (options_.pruning && !(last && found.exact()) && outside(mean, window, mover, claim)) return claim;
        if (found.exact()) continue;
        // A bound that decides nothing, which only rounding can lead to.
        add(child(ply, index, remaining, full_window));
        if (budget_.stopped()) return {};
    }
    frame.pv.clear(); // a line of best play ends at a chance node
    return {mean.sum, mean.lower, mean.upper};
}

} // namespace zug::search
