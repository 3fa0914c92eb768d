#include "tournament/rating.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace zug::tournament {

namespace {

constexpr double normal_quantile = 1.959963984540054; // of 0.975
constexpr double elo_per_theta = 400 / std::numbers::ln10;

// Replaces a positive definite matrix by its inverse: Gauss and Jordan, without pivots, which such a matrix does not
// need.
void invert(std::vector<double>& matrix, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) {
        const double pivot = 1 / matrix[k * n + k];
        matrix[k * n + k] = 1;
        for (std::size_t j = 0; j < n; ++j) matrix[k * n + j] *= pivot;
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k) continue;
            const double factor = matrix[i * n + k];
            matrix[i * n + k] = 0;
            for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] -= factor * matrix[k * n + j];
        }
    }
}

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, std::size_t n) {
    std::vector<double> out(n * n, 0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j) out[i * n + j] += a[i * n + k] * b[k * n + j];
    return out;
}

} // namespace

Ratings::Ratings(std::size_t players, std::span<const BlockCounts* const> results)
    : ratings_(players), order_(players), theta_(players, 0), points_(players * players, 0),
      comparisons_(players * players, 0), virtual_variation_(players * players, 0) {
    add_up(results);
    if (!everybody_scored()) add_draws();
    maximise();
    find_covariance(results);
    for (std::size_t k = 0; k < players; ++k) {
        Rating& rating = ratings_[k];
        if (!rating.rated) continue;
        const double reach = normal_quantile * std::sqrt(std::max(0.0, at(covariance_, k, k))) * elo_per_theta;
        rating.elo = theta_[k] * elo_per_theta;
        rating.interval = {rating.elo - reach, rating.elo + reach};
    }
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) {
        if (ratings_[a].rated != ratings_[b].rated) return ratings_[a].rated;
        return ratings_[a].elo > ratings_[b].elo;
    });
}

void Ratings::add_up(std::span<const BlockCounts* const> results) {
    Matrix blocks(points_.size(), 0);
    for (const BlockCounts* counts : results)
        for (const auto& [block, count] : *counts)
            for (const PairScore& pair : block) {
                const double n = static_cast<double>(count) * pair.comparisons;
                const double won = static_cast<double>(count) * pair.half_points / 2;
                at(points_, pair.a, pair.b) += won;
                at(points_, pair.b, pair.a) += n - won;
                at(comparisons_, pair.a, pair.b) += n;
                at(comparisons_, pair.b, pair.a) += n;
                at(blocks, pair.a, pair.b) += static_cast<double>(count);
                ratings_[pair.a].rated = ratings_[pair.b].rated = true;
            }
    for (std::size_t a = 0; a < size(); ++a)
        for (std::size_t b = a + 1; b < size(); ++b)
            if (at(blocks, a, b) > 0) {
                const double in_block = at(comparisons_, a, b) / at(blocks, a, b);
                at(virtual_variation_, a, b) = in_block * in_block / 4;
            }
}

// Ford's condition: whoever is picked, a chain of players leads from it to each other one, and back, in which everyone
// has scored against the next.
bool Ratings::everybody_scored() const {
    const auto reached = [&](bool forward) {
        std::vector<bool> seen(size(), false);
        std::vector<std::size_t> queue;
        const auto first = std::ranges::find_if(ratings_, [](const Rating& rating) { return rating.rated; });
        if (first == ratings_.end()) return true;
        queue.push_back(static_cast<std::size_t>(first - ratings_.begin()));
        seen[queue.front()] = true;
        for (std::size_t next = 0; next < queue.size(); ++next)
            for (std::size_t k = 0; k < size(); ++k) {
                const double points = forward ? at(points_, queue[next], k) : at(points_, k, queue[next]);
                if (seen[k] || points <= 0) continue;
                seen[k] = true;
                queue.push_back(k);
            }
        for (std::size_t k = 0; k < size(); ++k)
            if (ratings_[k].rated && !seen[k]) return false;
        return true;
    };
    return reached(true) && reached(false);
}

void Ratings::add_draws() {
    virtual_draws_ = true;
    for (std::size_t a = 0; a < size(); ++a)
        for (std::size_t b = 0; b < size(); ++b)
            if (a != b && ratings_[a].rated && ratings_[b].rated) {
                at(points_, a, b) += 0.5;
                at(comparisons_, a, b) += 1;
            }
}

double Ratings::expected(std::size_t a, std::size_t b) const { return 1 / (1 + std::exp(theta_[b] - theta_[a])); }

void Ratings::maximise() {
    constexpr int most_passes = 10'000;
    constexpr double precision = 1e-10;
    std::vector<double> strength(size(), 1);
    double change = 1;
    for (int pass = 0; pass < most_passes && change > precision; ++pass) {
        change = 0;
        for (std::size_t k = 0; k < size(); ++k) {
            if (!ratings_[k].rated) continue;
            double won = 0, weight = 0;
            for (std::size_t j = 0; j < size(); ++j) {
                won += at(points_, k, j);
                if (at(comparisons_, k, j) > 0) weight += at(comparisons_, k, j) / (strength[k] + strength[j]);
            }
            const double better = won / weight;
            change = std::max(change, std::abs(std::log(better / strength[k])));
            strength[k] = better;
        }
    }
    double sum = 0;
    std::size_t rated = 0;
    for (std::size_t k = 0; k < size(); ++k) {
        theta_[k] = std::log(strength[k]);
        sum += ratings_[k].rated ? theta_[k] : 0;
        rated += ratings_[k].rated ? 1 : 0;
    }
    for (double& theta : theta_) theta -= rated == 0 ? 0 : sum / static_cast<double>(rated);
}

// Fisher's: the second derivative of the likelihood, with the opposite sign.
Ratings::Matrix Ratings::information() const {
    Matrix out(points_.size(), 0);
    for (std::size_t a = 0; a < size(); ++a)
        for (std::size_t b = 0; b < size(); ++b) {
            if (a == b || at(comparisons_, a, b) <= 0) continue;
            const double weight = at(comparisons_, a, b) * expected(a, b) * expected(b, a);
            at(out, a, b) -= weight;
            at(out, a, a) += weight;
        }
    return out;
}

// The sum over the blocks of the squares of the likelihood's derivative: how far each block was from what is expected.
Ratings::Matrix Ratings::variation(std::span<const BlockCounts* const> results) const {
    Matrix out(points_.size(), 0);
    std::vector<double> score(size(), 0);
    std::vector<std::size_t> involved;
    for (const BlockCounts* counts : results)
        for (const auto& [block, count] : *counts) {
            involved.clear();
            for (const PairScore& pair : block) {
                const double more = pair.half_points / 2.0 - pair.comparisons * expected(pair.a, pair.b);
                score[pair.a] += more;
                score[pair.b] -= more;
                involved.push_back(pair.a);
                involved.push_back(pair.b);
            }
            std::ranges::sort(involved);
            involved.erase(std::ranges::unique(involved).begin(), involved.end());
            for (const std::size_t a : involved)
                for (const std::size_t b : involved) at(out, a, b) += static_cast<double>(count) * score[a] * score[b];
            for (const std::size_t a : involved) score[a] = 0;
        }
    for (std::size_t a = 0; a < size(); ++a)
        for (std::size_t b = a + 1; b < size(); ++b) {
            const double more = at(virtual_variation_, a, b);
            at(out, a, a) += more;
            at(out, b, b) += more;
            at(out, a, b) -= more;
            at(out, b, a) -= more;
        }
    return out;
}

// The information leaves the mean of all ratings open, which is zero by definition: a one in all its elements, divided
// by the number of players, makes it invertible and changes nothing else. Players without a rating get a row of their
// own.
void Ratings::find_covariance(std::span<const BlockCounts* const> results) {
    Matrix inverse = information();
    const auto rated = static_cast<double>(std::ranges::count_if(ratings_, [](auto& rating) { return rating.rated; }));
    for (std::size_t a = 0; a < size(); ++a)
        for (std::size_t b = 0; b < size(); ++b) {
            if (ratings_[a].rated && ratings_[b].rated) at(inverse, a, b) += 1 / rated;
            if (a == b && !ratings_[a].rated) at(inverse, a, b) = 1;
        }
    invert(inverse, size());
    covariance_ = product(product(inverse, variation(results), size()), inverse, size());
}

double Ratings::deviation(std::size_t a, std::size_t b) const {
    return std::sqrt(std::max(0.0, at(covariance_, a, a) + at(covariance_, b, b) - 2 * at(covariance_, a, b)));
}

Rating Ratings::difference(std::size_t a, std::size_t b) const {
    Rating out{ratings_[a].rated && ratings_[b].rated, (theta_[a] - theta_[b]) * elo_per_theta, {}};
    const double reach = normal_quantile * deviation(a, b) * elo_per_theta;
    out.interval = {out.elo - reach, out.elo + reach};
    return out;
}

double Ratings::superiority(std::size_t a, std::size_t b) const {
    const double spread = deviation(a, b);
    if (!(spread > 0)) return 0.5;
    return std::erfc((theta_[b] - theta_[a]) / spread / std::numbers::sqrt2) / 2;
}

} // namespace zug::tournament
