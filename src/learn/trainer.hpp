#pragma once
// Learns an evaluation by self-play or from recorded games: temporal differences, TD(lambda), of the values of
// positions.
//
// Each player makes the move after which the evaluation is best, now and then a random one; the value of a position is
// moved towards that of the best move and, with weight lambda, towards what came of it (R. S. Sutton, Learning to
// predict by the methods of temporal differences, Machine Learning 3, 1988; G. Tesauro, Practical issues in temporal
// difference learning, Machine Learning 8, 1992). A random move teaches nothing about the positions before it.

#include "game/game.hpp"
#include "learn/net.hpp"
#include "learn/recorded_game.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace zug::learn {

struct Progress {
    std::uint64_t games = 0, positions = 0;
    double seconds = 0;
    double error = 0; // the root of the mean squared difference of values from what they were moved to, since the last
    std::optional<double> error_of_others; // the same of recorded games that nothing is learned from
};

enum class ModelKind : std::uint8_t { Tuples, Network, Terms };

inline constexpr double usual_exploration = 0.1;

struct Checkpoint; // checkpoint.hpp

struct TrainerOptions {
    // To be learned from instead of games against itself; not empty. Each has values or utilities.
    std::shared_ptr<const std::vector<RecordedGame>> records;
    std::shared_ptr<const Model> initial; // what is known before; of the kind `model`, with so many `units`
    std::uint64_t games = std::numeric_limits<std::uint64_t>::max();
    double seconds = 0; // 0: no limit
    std::uint64_t seed = 1;
    std::uint32_t threads = 1;
    double lambda = 0.7;
    std::optional<double> exploration; // how often a move is random; empty: the usual, or never in games of chance
    // Plies of the search, with a look at loud moves at its end, by which moves are chosen; its values are those that
    // estimates are moved towards, and positions in which a loud move is best teach nothing (J. Baxter, A. Tridgell, L.
    // Weaver, Learning to play chess using temporal differences, Machine Learning 40, 2000, learn from the ends of
    // lines instead). 0: moves are chosen by the estimates of the positions after them. Empty: the usual.
    std::optional<std::uint32_t> depth;
    // With few weights a look ahead costs little and teaches much.
    std::uint32_t search_depth() const { return depth.value_or(model == ModelKind::Terms ? 1 : 0); }
    // In this share of the games of self-play one player makes the moves that were learned to be best when the number
    // of games was last a power of two, so that what wins against oneself only is not learned alone.
    double past = 0;
    std::uint32_t random_plies = 8; // at most, at the beginning of a game
    // Of a game. Empty: the usual; games with chance end, if late, and may be long.
    std::optional<std::uint32_t> most_plies;
    double rate = 1; // the step size, in units of what the model usually takes
    ModelKind model = ModelKind::Tuples;
    std::uint32_t units = 64; // of a network
    // Whether what is learned for one player is kept apart from what is learned for the other even where the rules are
    // the same for both. It is the better where who has the last move counts, which patterns do not tell.
    bool apart = false;
    InputLimits inputs = {}; // of n-tuples
    const std::atomic<bool>* stop = nullptr;
    double progress_seconds = 1;
    std::function<void(const Progress&)> progress; // by the calling thread
    // What has been learned so far, each time that so much of the learning is done, and at the end if not out of time;
    // by the calling thread.
    double sample_share = 0.05;
    std::function<void(const Net&)> sample;
    double checkpoint_seconds = 60;                    // 0: after each game
    std::function<void(const Checkpoint&)> checkpoint; // the same, and at the end
};

// Why no such model can be learned for the game; empty: it can.
std::string unlearnable(const game::Game& game, ModelKind model);

// Learns until a limit is reached, or `stop` is set; from the checkpoint on, if there is one. An error: the run-time
// fault of a rule, or a checkpoint that does not fit.
tl::expected<Net, Error> learn(game::Game& game, const TrainerOptions& options, const Checkpoint* from = nullptr);

} // namespace zug::learn
