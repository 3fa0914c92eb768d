#include "solve/expectation/expected_values.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace zug::solve {

ExpectedValues::ExpectedValues(const std::set<Payoffs>& ends, const game::Traits& traits, Ties ties)
    : players_(traits.players), width_(traits.players == 1 || traits.zero_sum ? 1 : traits.players),
      first_side_(traits.first_side), ties_(ties) {
    std::set<double> firsts;
    for (const Payoffs& payoffs : ends) {
        firsts.insert(payoffs.front());
        for (const double payoff : payoffs) {
            least_ = std::min(least_, payoff);
            greatest_ = std::max(greatest_, payoff);
        }
    }
    if (width_ == 1 && firsts == std::set<double>{-1, 1}) lost_ = -1;
    if (players_ == 1 && firsts == std::set<double>{0, 1}) lost_ = 0;
}

Payoffs ExpectedValues::payoffs(std::span<const double> kept) const {
    Payoffs payoffs(players_);
    for (std::uint32_t player = 0; player < players_; ++player) payoffs[player] = of(player, kept);
    return payoffs;
}

std::optional<double> ExpectedValues::win_probability(double value) const {
    if (!lost_) return std::nullopt;
    return (value - *lost_) / (1 - *lost_);
}

void ExpectedValues::best(std::uint32_t player, Columns values, std::vector<std::size_t>& chosen) const {
    chosen.resize(values.front().size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    const double tolerance = same * range();
    const auto keep_greatest = [&](auto&& worth) {
        if (chosen.size() == 1) return;
        double most = -std::numeric_limits<double>::infinity();
        for (const std::size_t i : chosen) most = std::max(most, worth(i));
        std::erase_if(chosen, [&](std::size_t i) { return worth(i) < most - tolerance; });
    };
    if (width_ == 1) {
        keep_greatest([&](std::size_t i) { return is_first(player) ? values[0][i] : -values[0][i]; });
        return;
    }
    keep_greatest([&](std::size_t i) { return values[player][i]; });
    keep_greatest([&](std::size_t i) {
        double others = -values[player][i];
        for (const auto& column : values) others += column[i];
        return ties_ == Ties::Kind ? others : -others;
    });
    for (const auto& column : values) keep_greatest([&](std::size_t i) { return column[i]; });
}

void ExpectedValues::choose(std::uint32_t player, Columns values, std::span<double> out,
                            std::vector<std::size_t>& buffer) const {
    if (width_ == 1) {
        out[0] = is_first(player) ? *std::ranges::max_element(values[0]) : *std::ranges::min_element(values[0]);
        return;
    }
    best(player, values, buffer);
    for (std::uint32_t w = 0; w < width_; ++w) out[w] = values[w][buffer.front()];
}

void ExpectedValues::mean(std::span<const double> probabilities, Columns values, std::span<double> out) const {
    for (std::uint32_t w = 0; w < width_; ++w)
        out[w] = std::inner_product(probabilities.begin(), probabilities.end(), values[w].begin(), 0.0);
}

double ExpectedValues::rounding(std::size_t outcomes) const {
    // One rounding for each probability (a quotient), one for each product, and one for each addition.
    constexpr double unit = std::numeric_limits<double>::epsilon() / 2;
    return static_cast<double>(outcomes + 4) * unit * std::max(greatest_, -least_);
}

void ValueCounts::add(const ExpectedValues& values, double value, std::uint64_t positions) {
    const double share = values.range() > 0 ? (value - values.least()) / values.range() : 0;
    decided[std::min(ranges - 1, static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * ranges))] += positions;
}

void ValueCounts::add(const ValueCounts& other) {
    for (std::size_t i = 0; i < ranges; ++i) decided[i] += other.decided[i];
    chance += other.chance;
}

} // namespace zug::solve
