#include "search/alpha_beta/alpha_beta.hpp"

#include "search/core/leaf.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace zug::search {

using game::Next;
using game::NodeKind;

namespace {
constexpr int least_depth_with_past = 5; // smaller searches take less time than finding out what matters of the past
} // namespace

AlphaBeta::AlphaBeta(game::Game& game, const Options& options, Method method, std::shared_ptr<Table> shared)
    : Engine(game, method, options), order_(game.players()), move_kinds_(game.program()),
      kinds_(game.traits().max_utility - game.traits().min_utility), has_loud_(game.traits().has_loud),
      walks_(!options.ordering && line_.walks_by_id()), lowest_(game.traits().min_utility),
      highest_(game.traits().max_utility),
      wants_past_(method == Method::AlphaBeta && options.table && !options.selective() && game.traits().has_history),
      passes_(!game.traits().has_eval) {
    maximise(0);
    if (!options.table) return;
    shares_ = shared != nullptr;
    table_ = shares_ ? std::move(shared) : std::make_shared<Table>(options.table_bytes);
}

void AlphaBeta::forget() {
    if (table_ && !shares_) table_->forget();
    order_.forget();
    kinds_.forget();
    frames_.forget_killers();
}

void AlphaBeta::begin_search() {
    if (table_ && !shares_) table_->new_search();
    guess_.reset();
    best_before_.reset();
    cutoffs_ = first_cutoffs_ = hits_ = researches_ = revised_ = 0;
    if (!game_.traits().has_eval) even_ = evaluation(0);
    frames_.forget_killers(); // they belong to plies, and the root has moved
}

void AlphaBeta::count(std::vector<Count>& counts) const {
    counts = {{"cut-offs", cutoffs_},
              {"by the first move", first_cutoffs_},
              {"table hits", hits_},
              {"searched again", researches_}};
    if (options_.secondary > 0) counts.push_back({"choices revised", revised_});
}

void AlphaBeta::begin_pass() { order_.age(); }

bool AlphaBeta::pass(int depth, std::span<double> value) {
    if (depth >= least_depth_with_past && std::exchange(wants_past_, false)) past_ = game::RelevantPast::of(game_);
    uncut_ply_ = 0;
    depth_ = depth;
    const Claim claim = root(depth);
    guess_ = claim.value;
    if (!frames_[0].pv.empty()) best_before_ = frames_[0].pv.front();
    share_out(in_view(0, claim.value), allies_, value);
    return claim.proven();
}

// The value is known, so a window just wide enough to recognise the moves that reach it suffices.
void AlphaBeta::extend(int ply, int remaining, std::span<const double> value) {
    uncut_ply_ = ply;
    for (int before = 0; past_ && before < ply; ++before) past_->enter(line_, before);
    const double known = in_view(ply, value[maximiser_]);
    node(ply, remaining, {std::nextafter(known, -infinity), std::nextafter(known, infinity)}, Next::Unknown);
}

Claim AlphaBeta::node(int ply, int remaining, Window window, Next at) {
    frames_[ply].pv.clear();
    if (!enter(ply)) return {};
    if (past_ && (remaining <= 0 || at == Next::Terminal)) past_->enter(line_, ply);
    if (at == Next::Terminal) {
        show(ply, true);
        return terminal(ply);
    }
    return remaining <= 0 ? horizon(ply, remaining, window, at) : interior(ply, remaining, window);
}

std::uint64_t AlphaBeta::key(int ply) {
    if (!past_) return line_.hash(ply);
    past_->enter(line_, ply);
    return past_->key(line_, ply);
}

double AlphaBeta::evaluation(int ply) { return static_value(line_, ply, game_.traits(), maximiser_); }

Claim AlphaBeta::terminal(int ply) {
    const auto value = terminal_value(line_, ply, game_.traits(), maximiser_);
    if (!value) rule_failed();
    return {in_view(ply, value.value_or(0)), 0, 0};
}

Claim AlphaBeta::horizon(int ply, int, Window, Next at) {
    show(ply, true);
    switch (at == Next::Open ? NodeKind::Decision : line_.kind(ply)) {
    case NodeKind::Terminal: return terminal(ply);
    case NodeKind::Fault: rule_failed(); return {};
    default: break;
    }
    return stand(ply);
}

Claim AlphaBeta::stand(int ply) {
    if (!may_evaluate()) return {};
    const double value = game_.traits().has_eval ? evaluation(ply) : even_;
    return {in_view(ply, value), at_depth, at_depth};
}

Claim AlphaBeta::interior(int ply, int remaining, Window window) {
    Begun begun;
    if (ply == 0) begun.hint = best_before_;
    const std::uint64_t key = table_ ? frames_[ply].key = this->key(ply) : 0;
    if (ply > uncut_ply_)
        if (const auto known = recognise(ply, remaining)) {
            show(ply, true);
            return *known;
        }
    if (const auto entry = table_ ? table_->find(key) : std::nullopt) {
        if (entry->has_move) begun.hint = entry->move;
        if (ply > uncut_ply_)
            if (const auto cutoff = answer(*entry, remaining, window)) {
                ++hits_;
                show(ply, false);
                return *cutoff;
            }
    }
    if (walks_) begun.at = walk(ply, remaining, window.alpha, true, begun.passed);
    if (begun.at == Next::Fault) return {};
    const NodeKind kind = walks_ ? line_.found(ply) : line_.list(ply);
    show(ply, kind == NodeKind::Terminal);
    Decision found;
    switch (kind) {
    case NodeKind::Terminal: return terminal(ply);
    case NodeKind::Fault: rule_failed(); return {};
    case NodeKind::Chance: found.claim = chance(ply, remaining, window); break;
    case NodeKind::Decision: found = decide(ply, remaining, window, begun); break;
    }
    if (table_ && !budget_.stopped() && holds_elsewhere(ply)) table_->store(key, remaining, found.claim, found.move);
    return found.claim;
}

Claim AlphaBeta::child(int ply, std::size_t i, int remaining, Window window) {
    return child(ply, remaining, window, descend(ply, i));
}

Claim AlphaBeta::child(int ply, int remaining, Window window, Next at) {
    if (at == Next::Fault) return {};
    const bool same_view = side(ply) == side(ply + 1);
    if (!same_view) window = window.flipped();
    const Claim claim = node(ply + 1, remaining - 1, window, at);
    if (past_ && !budget_.stopped()) past_->leave(ply + 1);
    return (same_view ? claim : claim.flipped()).raised();
}

// A move after the first is expected to be no better than the best so far; a null window shows that at the least cost.
Claim AlphaBeta::scout(int ply, int remaining, Window window, Next at) {
    const Window null = null_window(window.alpha);
    if (!options_.scout || !(window.alpha > -infinity) || !(window.beta > null.beta))
        return child(ply, remaining, window, at);
    const Claim claim = child(ply, remaining, null, at);
    if (budget_.stopped() || claim.value <= window.alpha || claim.value >= window.beta || claim.exact()) return claim;
    ++researches_;
    return child(ply, remaining, window, at);
}

Next AlphaBeta::try_next(int ply, std::size_t i, int remaining) {
    return i == frames_[ply].order.size() ? Next::None : descend(ply, to_try(ply, i, remaining).index);
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
    if (remaining != 1 || !passes_ || past_ || traces_ || value > alpha || value >= ceiling(ply) || !may_evaluate())
        return begin ? first(ply) : next(ply);
    std::uint64_t passed = 0;
    const Next at = begin ? first(ply, passed) : next(ply, passed);
    if (passed != 0) combine(best, {value, at_depth, at_depth});
    return at;
}

// The move is the one that the claim's lower bound is of, as far as somebody asks: at the root, and for what is proven.
double AlphaBeta::take(int ply, Decision& best, const Claim& claim, double alpha) {
    const bool is_greatest = claim.value > best.claim.value;
    combine(best.claim, claim);
    const bool is_wanted = claim.value > alpha || proven(claim.lower) || (ply == 0 && claim.lower != unknown);
    const bool is_equal = claim.value == best.claim.value && proven(claim.lower) && !proven(best.reason);
    if (is_wanted && (is_greatest || is_equal)) {
        best.move = line_.move_id(ply);
        best.reason = claim.lower;
        adopt_pv(ply, *best.move);
    } else if (is_greatest) {
        best.move.reset();
        best.reason = unknown;
        frames_[ply].pv.clear();
    }
    return std::max(alpha, claim.value);
}

bool AlphaBeta::ends(int ply, int remaining, Window window, Decision& best, std::size_t tried) {
    const bool top = best.claim.value >= ceiling(ply);
    if (!options_.pruning || !(top || best.claim.value >= window.beta)) return false;
    if (top)
        best.claim.upper = 0; // nothing is better, at any depth
    else if (more_to_try(ply, tried))
        best.claim.upper = unknown;
    ++cutoffs_;
    if (tried == 1) ++first_cutoffs_;
    if (options_.ordering) order_.reward(frames_[ply], line_.mover(ply), line_.move_id(ply), remaining);
    return true;
}

AlphaBeta::Decision AlphaBeta::decide(int ply, int remaining, Window window, const Begun& begun) {
    Decision best{begun.passed, std::nullopt};
    if (!walks_) {
        if (options_.ordering && has_loud_) tell_kinds(ply);
        rank(ply, begun.hint);
    }
    const bool learns = this->learns(remaining);
    const double standing = learns ? stand(ply).value : 0;
    Next at = walks_ ? begun.at : try_next(ply, 0, remaining);
    double alpha = window.alpha;
    for (std::size_t tried = 1; at != Next::None; ++tried) {
        const Window inner = options_.pruning ? Window{alpha, window.beta} : full_window;
        begin_work(ply, tried - 1, remaining);
        const Claim claim = tried == 1 ? child(ply, remaining, inner, at) : scout(ply, remaining, inner, at);
        end_work(ply, tried - 1, remaining);
        if (budget_.stopped()) return best;
        if (learns) kinds_.learn_gain(frames_[ply].kinds[ranked(ply, tried - 1).index], claim.value - standing);
        alpha = take(ply, best, claim, alpha);
        if (ends(ply, remaining, window, best, tried)) break;
        if (const auto found = found_meanwhile(ply, tried, remaining, window)) return {*found, std::nullopt};
        at = walks_ ? walk(ply, remaining, alpha, false, best.claim) : try_next(ply, tried, remaining);
    }
    if (best.claim.value <= floor(ply)) best.claim.lower = 0; // nothing is worse
    return best;
}

Claim AlphaBeta::chance(int, int, Window) {
    unexpected_chance();
    return {};
}

} // namespace zug::search
