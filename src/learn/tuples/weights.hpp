#pragma once
// The weights while they are learned, by several threads at once, without locks: an update that another overwrites is
// lost, which does no harm (F. Niu, B. Recht, C. Re, S. J. Wright, Hogwild!, NIPS 2011).
//
// Each weight has a step size of its own, which falls as soon as its changes contradict each other: temporal coherence
// (D. F. Beal, M. C. Smith, Temporal coherence and prediction decay in TD learning, IJCAI 1999; for n-tuples S.
// Bagheri, M. Thill, P. Koch, W. Konen, Online adaptable learning rates for the game Connect-4, IEEE TCIAIG 8, 2016).

#include "base/zeroed_array.hpp"

#include <atomic>
#include <cmath>
#include <cstddef>
#include <new>
#include <span>
#include <vector>

namespace zug::learn {

class Weights {
public:
    explicit Weights(std::size_t count) : cells_(count) {
        if (cells_.size() != count) throw std::bad_alloc();
    }

    std::size_t size() const { return cells_.size(); }
    float operator[](std::size_t i) const { return cells_[i].weight.load(std::memory_order_relaxed); }
    // `change` is what a step size of 1 would add.
    void learn(std::size_t i, float change) {
        Cell& cell = cells_[i];
        const float sum = get(cell.sum), total = get(cell.total);
        const float rate = total > 0 ? std::abs(sum) / total : 1.0F;
        set(cell.weight, get(cell.weight) + rate * change);
        set(cell.sum, sum + change);
        set(cell.total, total + std::abs(change));
    }
    // A weight that has been learned: its step size begins lower. `change`: the size of a usual one.
    void begin_at(std::size_t i, float weight, float change) {
        constexpr float first_rate = 0.1F;
        set(cells_[i].weight, weight);
        set(cells_[i].sum, first_rate * change);
        set(cells_[i].total, change);
    }
    void copy(std::size_t from, std::size_t to) {
        set(cells_[to].weight, get(cells_[from].weight));
        set(cells_[to].sum, get(cells_[from].sum));
        set(cells_[to].total, get(cells_[from].total));
    }

    // By weight: it, and the sums of its changes. False: there are not so many weights.
    std::vector<float> save() const {
        std::vector<float> numbers;
        numbers.reserve(3 * cells_.size());
        for (std::size_t i = 0; i < cells_.size(); ++i)
            for (const auto* number : {&cells_[i].weight, &cells_[i].sum, &cells_[i].total})
                numbers.push_back(get(*number));
        return numbers;
    }
    bool load(std::span<const float> numbers) {
        if (numbers.size() != cells_.size() * 3) return false;
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            set(cells_[i].weight, numbers[3 * i]);
            set(cells_[i].sum, numbers[3 * i + 1]);
            set(cells_[i].total, numbers[3 * i + 2]);
        }
        return true;
    }

private:
    struct Cell {
        std::atomic<float> weight;
        std::atomic<float> sum, total; // of its changes, and of their absolute values
    };
    static float get(const std::atomic<float>& number) { return number.load(std::memory_order_relaxed); }
    static void set(std::atomic<float>& number, float value) { number.store(value, std::memory_order_relaxed); }

    ZeroedArray<Cell> cells_; // bits of 0 are 0.0
};

} // namespace zug::learn
