#include "search/best_first/leaf_probe.hpp"

#include "search/core/leaf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace zug::search {

using game::Next;
using game::NodeKind;

namespace {

// Quiescence alone asks no table.
Options adapted(const Options& options) {
    Options own;
    own.set_selective(true);
    own.repetition = false;
    own.table = options.best_first.probe > 0;
    own.table_bytes = std::min(options.table_bytes, options.memory / 8);
    return own;
}

} // namespace

LeafProbe::LeafProbe(game::Game& game, game::SearchForm& form, const Options& options)
    : Selective(form, Method::AlphaBeta, adapted(options), nullptr), form_(form), probe_(options.best_first),
      seed_(options.monte_carlo.seed), proves_(!game.traits().has_history),
      rollout_(form.game(), options.monte_carlo, options.monte_carlo.plies) {}

void LeafProbe::begin(const game::State& root, const Limits& limits, std::function<void()> tick) {
    limits_ = &limits;
    budget_.start(limits, std::move(tick));
    frames_.reach(0);
    line_.start(form_.convert(root));
    begin_search();
    random_ = Random(seed_);
    uncut_ply_ = -1; // of a probe only the value is wanted
}

void LeafProbe::order_moves(const game::State& state, const game::MoveList& moves, Frame& frame) {
    line_.start(form_.convert(state));
    Frame& own = frames_[0];
    if (!game_.traits().has_eval || line_.list(0) != NodeKind::Decision || line_.moves(0).size() != moves.size()) {
        rank_by_id(frame, moves);
        return;
    }
    const auto entry = table_ ? table_->find(key(0)) : std::nullopt;
    own.killers = no_killers; // of another position
    if (has_loud_) tell_kinds(0);
    rank(0, entry && entry->has_move ? std::optional(entry->move) : std::nullopt);
    if (own.order.size() > 1) MoveOrder::pick(own, 1);
    frame.order = own.order;
    for (Ranked& move : frame.order) // both forms of the game nearly always list the moves alike
        if (moves.id(move.index) != move.id) move.index = static_cast<std::uint32_t>(moves.find(move.id).value_or(0));
}

LeafValue LeafProbe::value(const game::State& state, double view, double least) {
    const game::Traits& traits = game_.traits();
    LeafValue found{0, traits.min_utility, traits.max_utility};
    const game::State formed = form_.convert(state);
    if (!traits.has_eval) {
        budget_.visit();
        found.value = play_out(formed);
        return found;
    }
    line_.start(formed);
    const bool first = side(0) == 0;
    const bool own = (view > 0) == first; // the player who is to move asks
    const Claim claim = search(probe_.probe, own ? Window{least, infinity} : Window{-infinity, -least});
    found.value = in_view(0, claim.value);
    const Reason lower = first ? claim.lower : claim.upper, upper = first ? claim.upper : claim.lower;
    if (proves_ && proven(lower)) found.low = std::max(found.low, found.value);
    if (proves_ && proven(upper)) found.high = std::min(found.high, found.value);
    return found;
}

std::optional<double> LeafProbe::value_after_pass(const game::State& state) {
    form_.pass(form_.convert(state), passed_);
    line_.start(passed_);
    const NodeKind kind = line_.kind(0);
    double value = 0;
    const int depth = std::max(probe_.probe - 1, 0); // it is only an estimate of what may be hoped for
    if (kind == NodeKind::Decision)
        value = game_.traits().has_eval ? in_view(0, search(depth, full_window).value) : play_out(passed_);
    else if (kind == NodeKind::Terminal)
        value = in_view(0, terminal(0).value);
    if (kind == NodeKind::Fault) rule_failed();
    if (budget_.failure().empty()) return value;
    budget_.forgive();
    return std::nullopt;
}

// Of the position at ply 0.
Claim LeafProbe::search(int depth, Window window) { return node(0, depth, window, Next::Unknown); }

double LeafProbe::play_out(const game::State& formed) {
    std::array<double, game::max_players> room{};
    const std::span utilities = std::span(room).first(game_.players());
    double sum = 0, count = 0;
    for (std::uint32_t i = 0; i < probe_.playouts; ++i) {
        playing_ = formed;
        if (!rollout_.run(playing_, random_, budget_, utilities, nullptr)) break;
        sum += utilities[0];
        count += 1;
    }
    return (sum + even_) / (count + 1); // few playouts that all end alike prove nothing
}

} // namespace zug::search
