#include "match/statistics.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace zug::match {

namespace {
constexpr double tail = 0.025;
constexpr double normal_quantile = 1.959963984540054; // of 1 - tail
} // namespace

void Sample::add(double value) {
    least_ = count_ == 0 ? value : std::min(least_, value);
    greatest_ = count_ == 0 ? value : std::max(greatest_, value);
    ++count_;
    sum_ += value;
    const double before = value - running_mean_;
    running_mean_ += before / static_cast<double>(count_);
    squares_ += before * (value - running_mean_);
}

double Sample::deviation() const { return count_ < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(count_ - 1)); }

std::optional<Interval> Sample::interval() const {
    if (count_ < 2) return std::nullopt;
    const auto n = static_cast<double>(count_);
    const boost::math::students_t distribution(n - 1);
    const double quantile = boost::math::quantile(boost::math::complement(distribution, tail));
    const double reach = quantile * deviation() / std::sqrt(n);
    return Interval{mean() - reach, mean() + reach};
}

std::optional<Interval> wilson(std::uint64_t successes, std::uint64_t n) {
    if (n == 0) return std::nullopt;
    const auto size = static_cast<double>(n);
    const double share = static_cast<double>(successes) / size;
    const double z2 = normal_quantile * normal_quantile;
    const double middle = share + z2 / (2 * size);
    const double reach = normal_quantile * std::sqrt(share * (1 - share) / size + z2 / (4 * size * size));
    const double scale = 1 + z2 / size;
    return Interval{std::max(0.0, (middle - reach) / scale), std::min(1.0, (middle + reach) / scale)};
}

double elo(double score) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (score <= 0) return -infinity;
    if (score >= 1) return infinity;
    return 400 * std::log10(score / (1 - score));
}

} // namespace zug::match
