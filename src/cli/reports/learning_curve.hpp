#pragma once
// How learning goes: its progress as a line of text, as CSV and as a picture, with what the evaluation so far scores
// against a player that stays the same.

#include "base/error.hpp"
#include "game/game.hpp"
#include "learn/net.hpp"
#include "learn/trainer.hpp"
#include "match/player.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace zug::cli {

struct CurvePoint {
    double seconds = 0;
    std::uint64_t games = 0, positions = 0;
    double error = 0;
    std::optional<double> error_of_others, score; // score: points a game, or of one player the mean utility
};

class LearningCurve {
public:
    // The game must outlive it.
    explicit LearningCurve(game::Game& game) : game_(game) {}

    // From now on the evaluation plays against this player, by its text; empty: one that suits the game. The error says
    // why it can't.
    tl::expected<void, Error> play_against(const std::string& player, std::uint64_t seed,
                                           const std::atomic<bool>* stop);
    bool plays() const { return opponent_.has_value(); }

    // The points of an earlier run, from what csv() gave.
    void resume(const std::string& csv);
    void note(const learn::Progress& now);
    // Plays a short match.
    void sample(const learn::Net& net);

    std::string line() const; // the last point, for people
    std::string csv() const;
    std::string svg() const;

private:
    game::Game& game_;
    std::optional<match::PlayerSpec> opponent_;
    std::uint64_t seed_ = 1;
    const std::atomic<bool>* stop_ = nullptr;
    std::optional<double> score_; // the last
    bool fresh_ = false;          // no point tells it yet
    std::vector<CurvePoint> points_;
};

} // namespace zug::cli
