#include "game/selfplay/fit.hpp"

#include "game/utility_of_lead.hpp"

#include <algorithm>
#include <cmath>

namespace zug::game {

namespace {

double squared_error(std::span<const Observation> observed, const Traits& traits, const EvalScale& scale) {
    double sum = 0;
    for (const Observation& one : observed) {
        const double error = utility_of_lead(one.lead, scale, traits) - one.utility;
        sum += error * error;
    }
    return sum;
}

// The regression line.
std::optional<EvalScale> fit_line(std::span<const Observation> observed) {
    const auto n = static_cast<double>(observed.size());
    double leads = 0, utilities = 0, squares = 0, products = 0;
    for (const Observation& one : observed) leads += one.lead, utilities += one.utility;
    for (const Observation& one : observed) {
        const double off = one.lead - leads / n;
        squares += off * off;
        products += off * (one.utility - utilities / n);
    }
    const double slope = products / squares;
    if (!(slope > 0) || !std::isfinite(slope)) return std::nullopt;
    return EvalScale{.slope = slope, .offset = utilities / n - slope * (leads / n)};
}

// Tries units over all orders of magnitude that can matter: the error changes slowly with the unit.
std::optional<EvalScale> fit_unit(std::span<const Observation> observed, const Traits& traits) {
    constexpr double step = 1.1, beyond = 64;
    double least = HUGE_VAL, most = 0;
    for (const Observation& one : observed)
        if (one.lead != 0) least = std::min(least, std::abs(one.lead)), most = std::max(most, std::abs(one.lead));
    if (most == 0) return std::nullopt;
    least = std::max(least, most * 1e-6);
    EvalScale best{.unit = most * beyond};
    const EvalScale blind{.unit = most * 1e9};
    double best_error = squared_error(observed, traits, blind);
    bool found = false;
    for (EvalScale scale{.unit = least / beyond}; scale.unit < most * beyond; scale.unit *= step) {
        const double error = squared_error(observed, traits, scale);
        if (!(error < best_error)) continue;
        best = scale, best_error = error, found = true;
    }
    return found ? std::optional(best) : std::nullopt;
}

} // namespace

std::optional<EvalScale> fit_scale(std::span<const Observation> observed, const Traits& traits) {
    return traits.players == 1 ? fit_line(observed) : fit_unit(observed, traits);
}

} // namespace zug::game
