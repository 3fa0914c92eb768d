#pragma once
// How long the vector of features of a position is. A feature is the number of patterns that select a weight, which
// many do where patterns share their weights: on an empty board nearly all. Without the norm a step would be too long
// there by as much (J. Nagumo and A. Noda, A learning method for system identification, IEEE Transactions on Automatic
// Control 12, 1967).

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zug::learn {

class FeatureNorm {
public:
    // `patterns`: how many there are.
    explicit FeatureNorm(std::size_t patterns) : cells_(std::bit_ceil(2 * patterns + 1)) {}

    // The sum of the squares of the features. `weights`: those selected, one for each pattern, where equal weights have
    // equal numbers. Cost: a look-up for each.
    std::uint64_t squared(std::span<const std::uint32_t> weights) {
        ++round_;
        std::uint64_t squares = 0;
        for (const std::uint32_t weight : weights) {
            Cell& cell = find(weight);
            squares += 2 * cell.count + 1; // the next square
            ++cell.count;
        }
        return squares;
    }

private:
    struct Cell {
        std::uint64_t round = 0, count = 0;
        std::uint32_t weight = 0;
    };

    Cell& find(std::uint32_t weight) {
        const std::size_t mask = cells_.size() - 1;
        for (std::size_t i = (weight * 0x9E3779B97F4A7C15ULL >> 32) & mask;; i = (i + 1) & mask) {
            Cell& cell = cells_[i];
            if (cell.round == round_ && cell.weight != weight) continue;
            if (cell.round != round_) cell = {.round = round_, .count = 0, .weight = weight};
            return cell;
        }
    }

    std::vector<Cell> cells_; // a hash table; those of earlier rounds are free
    std::uint64_t round_ = 0;
};

} // namespace zug::learn
