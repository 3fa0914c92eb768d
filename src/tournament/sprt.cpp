#include "tournament/sprt.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace zug::tournament {

namespace {

constexpr double absent = 1e-3; // blocks, where there are none

// The value of a score, and its share of all blocks.
struct Atom {
    double score = 0, share = 0;
};

// The distribution over the same scores that has the given mean and makes the observed shares most likely: each share
// divided by 1 + x (score - mean), with the x that makes this a distribution of that mean. It lies where all divisors
// are positive; the sum falls as x grows.
double tilt(std::span<const Atom> atoms, double mean) {
    double low = -1 / (atoms.back().score - mean), high = 1 / (mean - atoms.front().score);
    constexpr int steps = 100; // halvings: more than the digits of a double
    for (int step = 0; step < steps; ++step) {
        const double x = (low + high) / 2;
        double sum = 0;
        for (const Atom& atom : atoms) sum += atom.share * (atom.score - mean) / (1 + x * (atom.score - mean));
        (sum > 0 ? low : high) = x;
    }
    return (low + high) / 2;
}

std::optional<double> take_number(std::string_view& text) {
    double value = 0;
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.empty() && !text.starts_with(',')) return std::nullopt;
    if (!text.empty()) text.remove_prefix(1);
    return value;
}

} // namespace

tl::expected<SprtOptions, Error> parse_sprt(std::string_view text) {
    constexpr double most_elo = 2000;
    SprtOptions options;
    const std::array<double*, 4> values = {&options.elo0, &options.elo1, &options.alpha, &options.beta};
    std::size_t count = 0;
    std::string_view rest = text;
    for (; count < values.size() && !rest.empty(); ++count) {
        const auto value = take_number(rest);
        if (!value) break;
        *values[count] = *value;
    }
    if (!rest.empty() || count < 2 || text.ends_with(','))
        return failure(fmt::format("`{}` must be two Elo differences such as 0,10, and if wanted the two error "
                                   "probabilities: 0,10,0.05,0.05",
                                   text));
    if (!(options.elo0 < options.elo1)) return failure("the first Elo difference must be less than the second");
    if (std::abs(options.elo0) > most_elo || std::abs(options.elo1) > most_elo)
        return failure(fmt::format("the Elo differences must be within {}", most_elo));
    for (const double error : {options.alpha, options.beta})
        if (!(error > 0 && error < 0.5)) return failure("an error probability must be between 0 and 0.5");
    return options;
}

SprtBounds sprt_bounds(const SprtOptions& options) {
    return {std::log(options.beta / (1 - options.alpha)), std::log((1 - options.beta) / options.alpha)};
}

double expected_score(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

double log_likelihood_ratio(std::span<const std::uint64_t> counts, double elo0, double elo1) {
    std::vector<Atom> atoms;
    double blocks = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const double count = counts[k] == 0 ? absent : static_cast<double>(counts[k]);
        atoms.push_back({static_cast<double>(k) / static_cast<double>(counts.size() - 1), count});
        blocks += count;
    }
    for (Atom& atom : atoms) atom.share /= blocks;
    const double mean0 = expected_score(elo0), mean1 = expected_score(elo1);
    const double x0 = tilt(atoms, mean0), x1 = tilt(atoms, mean1);
    double llr = 0;
    for (const Atom& atom : atoms)
        llr += atom.share * std::log((1 + x0 * (atom.score - mean0)) / (1 + x1 * (atom.score - mean1)));
    return blocks * llr;
}

SprtDecision sprt_decision(double llr, const SprtBounds& bounds) {
    return llr <= bounds.accept_h0   ? SprtDecision::AcceptH0
           : llr >= bounds.accept_h1 ? SprtDecision::AcceptH1
                                     : SprtDecision::None;
}

} // namespace zug::tournament
