#include "learn/terms/term_learner.hpp"

#include "game/selfplay/random_games.hpp"
#include "ir/weighted.hpp"
#include "learn/model/shared_weights.hpp"

#include <algorithm>
#include <cmath>

namespace zug::learn {

namespace {

class TermLearner final : public Learner {
public:
    explicit TermLearner(TermCourse& course)
        : course_(course), own_(course.weights), base_(course.weights),
          leads_(course.by_term.size() * course.team.size()), values_(course.outputs) {
        for (const game::Game& game : course.by_term) by_term_.push_back(game.clone());
    }

    std::uint32_t width() const override { return course_.outputs; }

    void target(std::span<const double> utilities, std::span<float> out) const override {
        course_.scale.targets(utilities, out);
    }

    double utility(std::span<const float> estimate, std::uint32_t player) const override {
        return course_.scale.utility_of(estimate, player, course_.team);
    }

    void estimate(std::span<const std::uint32_t> slots, std::span<float> out) override { look(slots, out); }
    void refresh() override {}

    double learn(std::span<const std::uint32_t> slots, std::span<const float> target, double rate) override {
        look(slots, values_);
        double squares = 0;
        for (std::uint32_t o = 0; o < course_.outputs; ++o) {
            const float error = target[o] - values_[o];
            squares += static_cast<double>(error) * static_cast<double>(error);
            const float step = static_cast<float>(rate) * error / excess(o);
            for (std::size_t t = 0; t < by_term_.size(); ++t) own_[t] += step * lead(t, o);
        }
        return squares / course_.outputs;
    }

    void share(bool now) override {
        if (++games_ % games_until_shared != 0 && !now) return;
        const std::scoped_lock lock(course_.mutex);
        share_weights(course_.weights, own_, base_);
    }

private:
    // How far the leads of a position are beyond their usual spread: by a step that is not the shorter for it, weights
    // would grow without end (normalised least mean squares: J. Nagumo, A. Noda, A learning method for system
    // identification, IEEE Transactions on Automatic Control 12, 1967).
    float excess(std::size_t player) {
        float squares = 0;
        for (std::size_t t = 0; t < by_term_.size(); ++t) squares += lead(t, player) * lead(t, player);
        return std::max(1.0F, squares / static_cast<float>(by_term_.size()));
    }

    float& lead(std::size_t term, std::size_t player) { return leads_[term * course_.team.size() + player]; }

    void look(std::span<const std::uint32_t> slots, std::span<float> out) {
        std::array<double, game::max_players> room{};
        const std::span leads = std::span(room).first(by_term_.front().players());
        for (std::size_t t = 0; t < by_term_.size(); ++t) {
            by_term_[t].executor().load(slots, state_);
            by_term_[t].lead(state_, leads);
            for (std::uint32_t o = 0; o < course_.outputs; ++o)
                lead(t, o) = static_cast<float>(leads[o] / course_.spread[t]);
        }
        for (std::uint32_t o = 0; o < course_.outputs; ++o) {
            float sum = 0;
            for (std::size_t t = 0; t < by_term_.size(); ++t) sum += own_[t] * lead(t, o);
            out[o] = static_cast<float>(course_.scale.expected(static_cast<double>(sum)));
        }
    }

    TermCourse& course_;
    std::vector<game::Game> by_term_;
    std::vector<float> own_, base_; // weights; base_: own_ when it was last shared
    std::vector<float> leads_;      // of the last position, by term, then player, in units of its spread
    std::vector<float> values_;
    game::State state_;
    std::uint32_t games_ = 0;
};

std::vector<game::Game> games_by_term(const game::Game& game) {
    const std::size_t count = game.program().terms.size();
    std::vector<game::Game> games;
    for (std::size_t t = 0; t < count; ++t) {
        std::vector<double> only(count, 0);
        only[t] = 1;
        games.emplace_back(std::make_shared<const ir::Program>(ir::with_weights(game.program(), only)),
                           game::ExecutorKind::Interpreter);
    }
    return games;
}

std::vector<double> spreads(game::Game& game, std::vector<game::Game>& by_term) {
    constexpr std::uint64_t random_games = 20;
    std::vector<double> squares(by_term.size(), 0), leads(game.players());
    std::vector<std::uint32_t> slots;
    game::State state;
    std::uint64_t count = 0;
    game::play_random_games(game, game.initial(), random_games, [&](const game::State& at, std::uint32_t) {
        game.executor().store(at, slots);
        ++count;
        for (std::size_t t = 0; t < by_term.size(); ++t) {
            by_term[t].executor().load(slots, state);
            by_term[t].lead(state, leads);
            squares[t] += leads[0] * leads[0];
        }
        return true;
    });
    game.clear_fault();
    for (double& square : squares) square = square > 0 ? std::sqrt(square / static_cast<double>(count)) : 1;
    return squares;
}

} // namespace

TermCourse::TermCourse(game::Game& game)
    : by_term(games_by_term(game)), spread(spreads(game, by_term)), scale(find_scale(game)),
      outputs(estimated_players(game.traits())), team(game.traits().team), weights(by_term.size(), 0) {}

TermNet TermCourse::net() {
    const std::scoped_lock lock(mutex);
    TermNet net{.terms = {}, .weights = {}, .spread = spread, .scale = scale};
    for (std::size_t t = 0; t < by_term.size(); ++t) {
        net.terms.push_back(by_term[t].program().terms[t].text);
        net.weights.push_back(static_cast<double>(weights[t]) / spread[t]);
    }
    return net;
}

std::vector<float> TermCourse::save() {
    const std::scoped_lock lock(mutex);
    return weights;
}

bool TermCourse::load(std::span<const float> numbers) {
    if (numbers.size() != weights.size()) return false;
    const std::scoped_lock lock(mutex);
    std::ranges::copy(numbers, weights.begin());
    return true;
}

bool TermCourse::take(const TermNet& net) {
    if (net.weights.size() != weights.size()) return false;
    const std::scoped_lock lock(mutex);
    scale = net.scale;
    for (std::size_t t = 0; t < weights.size(); ++t) weights[t] = static_cast<float>(net.weights[t] * spread[t]);
    return true;
}

std::unique_ptr<Learner> make_learner(TermCourse& course) {
    const std::scoped_lock lock(course.mutex); // others may be learning already
    return std::make_unique<TermLearner>(course);
}

} // namespace zug::learn
