#pragma once
// What one thread learns from, game by game, and what it has learned from so far.

#include "base/random.hpp"
#include "learn/model/learner.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace zug::learn {

class Study {
public:
    Study(std::unique_ptr<Learner> learner, std::uint32_t games_at_once)
        : learner_(std::move(learner)), games_at_once_(games_at_once) {}
    virtual ~Study() = default;

    // Learns from the games with these numbers, by steps of the size `rate`; at most games_at_once(). False: a run-time
    // fault, which Game::fault_text() tells, or a stop in the midst, and then nothing was learned.
    virtual bool learn_games(std::uint64_t first, std::uint32_t count, double rate) = 0;
    // The error of estimates of games that nothing is learned from, if there are some.
    virtual std::optional<double> error_of_others() { return std::nullopt; }

    std::uint32_t games_at_once() const { return games_at_once_; }
    // The state between games, but for what was learned, which share() lets others see.
    const Random::Words& random() const { return random_.words(); }
    void set_random(const Random::Words& words) { random_.set_words(words); }
    void share() { learner_->share(true); }

    std::uint64_t positions() const { return positions_; } // learned from so far
    // The root of the mean squared error since the last call.
    double take_error() {
        const double squares = std::exchange(squares_, 0);
        const std::uint64_t errors = std::exchange(errors_, 0);
        return errors > 0 ? std::sqrt(squares / static_cast<double>(errors)) : 0;
    }

protected:
    void learn(std::span<const std::uint32_t> slots, std::span<const float> target, double rate) {
        squares_ += learner_->learn(slots, target, rate);
        ++errors_;
        ++positions_;
    }

    // What a position is worth, by its own value and, with weight lambda, by what came of it, which becomes that: a
    // step back of TD(lambda).
    static void back_up(std::span<const float> value, double lambda, std::span<float> later) {
        const auto weight = static_cast<float>(lambda);
        for (std::size_t i = 0; i < later.size(); ++i) later[i] = (1 - weight) * value[i] + weight * later[i];
    }

    std::unique_ptr<Learner> learner_;
    Random random_;

private:
    std::uint32_t games_at_once_;
    std::uint64_t positions_ = 0, errors_ = 0;
    double squares_ = 0;
};

} // namespace zug::learn
