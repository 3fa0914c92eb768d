#pragma once
// Weights of terms while they are learned: TD(lambda) for a linear function of a few terms, by a gradient step each
// (A. L. Samuel, Some studies in machine learning using the game of checkers, IBM Journal 3, 1959, moved his by the
// correlation of each term with what a search saw later).
//
// Each thread learns with weights of its own, as of networks.

#include "learn/model/learner.hpp"
#include "learn/terms/term_net.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace zug::learn {

// What all threads share.
struct TermCourse {
    // The game's eval must have terms.
    explicit TermCourse(game::Game& game);

    TermNet net();
    // All that was learned, and back; false: so many numbers are not of this model.
    std::vector<float> save();
    bool load(std::span<const float> numbers);
    // Begins with these weights; false: it is of another form.
    bool take(const TermNet& net);

    std::vector<game::Game> by_term; // the game with each term alone for its eval
    std::vector<double> spread;      // by term: the root of the mean square of its lead in random games
    OutputScale scale;
    std::uint32_t outputs;
    std::array<std::uint8_t, game::max_players> team;
    std::vector<float> weights; // by term: what its spread adds to the sum
    std::mutex mutex;           // of the weights
};

// The course must outlive it.
std::unique_ptr<Learner> make_learner(TermCourse& course);

} // namespace zug::learn
