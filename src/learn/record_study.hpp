#pragma once
// Learns from recorded games: the value of a position is moved towards what the player who moved there expected and,
// with weight lambda, towards what came of it; where nothing is said of what was expected, towards the result.
// Positions in which a loud move was made teach nothing: what they are worth is seen after it.
//
// The games are learned from again and again, in an order of its own each time, by blocks of games whose positions are
// mixed. One in so many is left out, to tell by it how well others are estimated.

#include "game/line.hpp"
#include "learn/recorded_game.hpp"
#include "learn/study.hpp"
#include "learn/trainer.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace zug::learn {

// The numbers of those that are learned from, of so many.
std::vector<std::uint32_t> games_to_learn(std::size_t games);

class RecordStudy final : public Study {
public:
    // All must outlive it. TrainerOptions::records is not empty.
    RecordStudy(game::Game& game, std::unique_ptr<Learner> learner, const TrainerOptions& options);

    bool learn_games(std::uint64_t first, std::uint32_t count, double rate) override;
    std::optional<double> error_of_others() override;

private:
    // Positions with what is to be learned of them.
    struct Samples {
        std::size_t count = 0;
        std::vector<std::uint32_t> slots;
        std::vector<float> targets;
    };

    const RecordedGame& record(std::size_t i) const { return (*options_.records)[i]; }
    // The game with this number, where each is met once before any is met again.
    const RecordedGame& nth(std::uint64_t number);
    // False: a run-time fault.
    bool add(const RecordedGame& game, Samples& samples);
    bool add_others();
    bool walk(const RecordedGame& game, Samples& samples);
    void set_targets(const RecordedGame& game, Samples& samples);
    bool is_quiet(std::uint64_t move);
    std::span<const std::uint32_t> slots(const Samples& samples, std::size_t i) const;
    std::span<float> target(Samples& samples, std::size_t i) const;

    game::Game& game_;
    const TrainerOptions& options_;
    game::Line line_;
    game::State start_;
    std::vector<std::uint32_t> order_; // of this round
    std::optional<std::uint64_t> round_;
    Samples samples_, others_;
    std::vector<std::size_t> mixed_;   // numbers of samples
    std::vector<std::uint8_t> taught_; // by move: whether the position before it is a sample
    std::vector<float> value_, later_; // what a player expected, and what came of it
};

} // namespace zug::learn
