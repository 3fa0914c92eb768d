#pragma once
// Means and 95 percent confidence intervals. All intervals assume independent observations, which games that repeat
// each other are not (see Report::distinct).

#include <cstdint>
#include <optional>

namespace zug::match {

struct Interval {
    double low = 0, high = 0;
};

// Count, sum and variance in one pass, the variance without loss of precision (Welford, "Note on a method for
// calculating corrected sums of squares and products", 1962).
class Sample {
public:
    void add(double value);
    std::uint64_t count() const { return count_; }
    double sum() const { return sum_; }
    double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
    double deviation() const; // the sample's; 0 below two observations
    double least() const { return least_; }
    double greatest() const { return greatest_; }
    // Of the mean, by Student's t. Empty below two observations.
    std::optional<Interval> interval() const;

private:
    std::uint64_t count_ = 0;
    double sum_ = 0;
    double running_mean_ = 0, squares_ = 0; // Welford's
    double least_ = 0, greatest_ = 0;
};

// Of a proportion (Wilson, "Probable inference, the law of succession, and statistical inference", 1927). Empty for n =
// 0.
std::optional<Interval> wilson(std::uint64_t successes, std::uint64_t n);

// The Elo difference that corresponds to a score from 0 to 1 (the share of points won): infinite at either end.
double elo(double score);

} // namespace zug::match
