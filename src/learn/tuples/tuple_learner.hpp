#pragma once
// N-tuple networks while they are learned.

#include "learn/model/learner.hpp"
#include "learn/tuples/selected_sum.hpp"
#include "learn/tuples/tuple_net.hpp"
#include "learn/tuples/weights.hpp"

#include <memory>

namespace zug::learn {

// What all threads share.
struct TupleCourse {
    TupleCourse(game::Game& game, bool apart, std::uint64_t seed, const InputLimits& limits);

    TupleNet net() const;
    // All that was learned, and back; false: so many numbers are not of this model.
    std::vector<float> save() const { return weights.save(); }
    bool load(std::span<const float> numbers) { return weights.load(numbers); }
    // Begins with what the net knows; false: its patterns are others.
    bool take(const TupleNet& net);

    Viewpoint viewpoint;
    OutputScale scale;
    FoundInputs found;
    std::uint32_t outputs;
    std::uint32_t mover_slot;
    std::array<std::uint8_t, game::max_players> team;
    Weights weights;
};

std::unique_ptr<Learner> make_learner(TupleCourse& course);

} // namespace zug::learn
