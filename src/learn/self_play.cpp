#include "learn/self_play.hpp"

#include "base/stop_flag.hpp"
#include "learn/live_evaluator.hpp"

#include <algorithm>
#include <array>

namespace zug::learn {

using game::Next;
using game::NodeKind;

namespace {

search::Options search_options() {
    search::Options options;
    options.quiescence = true;
    options.table = false; // values change from game to game
    return options;
}

} // namespace

SelfPlay::SelfPlay(game::Game& game, std::unique_ptr<Learner> learner, std::unique_ptr<Learner> past,
                   const TrainerOptions& options)
    : Study(std::move(learner), 1), game_(game), past_(std::move(past)), options_(options), line_(game),
      slots_(game.program().total_slots()), estimate_(learner_->width()), target_(learner_->width()) {
    if (options.search_depth() == 0) return;
    game.use(std::make_unique<LiveEvaluator>(*learner_, game));
    searcher_.emplace(game, search::automatic(game.traits()), search_options());
}

bool SelfPlay::payoffs(int ply, std::span<float> out) {
    std::array<double, game::max_players> room{};
    const std::span utilities = std::span(room).first(game_.players());
    if (!line_.payoffs(ply, utilities)) return false;
    learner_->target(utilities, out);
    return true;
}

bool SelfPlay::estimate_after(Next at, Learner& learner) {
    if (at == Next::Terminal || (at == Next::Unknown && line_.kind(1) == NodeKind::Terminal))
        return payoffs(1, estimate_);
    line_.read_slots(1, slots_);
    learner.estimate(slots_, estimate_);
    return true;
}

std::optional<std::size_t> SelfPlay::best_by_moves(std::span<float> out, Learner& learner) {
    const std::uint32_t mover = line_.mover(0);
    std::optional<std::size_t> best;
    std::uint32_t equals = 0;
    double most = 0;
    moves_ = 0;
    for (Next at = line_.first(0); at != Next::None; at = line_.next(0), ++moves_) {
        if (at == Next::Fault || !estimate_after(at, learner)) {
            faulted_ = true;
            return std::nullopt;
        }
        const double utility = learner.utility(estimate_, mover);
        if (best && utility < most) continue;
        equals = best && utility == most ? equals + 1 : 1;
        if (equals > 1 && random_.below(equals) != 0) continue; // each of the best is as likely
        most = utility;
        best = moves_;
        std::ranges::copy(estimate_, out.begin());
    }
    faulted_ = moves_ == 0 && line_.found(0) == NodeKind::Fault;
    return best;
}

std::optional<std::size_t> SelfPlay::best_by_search(std::span<float> out) {
    search::Limits limits;
    limits.depth = static_cast<int>(options_.search_depth());
    limits.write_line = false;
    const search::Result found = searcher_->run(line_.state(0), limits);
    faulted_ = !found.fault.empty();
    if (faulted_ || found.pv_ids.empty()) return std::nullopt;
    learner_->target(found.value, out);
    const std::uint64_t best = found.pv_ids.front();
    quiet_ = !(game_.traits().has_loud && line_.list_loud(0) == NodeKind::Decision && listed(best));
    faulted_ = line_.list(0) == NodeKind::Fault;
    moves_ = line_.moves(0).size();
    return listed(best);
}

std::optional<std::size_t> SelfPlay::listed(std::uint64_t move) {
    const game::MoveList& moves = line_.moves(0);
    for (std::size_t i = 0; i < moves.size(); ++i)
        if (moves.id(i) == move) return i;
    return std::nullopt;
}

SelfPlay::At SelfPlay::visit_decision(bool random, bool taught) {
    const std::size_t width = estimate_.size(), visit = values_.size();
    learner_->refresh(); // among its moves nothing is learned, or by other threads only, which does no harm
    values_.resize(visit + width);
    quiet_ = true;
    const std::span value = std::span(values_).subspan(visit, width);
    const auto best = searcher_ && taught ? best_by_search(value) : best_by_moves(value, *learner_);
    if (!best) {
        values_.resize(visit);
        return faulted_ ? At::Fault : At::End;
    }
    std::size_t move = *best;
    if (!random && is_past_to_move()) move = best_by_moves(estimate_, *past_).value_or(move);
    if (random) move = random_.below(static_cast<std::uint32_t>(moves_));
    visits_.push_back({.best = !random && move == *best, .taught = taught && quiet_ && reached()});
    return make(move);
}

SelfPlay::At SelfPlay::visit_chance() {
    line_.list(0);
    visits_.push_back({.chance = true, .taught = reached()});
    values_.resize(values_.size() + estimate_.size());
    return make(lot_.draw_outcome(line_.moves(0), random_));
}

SelfPlay::At SelfPlay::make(std::size_t i) {
    line_.read_slots(0, slots_);
    record_.insert(record_.end(), slots_.begin(), slots_.end());
    if (visits_.back().chance || line_.list(0) == NodeKind::Decision)
        if (line_.make(0, i) != Next::Fault) {
            const game::State state = line_.state(1);
            line_.start(state);
            return At::Open;
        }
    return At::Fault;
}

void SelfPlay::draw_opponent() {
    past_team_.reset();
    if (!past_ || random_.unit() >= options_.past) return;
    past_->share(true); // takes over what it is now
    past_->refresh();
    past_team_ = random_.below(game_.traits().teams());
}

bool SelfPlay::learn_games(std::uint64_t, std::uint32_t, double rate) {
    draw_opponent();
    visits_.clear();
    record_.clear();
    values_.clear();
    line_.start(game_.initial());
    const bool chance = game_.traits().chance;
    const std::uint32_t most_plies = options_.most_plies.value_or(chance ? 100'000 : 1000);
    const std::uint32_t random_plies = chance ? 0 : random_.below(options_.random_plies + 1);
    const double exploration = options_.exploration.value_or(chance ? 0 : usual_exploration);
    for (std::uint32_t ply = 0; ply < most_plies; ++ply) {
        if (is_set(options_.stop)) return false;
        const NodeKind kind = line_.kind(0);
        if (kind == NodeKind::Terminal) {
            if (!payoffs(0, target_)) return false;
            learn_all(rate);
            return true;
        }
        const bool opening = ply < random_plies, random = opening || random_.unit() < exploration;
        // To search a position of the opening costs much and would teach what the net has seen most of.
        const bool taught = !opening || !searcher_;
        const At at = kind == NodeKind::Chance ? visit_chance() : visit_decision(random, taught);
        if (at == At::Fault) return false;
        if (at == At::End) break;
    }
    line_.read_slots(0, slots_);
    learner_->refresh();
    learner_->estimate(slots_, target_);
    learn_all(rate);
    return true;
}

// From the last position to the first. What the position after a move is worth is looked up again, once it has been
// learned from: with what it was worth when the move was made, a game's earlier positions would draw all that they
// share with its later ones back to that, and what the end taught would be forgotten.
void SelfPlay::learn_all(double rate) {
    const std::size_t width = target_.size();
    bool fresh = false; // estimate_ is of the visit after this one
    for (std::size_t v = visits_.size(); v-- > 0;) {
        const Visit& visit = visits_[v];
        if (!visit.chance) {
            const bool now = visit.best && fresh;
            back_up(now ? std::span(estimate_) : std::span(values_).subspan(v * width, width),
                    visit.best ? options_.lambda : 0, target_);
        }
        fresh = visit.taught && !searcher_;
        if (!visit.taught) continue;
        const std::span slots = std::span(record_).subspan(v * slots_.size(), slots_.size());
        learn(slots, target_, rate);
        if (!fresh) continue;
        learner_->refresh();
        learner_->estimate(slots, estimate_);
    }
    learner_->share(false);
}

} // namespace zug::learn
