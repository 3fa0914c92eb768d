#include "search/maxn/maxn.hpp"

#include "search/core/leaf.hpp"

#include <algorithm>

namespace zug::search {

using game::Next;
using game::NodeKind;

MaxN::MaxN(game::Game& game, const Options& options)
    : Engine(game, Method::MaxN, options), highest_(game.traits().max_utility) {
    if (options.table) table_.emplace(options.table_bytes, game.players());
}

void MaxN::forget() {
    if (table_) table_->forget();
}

void MaxN::begin_search() {
    if (table_) table_->new_search();
}

bool MaxN::pass(int depth, std::span<double> value) {
    uncut_ply_ = 0;
    const Reason reason = node(0, depth, Next::Unknown);
    std::ranges::copy(frames_[0].values, value.begin());
    return proven(reason);
}

void MaxN::extend(int ply, int remaining, std::span<const double>) {
    uncut_ply_ = ply;
    node(ply, remaining, Next::Unknown);
}

Reason MaxN::node(int ply, int remaining, Next at) {
    frames_[ply].pv.clear();
    if (!enter(ply)) return unknown;
    if (at == Next::Terminal) {
        show(ply, true);
        return terminal(ply);
    }
    return remaining == 0 ? horizon(ply, at) : interior(ply, remaining);
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

Reason MaxN::interior(int ply, int remaining) {
    const std::uint64_t key = table_ ? line_.hash(ply) : 0;
    Reason reason = unknown;
    if (table_ && ply > uncut_ply_ && recall(ply, remaining, key, reason)) {
        show(ply, false);
        return reason;
    }
    const NodeKind kind = line_.list(ply);
    show(ply, kind == NodeKind::Terminal);
    std::optional<std::uint64_t> move;
    switch (kind) {
    case NodeKind::Terminal: return terminal(ply);
    case NodeKind::Fault: rule_failed(); return unknown;
    case NodeKind::Chance: reason = chance(ply, remaining); break;
    case NodeKind::Decision: reason = decide(ply, remaining, move); break;
    }
    if (table_ && !budget_.stopped()) remember(ply, remaining, key, reason, move);
    return reason;
}

Reason MaxN::decide(int ply, int remaining, std::optional<std::uint64_t>& best_move) {
    Frame& frame = frames_[ply];
    const std::size_t mover = line_.mover(ply);
    Reason reason = 0;
    rank_by_id(frame, line_.moves(ply));
    for (const Ranked& move : frame.order) {
        const Next at = descend(ply, move.index);
        if (at == Next::Fault) return unknown;
        reason = std::max(reason, above(node(ply + 1, remaining - 1, at)));
        if (budget_.stopped()) return unknown;
        const std::vector<double>& values = frames_[ply + 1].values;
        if (best_move && values[mover] <= frame.values[mover]) continue;
        frame.values = values;
        best_move = move.id;
        adopt_pv(ply, move.id);
        if (options_.pruning && values[mover] >= highest_) break;
    }
    return reason;
}

Reason MaxN::chance(int ply, int remaining) {
    Frame& frame = frames_[ply];
    Reason reason = 0;
    std::ranges::fill(frame.values, 0.0);
    rank_by_id(frame, line_.moves(ply));
    for (const Ranked& outcome : frame.order) {
        const Next at = descend(ply, outcome.index);
        if (at == Next::Fault) return unknown;
        reason = std::max(reason, above(node(ply + 1, remaining - 1, at)));
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
