#include "search/alpha_beta.hpp"

#include "search/leaf.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace zug::search {

using game::NodeKind;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Window full{-infinity, infinity};
} // namespace

AlphaBeta::AlphaBeta(game::Game& game, const Options& options, Method method)
    : Engine(game, method, options), lowest_(game.traits().min_utility), highest_(game.traits().max_utility),
      order_(game.players()) {
    if (options.table) table_.emplace(options.table_bytes);
}

void AlphaBeta::forget() {
    if (table_) table_->forget();
    order_.forget();
    frames_.forget_killers();
}

void AlphaBeta::begin_search() {
    if (table_) table_->new_search();
    frames_.forget_killers(); // they belong to plies, and the root has moved
}

void AlphaBeta::begin_pass() { order_.age(); }

bool AlphaBeta::pass(int depth, std::span<double> value) {
    uncut_ply_ = 0;
    const Claim claim = node(0, depth, full);
    value[0] = in_view(frames_[0], claim.value);
    if (value.size() == 2) value[1] = -value[0];
    return claim.proven();
}

// The value is known, so the window need only be wide enough to tell the moves that reach it.
void AlphaBeta::extend(int ply, int remaining, std::span<const double> value) {
    uncut_ply_ = ply;
    const double known = in_view(frames_[ply], value[0]);
    node(ply, remaining, {std::nextafter(known, -infinity), std::nextafter(known, infinity)});
}

Claim AlphaBeta::node(int ply, int remaining, Window window) {
    Frame& frame = frames_[ply];
    frame.pv.clear();
    if (!enter(ply)) return {};
    return remaining == 0 ? horizon(ply) : interior(ply, remaining, window);
}

Claim AlphaBeta::horizon(int ply) {
    const Frame& frame = frames_[ply];
    const game::State& state = frame.state;
    show(ply, true);
    switch (game_.kind(state)) {
    case NodeKind::Terminal: return {in_view(frame, terminal_value(game_, state)), 0, 0};
    case NodeKind::Fault: rule_failed(); return {};
    default: break;
    }
    if (!may_evaluate()) return {};
    return {in_view(frame, static_value(game_, state)), at_depth, at_depth};
}

Claim AlphaBeta::interior(int ply, int remaining, Window window) {
    Frame& frame = frames_[ply];
    std::uint64_t key = 0;
    std::optional<std::uint64_t> hint;
    if (table_) {
        key = game_.hash(frame.state);
        if (const TableEntry* entry = table_->find(key)) {
            hint = entry->hint();
            if (ply > uncut_ply_)
                if (const auto settled = entry->settles(remaining, window)) {
                    show(ply, false);
                    return *settled;
                }
        }
    }
    const NodeKind kind = game_.expand(frame.state, frame.moves);
    show(ply, kind == NodeKind::Terminal);
    Decision found;
    switch (kind) {
    case NodeKind::Terminal: return {in_view(frame, terminal_value(game_, frame.state)), 0, 0};
    case NodeKind::Fault: rule_failed(); return {};
    case NodeKind::Chance: found.claim = chance(ply, remaining, window); break;
    case NodeKind::Decision: found = decide(ply, remaining, window, hint); break;
    }
    if (table_ && !budget_.stopped()) table_->store(key, remaining, found.claim, found.move);
    return found.claim;
}

Claim AlphaBeta::child(int ply, std::size_t i, int remaining, Window window) {
    if (!descend(ply, i)) return {};
    const bool same_view = frames_[ply].mover == frames_[ply + 1].mover;
    const Claim claim = node(ply + 1, remaining - 1, same_view ? window : window.flipped());
    return (same_view ? claim : claim.flipped()).raised();
}

void AlphaBeta::rank(Frame& frame, std::uint32_t mover, std::optional<std::uint64_t> hint) const {
    if (options_.ordering)
        order_.rank(frame, mover, hint);
    else
        rank_by_id(frame);
}

// Adds a child's claim to the node's: the best child's lower bound is the node's, and its upper bound takes one of
// every child.
void AlphaBeta::combine(Claim& best, const Claim& claim) {
    best.upper = std::max(best.upper, claim.upper);
    if (claim.value > best.value) {
        best.value = claim.value;
        best.lower = claim.lower;
    } else if (claim.value == best.value) {
        best.lower = std::min(best.lower, claim.lower);
    }
}

AlphaBeta::Decision AlphaBeta::decide(int ply, int remaining, Window window, std::optional<std::uint64_t> hint) {
    Frame& frame = frames_[ply];
    const std::uint32_t mover = frame.mover;
    rank(frame, mover, hint);
    Decision best{{-infinity, unknown, 0}, std::nullopt};
    double alpha = window.alpha;
    for (std::size_t i = 0; i < frame.order.size(); ++i) {
        const Ranked move = options_.ordering ? MoveOrder::pick(frame, i) : frame.order[i];
        const Claim claim = child(ply, move.index, remaining, options_.pruning ? Window{alpha, window.beta} : full);
        if (budget_.stopped()) return best;
        combine(best.claim, claim);
        if (claim.value > alpha) {
            alpha = claim.value;
            best.move = move.id;
            adopt_pv(ply, move.id);
        }
        const bool top = best.claim.value >= ceiling(mover);
        if (!options_.pruning || !(top || best.claim.value >= window.beta)) continue;
        if (top)
            best.claim.upper = 0; // there is no more to have, at any depth
        else if (i + 1 < frame.order.size())
            best.claim.upper = unknown;
        if (options_.ordering) order_.reward(frame, mover, move.id, remaining);
        break;
    }
    if (best.claim.value <= floor(mover)) best.claim.lower = 0; // nor less
    return best;
}

Claim AlphaBeta::chance(int, int, Window) {
    unexpected_chance();
    return {};
}

} // namespace zug::search
