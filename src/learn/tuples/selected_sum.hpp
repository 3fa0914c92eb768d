#pragma once
// The sum of the weights that a position selects, by output, kept from position to position: those that are evaluated
// one after the other differ in few slots, and so do their sums.

#include "learn/tuples/inputs.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace zug::learn {

template <class Number>
class SelectedSum {
public:
    SelectedSum(const Inputs& inputs, std::uint32_t outputs)
        : selection_(inputs), weights_(inputs.weights), outputs_(outputs) {}

    // Weights may have changed since the last position.
    void forget() { stage_ = none; }
    // weight(i): number i of all weights, by stage, then number, then output.
    template <class Weight>
    void update(std::span<const std::uint32_t> slots, std::uint32_t stage, const Weight& weight) {
        first_ = std::size_t{stage} * weights_ * outputs_;
        // A change takes two weights from memory, and a new sum each of them once.
        if (stage == stage_ && 2 * selection_.changes(slots) < selection_.weights().size()) {
            selection_.update(slots, [&](std::uint32_t, std::uint32_t before, std::uint32_t after) {
                for (std::uint32_t o = 0; o < outputs_; ++o) sums_[o] += weight(at(after, o)) - weight(at(before, o));
            });
            return;
        }
        stage_ = stage;
        selection_.update(slots);
        sums_.fill(0);
        for (const std::uint32_t i : selection_.weights())
            for (std::uint32_t o = 0; o < outputs_; ++o) sums_[o] += weight(at(i, o));
    }
    Number operator[](std::uint32_t output) const { return sums_[output]; }
    // The weights selected, by pattern, as numbers of one stage and output; and what number i is among all weights.
    std::span<const std::uint32_t> weights() const { return selection_.weights(); }
    std::size_t at(std::uint32_t i, std::uint32_t output) const { return first_ + std::size_t{i} * outputs_ + output; }

private:
    static constexpr std::uint32_t none = ~0U;

    Selection selection_;
    std::uint32_t weights_, outputs_;
    std::uint32_t stage_ = none; // of the last position
    std::size_t first_ = 0;      // the first weight of that stage
    std::array<Number, game::max_players> sums_{};
};

} // namespace zug::learn
