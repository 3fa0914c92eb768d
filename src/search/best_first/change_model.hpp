#pragma once
// How much the expansion of a leaf changes its value, learned as a search goes on: mean and deviation, in the view of
// the player to move there. Leaves are told apart by the step that led to them, the difference between their value and
// their parent's before it was expanded: where the value has just jumped, it is likelier to jump again.
//
// Each kind of leaf is taken with all others for as long as it has been seen seldom (shrinkage: Efron and Morris,
// "Data analysis using Stein's estimator", 1975).

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace zug::search {

class ChangeModel {
public:
    struct Change {
        double mean = 0, deviation = 0; // of utility
    };

    // `range`: of the game's utilities.
    explicit ChangeModel(double range) : range_(range) { forget(); }

    // The kind of a leaf, by the size of the step that led to it.
    std::uint8_t kind_of(double step) const {
        const double doublings = std::log2(std::max(step / range_ / least_step, 0.5)) + 1;
        return static_cast<std::uint8_t>(std::min(doublings, static_cast<double>(kinds_.size() - 1)));
    }
    void learn(std::uint8_t kind, double change) {
        all_.add(change / range_);
        kinds_[kind].add(change / range_);
    }
    Change of(std::uint8_t kind) const {
        const Moments& known = kinds_[kind];
        const double own = known.count / (known.count + doubt);
        const double mean = own * known.mean + (1 - own) * all_.mean;
        const double variance = own * known.variance() + (1 - own) * all_.variance();
        return {range_ * mean, range_ * std::sqrt(variance)};
    }
    void forget() {
        kinds_.fill({});
        all_ = {.count = doubt, .squares = doubt * first_deviation * first_deviation};
    }

private:
    static constexpr double doubt = 8;               // leaves whose changes weigh as much as what is taken for granted
    static constexpr double first_deviation = 0.05;  // before anything is known, as a share of the range
    static constexpr double memory = 4096;           // a mean over about so many leaves
    static constexpr double least_step = 1.0 / 1024; // as a share of the range; each kind reaches to twice the last's

    // Running moments (Welford, "Note on a method for calculating corrected sums of squares and products", 1962).
    struct Moments {
        double count = 0, mean = 0, squares = 0;
        void add(double x) {
            if (count >= memory) squares *= (memory - 1) / memory;
            count = std::min(count + 1, memory);
            const double before = x - mean;
            mean += before / count;
            squares += before * (x - mean);
        }
        double variance() const { return count > 0 ? squares / count : 0; }
    };

    double range_;
    Moments all_;
    std::array<Moments, 11> kinds_;
};

} // namespace zug::search
