#include "learn/trainer.hpp"

#include "base/run_in_threads.hpp"
#include "base/stop_flag.hpp"
#include "game/selfplay/random_games.hpp"
#include "learn/self_play.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <vector>

namespace zug::learn {

namespace {

using Clock = std::chrono::steady_clock;

// By the range of utilities, where random games make some use of it; else by what they bring.
OutputScale scale_of(game::Game& game) {
    constexpr std::uint64_t random_games = 200;
    constexpr double wide = 20; // standard deviations
    double sum = 0, squares = 0, count = 0;
    std::vector<double> utilities(game.players());
    game::play_random_games(game, game.initial(), random_games, [&](const game::State& state, std::uint32_t) {
        if (game.kind(state) != game::NodeKind::Terminal || !game.payoffs(state, utilities)) return true;
        for (const double utility : utilities) sum += utility, squares += utility * utility, count += 1;
        return true;
    });
    game.clear_fault();
    const double low = game.traits().min_utility, high = game.traits().max_utility;
    const double mean = count > 0 ? sum / count : 0;
    const double deviation = count > 0 ? std::sqrt(std::max(0.0, squares / count - mean * mean)) : 0;
    if (deviation > 0 && high - low > wide * deviation) return {.bounded = false, .middle = mean, .half = deviation};
    return {.bounded = true, .middle = (low + high) / 2, .half = (high - low) / 2};
}

class Trainer {
public:
    Trainer(game::Game& game, const TrainerOptions& options)
        : game_(game), options_(options), course_(course_of(game, options)) {}

    tl::expected<Net, Error> run() {
        std::vector<game::Game> games;
        for (std::uint32_t t = 0; t < options_.threads; ++t) games.push_back(game_.clone());
        run_in_threads(options_.threads, [&](std::size_t thread) { work(games[thread], thread); });
        if (!fault_.empty()) return failure(fault_);
        return net();
    }

private:
    static Course course_of(game::Game& game, const TrainerOptions& options) {
        auto [inputs, ring] = find_inputs(game, options.seed, options.inputs);
        const std::uint32_t outputs = game.traits().zero_sum || game.players() == 1 ? 1 : game.players();
        const std::size_t weights = std::size_t{inputs.weights} * game.players() * outputs;
        return {std::move(inputs), std::move(ring), scale_of(game), game.players(), outputs, Weights(weights)};
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    bool time_is_up() const {
        return ended_.load(std::memory_order_relaxed) || is_set(options_.stop) ||
               (options_.seconds > 0 && seconds() >= options_.seconds);
    }

    void work(game::Game& game, std::size_t thread) {
        std::uint64_t seed = options_.seed + thread * 0x9E3779B97F4A7C15ULL;
        SelfPlay play(game, course_, options_, splitmix64(seed));
        double told = seconds();
        while (!time_is_up() && begun_.fetch_add(1, std::memory_order_relaxed) < options_.games) {
            const std::uint64_t before = play.positions();
            if (!play.play_and_learn()) {
                note_fault(game);
                return;
            }
            games_.fetch_add(1, std::memory_order_relaxed);
            positions_.fetch_add(play.positions() - before, std::memory_order_relaxed);
            if (thread == 0 && options_.progress && seconds() - told >= options_.progress_seconds) {
                told = seconds();
                tell(play);
            }
        }
        if (thread == 0 && options_.progress) tell(play);
    }

    void tell(SelfPlay& play) {
        const auto [squares, count] = play.take_error();
        options_.progress({.games = games_.load(),
                           .positions = positions_.load(),
                           .seconds = seconds(),
                           .error = count > 0 ? std::sqrt(squares / static_cast<double>(count)) : 0});
    }

    void note_fault(game::Game& game) {
        if (!game.faulted()) return; // stopped
        const std::scoped_lock lock(mutex_);
        if (fault_.empty()) fault_ = game.fault_text();
        ended_ = true;
    }

    Net net() const {
        Net net{.rules = game_.rules_digest(),
                .title = game_.program().title,
                .parameters = {},
                .training = {},
                .body = {}};
        for (const ir::Param& param : game_.program().params) net.parameters.emplace_back(param.name, param.value);
        net.training = {games_.load(), positions_.load(), options_.seed, seconds()};
        NetBody& body = net.body;
        body.inputs = course_.inputs;
        body.stages = course_.stages;
        body.outputs = course_.outputs;
        body.scale = course_.scale;
        float most = 0;
        for (std::size_t i = 0; i < course_.weights.size(); ++i) most = std::max(most, std::abs(course_.weights[i]));
        body.unit = most > 0 ? static_cast<double>(most) / 32'767 : 1;
        for (std::size_t i = 0; i < course_.weights.size(); ++i)
            body.weights.push_back(
                static_cast<std::int16_t>(std::lround(static_cast<double>(course_.weights[i]) / body.unit)));
        return net;
    }

    game::Game& game_;
    const TrainerOptions& options_;
    Course course_;
    const Clock::time_point begin_ = Clock::now();
    std::atomic<std::uint64_t> begun_ = 0, games_ = 0, positions_ = 0;
    std::atomic<bool> ended_ = false;
    std::mutex mutex_;
    std::string fault_; // the first
};

} // namespace

std::string unlearnable(const game::Game& game) {
    if (!(game.traits().min_utility < game.traits().max_utility)) return "all its ends are worth the same";
    return "";
}

tl::expected<Net, Error> learn(game::Game& game, const TrainerOptions& options) { return Trainer(game, options).run(); }

} // namespace zug::learn
