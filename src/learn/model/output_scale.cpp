#include "learn/model/output_scale.hpp"

#include "learn/model/ends.hpp"

#include <algorithm>
#include <cmath>

namespace zug::learn {

double OutputScale::expected(double sum) const { return bounded ? std::tanh(sum) : sum; }

OutputScale find_scale(game::Game& game) {
    constexpr double wide = 20; // standard deviations
    double sum = 0, squares = 0, count = 0;
    for_each_random_end(game, [&](std::span<const double> utilities) {
        for (const double utility : utilities) sum += utility, squares += utility * utility, count += 1;
    });
    const double low = game.traits().min_utility, high = game.traits().max_utility;
    const double mean = count > 0 ? sum / count : 0;
    const double deviation = count > 0 ? std::sqrt(std::max(0.0, squares / count - mean * mean)) : 0;
    if (deviation > 0 && high - low > wide * deviation) return {.bounded = false, .middle = mean, .half = deviation};
    return {.bounded = true, .middle = (low + high) / 2, .half = (high - low) / 2};
}

} // namespace zug::learn
