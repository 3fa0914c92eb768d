#include "search/maxn/maxn.hpp"

#include "game/facts/utility_sum.hpp"
#include "search/core/leaf.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace zug::search {

using game::Next;
using game::NodeKind;

namespace {
constexpr double rounding = 1e-11; // far above any rounding error of a sum of utilities, relative to their size
} // namespace

MaxN::MaxN(game::Game& game, const Options& options)
    : Engine(game, Method::MaxN, options), highest_(game.traits().max_utility) {
    if (options.table) table_.emplace(options.table_bytes, game.players());
}

void MaxN::forget() {
    if (table_) table_->forget();
}

void MaxN::begin_search() {
    if (table_) table_->new_search();
    immediate_ = shallow_ = 0;
    const game::Traits& traits = game_.traits();
    most_for_two_ = infinity;
    if (traits.has_eval || traits.players < 2) return;
    std::vector<double> even(traits.players); // what a position at the depth limit is worth
    static_values(line_, 0, traits, even);
    const double sum = std::max(game::greatest_utility_sum(game_.program()), std::reduce(even.begin(), even.end()));
    const double scale = std::max({1.0, std::abs(traits.min_utility), std::abs(traits.max_utility)});
    most_for_two_ = sum - (traits.players - 2) * traits.min_utility + rounding * scale;
}

void MaxN::count(std::vector<Count>& counts) const {
    counts = {{"cut-offs at the greatest utility", immediate_}, {"cut-offs by the sum of utilities", shallow_}};
}

bool MaxN::pass(int depth, std::span<double> value) {
    uncut_ply_ = 0;
    const Reason reason = node(0, depth, Next::Unknown).reason;
    std::ranges::copy(frames_[0].values, value.begin());
    return proven(reason);
}

void MaxN::extend(int ply, int remaining, std::span<const double>) {
    uncut_ply_ = ply;
    node(ply, remaining, Next::Unknown);
}

MaxN::Found MaxN::node(int ply, int remaining, Next at, const Against& rival) {
    frames_[ply].pv.clear();
    if (!enter(ply)) return {};
    if (at == Next::Terminal) {
        show(ply, true);
        return {terminal(ply)};
    }
    return remaining == 0 ? Found{horizon(ply, at)} : interior(ply, remaining, rival);
}

Reason MaxN::terminal(int ply) {
    if (!terminal_values(line_, ply, frames_[ply].values)) rule_failed();
    return 0;
}

Reason MaxN::horizon(int ply, Next at) {
    show(ply, true);
    switch (at == Next::Open ? NodeKind::Decision : line_.kind(ply)) {
    case NodeKind::Terminal: return terminal(ply);
    case NodeKind::Fault: rule_failed(); return unknown;
    default: break;
    }
    if (!may_evaluate()) return unknown;
    static_values(line_, ply, game_.traits(), frames_[ply].values);
    return at_depth;
}

MaxN::Found MaxN::interior(int ply, int remaining, const Against& rival) {
    const std::uint64_t key = table_ ? line_.hash(ply) : 0;
    Found found;
    if (table_ && ply > uncut_ply_ && recall(ply, remaining, key, found.reason)) {
        show(ply, false);
        return found;
    }
    const NodeKind kind = line_.list(ply);
    show(ply, kind == NodeKind::Terminal);
    std::optional<std::uint64_t> move;
    switch (kind) {
    case NodeKind::Terminal: return {terminal(ply)};
    case NodeKind::Fault: rule_failed(); return {};
    case NodeKind::Chance: found.reason = chance(ply, remaining); break;
    case NodeKind::Decision: found = decide(ply, remaining, rival, move); break;
    }
    if (table_ && !found.pruned && !budget_.stopped()) remember(ply, remaining, key, found.reason, move);
    return found;
}

bool MaxN::leaves_too_little(std::uint32_t mover, double gets, const Against& rival) const {
    return rival && rival->player != mover && most_for_two_ - gets <= rival->gets;
}

MaxN::Found MaxN::decide(int ply, int remaining, const Against& rival, std::optional<std::uint64_t>& best_move) {
    Frame& frame = frames_[ply];
    const std::uint32_t mover = line_.mover(ply);
    Reason reason = 0;
    rank_by_id(frame, line_.moves(ply));
    for (const Ranked& move : frame.order) {
        const Next at = descend(ply, move.index);
        if (at == Next::Fault) return {};
        const Found child =
            node(ply + 1, remaining - 1, at, best_move ? Against{{mover, frame.values[mover]}} : std::nullopt);
        reason = std::max(reason, above(child.reason));
        if (budget_.stopped()) return {};
        const std::vector<double>& values = frames_[ply + 1].values;
        if (child.pruned || (best_move && values[mover] <= frame.values[mover])) continue;
        frame.values = values;
        best_move = move.id;
        adopt_pv(ply, move.id);
        if (!options_.pruning) continue;
        if (values[mover] >= highest_) {
            ++immediate_;
            break;
        }
        if (leaves_too_little(mover, values[mover], rival)) {
            ++shallow_;
            return {reason, true};
        }
    }
    return {reason};
}

Reason MaxN::chance(int ply, int remaining) {
    Frame& frame = frames_[ply];
    Reason reason = 0;
    std::ranges::fill(frame.values, 0.0);
    rank_by_id(frame, line_.moves(ply));
    for (const Ranked& outcome : frame.order) {
        const Next at = descend(ply, outcome.index);
        if (at == Next::Fault) return unknown;
        reason = std::max(reason, above(node(ply + 1, remaining - 1, at).reason));
        if (budget_.stopped()) return unknown;
        const double probability = line_.moves(ply).probability(outcome.index);
        for (std::size_t p = 0; p < frame.values.size(); ++p)
            frame.values[p] = add_outcome(frame.values[p], probability, frames_[ply + 1].values[p]);
    }
    return reason;
}

bool MaxN::recall(int ply, int remaining, std::uint64_t key, Reason& reason) {
    const auto entry = table_->find(key);
    if (!entry) return false;
    const Claim claim = entry->at(remaining);
    if (!claim.exact()) return false;
    std::ranges::copy(table_->extra(*entry), frames_[ply].values.begin());
    reason = claim.lower;
    return true;
}

void MaxN::remember(int ply, int remaining, std::uint64_t key, Reason reason, std::optional<std::uint64_t> move) {
    table_->store(key, remaining, {0, reason, reason}, move, frames_[ply].values);
}

} // namespace zug::search
