#include "game/selfplay/calibration.hpp"

#include "base/stop_flag.hpp"
#include "game/selfplay/fit.hpp"
#include "game/selfplay/sampler.hpp"
#include "game/utility_of_lead.hpp"

#include <array>
#include <chrono>
#include <cmath>

namespace zug::game {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t most_games = 400, most_plies = 2000;
constexpr std::uint64_t most_positions = 200'000;
constexpr std::chrono::seconds most_time{4};
constexpr std::uint32_t random_one_in = 8, most_candidates = 8;
constexpr std::size_t fewest_games = 12;

class SelfPlay {
public:
    SelfPlay(Game& game, const std::atomic<bool>* stop) : game_(game), traits_(game.traits()), stop_(stop) {}

    std::vector<Observation> run() {
        std::size_t ended = 0;
        for (std::uint32_t i = 0; i < most_games && goes_on(); ++i) {
            if (!play()) { // a rule failed
                game_.clear_fault();
                return {};
            }
            ended += ended_ ? 1 : 0;
        }
        if (ended < fewest_games) observed_.clear();
        return std::move(observed_);
    }

private:
    bool goes_on() const { return positions_ < most_positions && Clock::now() < until_ && !is_set(stop_); }
    // False: a rule failed.
    bool play();
    bool step(NodeKind kind);
    // How good a position is for a team, for comparison; empty: a rule failed.
    std::optional<double> worth(const State& state, std::uint32_t player);
    // Which players' leads are observed: with two sides one says all.
    std::uint32_t observed_players() const { return traits_.zero_sum ? 1 : traits_.players; }

    Game& game_;
    const Traits& traits_;
    const std::atomic<bool>* const stop_;
    const Clock::time_point until_ = Clock::now() + most_time;
    Random random_{1};
    State state_, next_, best_;
    MoveList moves_;
    Sampler lot_;
    std::vector<Observation> observed_;
    std::uint64_t positions_ = 0;
    bool ended_ = false;
};

std::optional<double> SelfPlay::worth(const State& state, std::uint32_t player) {
    std::array<double, max_players> values{};
    const std::span out(values.data(), traits_.players);
    ++positions_;
    if (game_.kind(state) != NodeKind::Terminal) {
        game_.lead(state, out);
        return values[player];
    }
    if (!game_.payoffs(state, out)) return std::nullopt;
    const double even = even_utility(traits_);
    if (values[player] == even) return 0;
    return values[player] > even ? HUGE_VAL : -HUGE_VAL;
}

// Puts the position after the chosen move, or after a chance event, into `state_`.
bool SelfPlay::step(NodeKind kind) {
    const auto size = static_cast<std::uint32_t>(moves_.size());
    if (kind == NodeKind::Chance || random_.below(random_one_in) == 0) {
        const std::size_t drawn =
            kind == NodeKind::Chance ? lot_.draw_outcome(moves_, random_) : lot_.draw(moves_, random_);
        if (!game_.successor(state_, moves_, drawn, next_)) return false;
        std::swap(state_, next_);
        return true;
    }
    const std::uint32_t mover = game_.to_move(state_);
    std::optional<std::pair<double, std::uint64_t>> best; // of equal moves the one with the greatest id
    for (std::uint32_t i = 0; i < std::min(size, most_candidates); ++i) {
        const std::size_t candidate = size <= most_candidates ? i : lot_.draw(moves_, random_);
        if (!game_.successor(state_, moves_, candidate, next_)) return false;
        const auto worth = this->worth(next_, mover);
        if (!worth) return false;
        const std::pair found{*worth, moves_.id(candidate)};
        if (best && found <= *best) continue;
        best = found;
        std::swap(best_, next_);
    }
    std::swap(state_, best_);
    return true;
}

bool SelfPlay::play() {
    state_ = game_.initial();
    const std::size_t first = observed_.size();
    std::array<double, max_players> values{};
    const std::span out(values.data(), traits_.players);
    ended_ = false;
    for (std::uint32_t ply = 0; ply < most_plies && goes_on(); ++ply) {
        const NodeKind kind = game_.expand(state_, moves_);
        if (kind == NodeKind::Fault) return false;
        ended_ = kind == NodeKind::Terminal;
        if (ended_) break;
        game_.lead(state_, out);
        for (std::uint32_t p = 0; p < observed_players(); ++p) observed_.push_back({values[p], 0});
        if (!step(kind)) return false;
    }
    if (!ended_) return observed_.resize(first), true;
    if (!game_.payoffs(state_, out)) return false;
    for (std::size_t i = first; i < observed_.size(); ++i)
        observed_[i].utility = values[(i - first) % observed_players()];
    return true;
}

} // namespace

std::optional<EvalScale> calibrate(Game& game, const std::atomic<bool>* stop) {
    if (!game.uses_file_eval() || !(game.traits().min_utility < game.traits().max_utility)) return std::nullopt;
    Game fixed = game.clone();
    fixed.use(EvalScale{});
    return fit_scale(SelfPlay(fixed, stop).run(), fixed.traits());
}

} // namespace zug::game
