#include "search/alpha_beta.hpp"

#include "search/leaf.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace zug::search {

using game::Next;
using game::NodeKind;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
} // namespace

AlphaBeta::AlphaBeta(game::Game& game, const Options& options, Method method)
    : Engine(game, method, options), lowest_(game.traits().min_utility), highest_(game.traits().max_utility),
      order_(game.players()), walks_(!options.ordering && line_.walks_by_id()), passes_(!game.traits().has_eval) {
    if (options.table) table_.emplace(options.table_bytes);
}

void AlphaBeta::forget() {
    if (table_) table_->forget();
    order_.forget();
    frames_.forget_killers();
}

void AlphaBeta::begin_search() {
    if (table_) table_->new_search();
    if (!game_.traits().has_eval) even_ = static_value(line_, 0, game_.players());
    frames_.forget_killers(); // they belong to plies, and the root has moved
}

void AlphaBeta::begin_pass() { order_.age(); }

bool AlphaBeta::pass(int depth, std::span<double> value) {
    uncut_ply_ = 0;
    const Claim claim = node(0, depth, full_window, Next::Unknown);
    value[0] = in_view(0, claim.value);
    if (value.size() == 2) value[1] = -value[0];
    return claim.proven();
}

// The value is known, so a window just wide enough to recognise the moves that reach it suffices.
void AlphaBeta::extend(int ply, int remaining, std::span<const double> value) {
    uncut_ply_ = ply;
    const double known = in_view(ply, value[0]);
    node(ply, remaining, {std::nextafter(known, -infinity), std::nextafter(known, infinity)}, Next::Unknown);
}

Claim AlphaBeta::node(int ply, int remaining, Window window, Next at) {
    frames_[ply].pv.clear();
    if (!enter(ply)) return {};
    if (at == Next::Terminal) {
        show(ply, true);
        return terminal(ply);
    }
    return remaining == 0 ? horizon(ply, at) : interior(ply, remaining, window);
}

Claim AlphaBeta::terminal(int ply) {
    const auto value = terminal_value(line_, ply, game_.players());
    if (!value) rule_failed();
    return {in_view(ply, value.value_or(0)), 0, 0};
}

Claim AlphaBeta::horizon(int ply, Next at) {
    show(ply, true);
    switch (at == Next::Open ? NodeKind::Decision : line_.kind(ply)) {
    case NodeKind::Terminal: return terminal(ply);
    case NodeKind::Fault: rule_failed(); return {};
    default: break;
    }
    if (!may_evaluate()) return {};
    const double value = game_.traits().has_eval ? static_value(line_, ply, game_.players()) : even_;
    return {in_view(ply, value), at_depth, at_depth};
}

Claim AlphaBeta::interior(int ply, int remaining, Window window) {
    std::uint64_t key = 0;
    std::optional<std::uint64_t> hint;
    if (table_) {
        key = line_.hash(ply);
        if (const TableEntry* entry = table_->find(key)) {
            hint = entry->hint();
            if (ply > uncut_ply_)
                if (const auto cutoff = entry->cutoff(remaining, window)) {
                    show(ply, false);
                    return *cutoff;
                }
        }
    }
    Decision found{{-infinity, unknown, 0}, std::nullopt};
    Next at = walks_ ? walk(ply, remaining, window.alpha, true, found.claim) : Next::Unknown;
    if (at == Next::Fault) return {};
    const NodeKind kind = walks_ ? line_.found(ply) : line_.list(ply);
    show(ply, kind == NodeKind::Terminal);
    switch (kind) {
    case NodeKind::Terminal: return terminal(ply);
    case NodeKind::Fault: rule_failed(); return {};
    case NodeKind::Chance: found.claim = chance(ply, remaining, window); break;
    case NodeKind::Decision:
        if (!walks_) at = try_first(ply, hint);
        found = decide(ply, remaining, window, found, at);
        break;
    }
    if (table_ && !budget_.stopped()) table_->store(key, remaining, found.claim, found.move);
    return found.claim;
}

Claim AlphaBeta::child(int ply, std::size_t i, int remaining, Window window) {
    return child(ply, remaining, window, descend(ply, i));
}

Claim AlphaBeta::child(int ply, int remaining, Window window, Next at) {
    if (at == Next::Fault) return {};
    const bool same_view = line_.mover(ply) == line_.mover(ply + 1);
    if (!same_view) window = window.flipped();
    const Claim claim = node(ply + 1, remaining - 1, window, at);
    return (same_view ? claim : claim.flipped()).raised();
}

Next AlphaBeta::try_first(int ply, std::optional<std::uint64_t> hint) {
    Frame& frame = frames_[ply];
    if (options_.ordering)
        order_.rank(frame, line_.moves(ply), line_.mover(ply), hint);
    else
        rank_by_id(frame, line_.moves(ply));
    return try_next(ply, 0);
}

Next AlphaBeta::try_next(int ply, std::size_t i) {
    Frame& frame = frames_[ply];
    if (i == frame.order.size()) return Next::None;
    return descend(ply, (options_.ordering ? MoveOrder::pick(frame, i) : frame.order[i]).index);
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

// One ply above the depth limit, in a game without an evaluation, all children where the game goes on are worth the
// same. If that is no more than the best so far, they are counted and skipped.
Next AlphaBeta::walk(int ply, int remaining, double alpha, bool begin, Claim& best) {
    const double value = in_view(ply, even_);
    if (remaining != 1 || !passes_ || traces_ || value > alpha || value >= ceiling(line_.mover(ply)) || !may_evaluate())
        return begin ? first(ply) : next(ply);
    std::uint64_t passed = 0;
    const Next at = begin ? first(ply, passed) : next(ply, passed);
    if (passed != 0) combine(best, {value, at_depth, at_depth});
    return at;
}

AlphaBeta::Decision AlphaBeta::decide(int ply, int remaining, Window window, Decision best, Next at) {
    const std::uint32_t mover = line_.mover(ply);
    double alpha = window.alpha;
    for (std::size_t tried = 1; at != Next::None; ++tried) {
        const Claim claim = child(ply, remaining, options_.pruning ? Window{alpha, window.beta} : full_window, at);
        if (budget_.stopped()) return best;
        combine(best.claim, claim);
        if (claim.value > alpha) {
            alpha = claim.value;
            best.move = line_.move_id(ply);
            adopt_pv(ply, *best.move);
        }
        const bool top = best.claim.value >= ceiling(mover);
        if (!options_.pruning || !(top || best.claim.value >= window.beta)) {
            at = walks_ ? walk(ply, remaining, alpha, false, best.claim) : try_next(ply, tried);
            continue;
        }
        if (top)
            best.claim.upper = 0; // nothing is better, at any depth
        else if (more_to_try(ply, tried))
            best.claim.upper = unknown;
        if (options_.ordering) order_.reward(frames_[ply], mover, line_.move_id(ply), remaining);
        break;
    }
    if (best.claim.value <= floor(mover)) best.claim.lower = 0; // nothing is worse
    return best;
}

Claim AlphaBeta::chance(int, int, Window) {
    unexpected_chance();
    return {};
}

} // namespace zug::search
