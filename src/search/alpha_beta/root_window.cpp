// The windows with which the root is searched.
//
//   Full         one search with an open window
//   Aspiration   a window around the value of the pass before, opened further on the side where the value turns out to
//                lie (Slate and Atkin, "Chess 4.5", 1977)
//   MtdF         null windows from that value on until the bounds meet: MTD(f) (Plaat, Schaeffer, Pijls and de Bruin,
//                "Best-first fixed-depth minimax algorithms", 1996)
//   Sss, Dual    the same from the greatest, or the least, utility on: the depth-first forms of SSS* (Stockman, 1979)
//                and of its dual, by the same paper. SSS* goes through the nodes in the order of this search.
//
// All give the same value. All but Full search some nodes again, so they need the table to be any good.

#include "search/alpha_beta/alpha_beta.hpp"

#include <algorithm>
#include <cmath>

namespace zug::search {

namespace {
constexpr double first_share = 0.02; // half the width of an aspiration window, as a share of the range of utilities
constexpr double widening = 4;
} // namespace

Window AlphaBeta::null_window(double alpha) { return {alpha, std::nextafter(alpha, infinity)}; }

Claim AlphaBeta::root(int depth) {
    switch (options_.pruning ? options_.window : RootWindow::Full) {
    case RootWindow::Full: break;
    case RootWindow::Aspiration:
        if (guess_) return aspire(depth);
        break;
    case RootWindow::MtdF:
        if (guess_) return converge(depth, *guess_);
        break;
    case RootWindow::Sss: return converge(depth, ceiling(0));
    case RootWindow::Dual: return converge(depth, floor(0));
    }
    return node(0, depth, full_window, game::Next::Unknown);
}

// Where a game has no evaluation most values stay what they were: then the window holds nothing but that value.
Claim AlphaBeta::aspire(int depth) {
    const double range = highest_ - lowest_;
    double below = passes_ ? 0 : first_share * range, above = below;
    while (true) {
        const auto open = [&](double width) { return width >= range / 2; };
        const Window window{open(below) ? -infinity : std::nextafter(*guess_ - below, -infinity),
                            open(above) ? infinity : std::nextafter(*guess_ + above, infinity)};
        const Claim claim = node(0, depth, window, game::Next::Unknown);
        if (budget_.stopped() || claim.exact()) return claim;
        ++researches_;
        double& width = claim.value <= window.alpha ? below : above;
        width = std::max(width * widening, first_share * range);
        if (window.alpha == -infinity && window.beta == infinity) return claim;
    }
}

Claim AlphaBeta::converge(int depth, double guess) {
    Claim low{-infinity, unknown, unknown}, high{infinity, unknown, unknown};
    while (true) {
        const double beta = guess == low.value ? std::nextafter(guess, infinity) : guess;
        const Claim claim = node(0, depth, {std::nextafter(beta, -infinity), beta}, game::Next::Unknown);
        if (budget_.stopped() || claim.exact()) return claim;
        guess = claim.value;
        (claim.value < beta ? high : low) = claim;
        if (low.value >= high.value) return {low.value, low.lower, high.upper};
        ++researches_;
    }
}

} // namespace zug::search
