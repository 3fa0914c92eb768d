#include "search/monte_carlo/selection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace zug::search {

namespace {

constexpr std::size_t tabled = 1024;

const std::array<double, tabled>& inverse_roots() {
    static const auto table = [] {
        std::array<double, tabled> roots{};
        for (std::size_t n = 1; n < tabled; ++n) roots[n] = 1 / std::sqrt(static_cast<double>(n));
        return roots;
    }();
    return table;
}

} // namespace

Selection::Selection(const MonteCarloOptions& options, bool shares, double implicit)
    : exploration_(options.exploration), first_play_(options.first_play), bias_(options.rave_bias), implicit_(implicit),
      shares_(shares) {}

// The mean of a move, mixed with what it shares with others; `untried`: what takes the place of a mean without visits.
double Selection::value_of(const Edge& edge, double untried) const {
    const std::uint32_t visits = load(edge.visits);
    const double own = visits > 0 ? load(edge.value) : untried;
    if (!shares_) return own;
    const double shared = load(edge.shared_value);
    if (implicit_ > 0) return (1 - implicit_) * (visits > 0 ? own : shared) + implicit_ * shared;
    const double n = visits, m = load(edge.shared_visits);
    if (m <= 0) return own;
    const double weight = m / (m + n + bias_ * m * n);
    return (1 - weight) * own + weight * shared;
}

std::size_t Selection::choose(std::span<const Edge> edges, std::uint32_t visits, double mean, double spread,
                              Random& random) const {
    const auto& roots = inverse_roots();
    const double bonus = exploration_ * spread * std::sqrt(std::log(static_cast<double>(std::max(visits, 2U))));
    const double untried = mean + first_play_ * spread;
    const std::size_t count = edges.size();
    std::size_t best = count;
    double most = -std::numeric_limits<double>::infinity();
    std::size_t i = count > 1 ? random.below(static_cast<std::uint32_t>(count)) : 0;
    for (std::size_t k = 0; k < count; ++k, i = i + 1 == count ? 0 : i + 1) {
        const Edge& edge = edges[i];
        if (Tree::closed(edge)) continue;
        // A move that was never tried and counts as much as its evaluation has the bonus of one that was tried once:
        // without it, moves that look no better would never be tried.
        const std::uint32_t n = std::max(load(edge.visits), implicit_ > 0 ? 1U : 0U);
        double score = value_of(edge, untried);
        if (n > 0) score += bonus * (n < tabled ? roots[n] : 1 / std::sqrt(static_cast<double>(n)));
        if (score > most) {
            most = score;
            best = i;
        }
    }
    return best;
}

std::size_t Selection::draw(std::span<const Edge> outcomes, Random& random) {
    double rest = random.unit();
    for (std::size_t i = 0; i + 1 < outcomes.size(); ++i) {
        rest -= outcomes[i].value;
        if (rest < 0) return i;
    }
    return outcomes.size() - 1;
}

} // namespace zug::search
