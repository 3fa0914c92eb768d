#pragma once
// Collects patterns within limits, each with its images under the symmetries of the game, which share its weights.

#include "game/symmetry/symmetry.hpp"
#include "learn/tuples/inputs.hpp"

#include <set>
#include <utility>

namespace zug::learn {

class PatternSet {
public:
    using Slots = std::vector<std::uint32_t>;

    // The symmetries must outlive it.
    PatternSet(std::size_t slots, const game::SymmetryGroup& symmetries, const InputLimits& limits);

    const InputLimits& limits() const { return limits_; }
    // How far the numbers of weights and patterns may grow.
    struct Quota {
        std::uint32_t weights = 0, patterns = 0;
    };
    // A share of what is left.
    Quota quota(double share) const;

    // A slot with so many values, of which 2^shift next to each other count as one.
    void add_alone(std::uint32_t slot, std::uint64_t values, std::uint8_t shift);
    // Several slots with so many values each. One over the same slots as another is left out. False: the quota does
    // not allow it.
    bool add(const Slots& slots, std::uint64_t values, const Quota& quota);
    // The same with all patterns of a class sharing their weights, whatever the limits. All of a class have the same
    // length, and symmetries map classes to classes, where they may turn all patterns around.
    void add_classes(const std::vector<std::vector<Slots>>& classes, std::uint64_t values);

    FoundInputs take() { return std::move(found_); }

private:
    using Order = std::vector<std::uint32_t>; // by slot of a pattern: the slot of it that takes its value

    // The images of the slots, each set of slots once; and what the symmetries do that map it to itself.
    std::vector<Slots> images(const Slots& slots, std::vector<Order>& orders) const;
    void push(std::uint32_t first, const Slots& slots, std::uint64_t values);
    // Makes room for the weights of a pattern, of which those are equal whose combinations such an order exchanges.
    std::uint32_t add_weights(std::size_t slots, std::uint64_t values, const std::vector<Order>& orders);

    const InputLimits limits_;
    FoundInputs found_;
    bool last_has_equals_ = false;                  // of the weights that were added last
    std::uint32_t several_ = 0;                     // patterns of several slots
    std::vector<const game::Symmetry*> symmetries_; // those that leave all values as they are
    std::set<Slots> known_;                         // sorted
};

} // namespace zug::learn
