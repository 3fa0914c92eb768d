#pragma once
// Networks while they are learned: stochastic gradient descent on the cross entropy of the targets, which are
// distributions over utilities (D. E. Rumelhart, G. E. Hinton, R. J. Williams, Learning representations by
// back-propagating errors, Nature 323, 1986; for games G. Tesauro, TD-Gammon, a self-teaching backgammon program,
// Neural Computation 6, 1994).
//
// Each thread learns with weights of its own; what it changed is added to the common ones after some games, so that one
// thread learns the same each time.

#include "learn/model/learner.hpp"
#include "learn/network/network.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace zug::learn {

struct NetworkWeights {
    // By column, then unit; by unit; by stage, output, utility, then unit; by stage, output, utility.
    std::vector<float> hidden, hidden_bias, output, output_bias;
};

// What all threads share.
struct NetworkCourse {
    NetworkCourse(game::Game& game, bool apart, std::uint64_t seed, std::uint32_t units);

    Network net();
    // All that was learned, and back; false: so many numbers are not of this model.
    std::vector<float> save();
    bool load(std::span<const float> numbers);
    // Begins with what the network knows; false: it is of another form.
    bool take(const Network& net);

    Viewpoint viewpoint;
    Columns columns;
    std::vector<Family> families;
    std::vector<double> utilities;
    std::uint32_t outputs, units;
    std::uint32_t mover_slot;
    std::array<std::uint8_t, game::max_players> team;
    NetworkWeights weights;
    std::mutex mutex; // of the weights
};

// The course must outlive it.
std::unique_ptr<Learner> make_learner(NetworkCourse& course);

} // namespace zug::learn
