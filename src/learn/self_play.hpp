#pragma once
// One thread's games of a learner against itself, and what they teach.

#include "base/random.hpp"
#include "game/line.hpp"
#include "game/selfplay/sampler.hpp"
#include "learn/selected_sum.hpp"
#include "learn/trainer.hpp"
#include "learn/weights.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace zug::learn {

// What all threads share.
struct Course {
    Inputs inputs;
    std::vector<std::uint32_t> ring; // as in FoundInputs
    OutputScale scale;
    std::uint32_t stages = 1, outputs = 1;
    Weights weights;
};

class SelfPlay {
public:
    // All must outlive it.
    SelfPlay(game::Game& game, Course& course, const TrainerOptions& options, std::uint64_t seed);

    // Plays a game and learns from it. False: a run-time fault, which Game::fault_text() tells, or a stop in the midst.
    bool play_and_learn();

    std::uint64_t positions() const { return positions_; } // learned from so far
    // The sum of squared errors and their number since the last call.
    std::pair<double, std::uint64_t> take_error();

private:
    // By output, in units of OutputScale.
    using Values = std::array<float, game::max_players>;
    struct Visit {
        bool chance = false;
        bool best = false; // the best move was made; else a random one
        Values value{};    // of the best move
    };
    enum class At : std::uint8_t { Open, End, Fault };

    Values value_of(SelectedSum<float>& sum, std::span<const std::uint32_t> slots) const;
    // The value of the position at ply 1; false: a fault.
    bool value_after(game::Next at, Values& out);
    bool payoffs(int ply, Values& out);
    bool better(const Values& a, const Values& b, std::uint32_t mover) const;
    // Looks at all moves of the position at ply 0 and makes one.
    At visit_decision(bool random);
    At visit_chance();
    At make(std::size_t i);
    void learn(std::size_t visit, const Values& target);
    void learn_all();

    game::Game& game_;
    Course& course_;
    const TrainerOptions& options_;
    game::Line line_;
    SelectedSum<float> seen_, learned_; // of positions met in play; of positions learned from
    Random random_;
    game::Sampler lot_;
    std::vector<std::uint32_t> slots_;  // of one position
    std::vector<Visit> visits_;         // of this game
    std::vector<std::uint32_t> record_; // their slots
    Values last_{};                     // of the position where the game ended or was left
    std::uint64_t positions_ = 0, errors_ = 0;
    double squares_ = 0;
};

} // namespace zug::learn
