#include "search/alpha_beta/selective.hpp"

#include "search/core/leaf.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace zug::search {

using game::Next;
using game::NodeKind;

namespace {
constexpr int least_for_pass = 3;      // plies that must remain
constexpr int least_for_reduction = 3; // the same
constexpr int most_for_futility = 3;   // that may remain
constexpr int most_quiescence = 24;    // plies beyond the depth limit
constexpr std::size_t tried_in_full = 3;
constexpr double few = 6; // a sixth of the mean number of moves, or a single one
} // namespace

Selective::Selective(game::SearchForm& form, Method method, const Options& options, std::shared_ptr<Table> shared)
    : Expectimax(form.game(), options, std::move(shared), method), form_(form), has_eval_(game_.traits().has_eval) {
    walks_ = false;
    const game::Traits& traits = game_.traits();
    draw_ = std::clamp(0.0, traits.min_utility, traits.max_utility);
}

void Selective::begin_search() {
    Expectimax::begin_search();
    passes_.age();
    quiet_nodes_ = won_ = futile_ = null_cutoffs_ = reduced_ = extended_ = repeated_ = implausible_ = recalled_ = 0;
    replies_ = static_cast<double>(line_.count(0));
}

void Selective::count(std::vector<Count>& counts) const {
    Expectimax::count(counts);
    const auto add = [&](bool on, std::string_view name, std::uint64_t value) {
        if (on) counts.push_back({name, value});
    };
    add(options_.quiescence, "nodes of quiescence", quiet_nodes_);
    add(options_.quiescence, "wins beyond the depth", won_);
    add(options_.futility > 0, "futile moves", futile_);
    add(options_.null_move, "cut-offs by a pass", null_cutoffs_);
    add(options_.null_move, "passes verified", passes_.verified());
    add(options_.null_move, "of them refuted", passes_.refuted());
    add(options_.reductions > 0, "moves searched less deep", reduced_);
    add(options_.extensions, "extensions", extended_);
    add(options_.repetition, "repetitions", repeated_);
    add(options_.plausible > 0, "implausible moves", implausible_);
    add(options_.rote, "positions of earlier games", recalled_);
}

// -- the table, and the line of play

std::uint64_t Selective::key(int ply) {
    return frames_[ply].key = options_.repetition ? form_.position_hash(line_.state(ply)) : line_.hash(ply);
}

std::optional<Claim> Selective::answer(const TableEntry& entry, int remaining, Window window) const {
    auto claim = entry.cutoff(options_.deeper ? std::max<int>(remaining, entry.depth) : remaining, window);
    // The key leaves out the past, on which moves and ends may depend: what was proven on one line is not on others.
    if (claim && options_.repetition && game_.traits().history == game::HistoryKind::PathDependent)
        for (Reason* const reason : {&claim->lower, &claim->upper})
            if (proven(*reason)) *reason = at_depth;
    return claim;
}

// The line goes on where the table has a move: a search for the rest would cost more than it tells.
void Selective::extend(int ply, int, std::span<const double>) {
    frames_[ply].pv.clear();
    const auto entry = table_ ? table_->find(key(ply)) : std::nullopt;
    for (int before = ply - 1; entry && before >= 0; --before)
        if (frames_[before].key == frames_[ply].key) return;
    if (entry && entry->has_move) frames_[ply].pv.push_back(entry->move);
}

std::optional<Claim> Selective::recognise(int ply, int remaining) {
    if (ply == 0) return std::nullopt;
    if (options_.repetition) {
        if (!table_) key(ply);
        const std::uint64_t own = frames_[ply].key;
        for (const game::EndByPast& end : ends_)
            if (end.position == own) {
                ++repeated_;
                return Claim{in_view(ply, end.payoff), at_depth, at_depth};
            }
        if (is_repeated(ply)) {
            ++repeated_;
            return Claim{in_view(ply, draw_), at_depth, at_depth};
        }
    }
    return recall(ply, remaining);
}

bool Selective::is_repeated(int ply) const {
    for (int before = ply - 1; before >= 0; --before)
        if (frames_[before].key == frames_[ply].key) return true;
    return false;
}

std::optional<Claim> Selective::recall(int ply, int remaining) {
    if (limits_->rote == nullptr) return std::nullopt;
    const RoteEntry* const entry = limits_->rote->find(form_.position_hash(line_.state(ply)), std::max(remaining, 1));
    if (entry == nullptr) return std::nullopt;
    ++recalled_;
    return Claim{in_view(ply, entry->value), at_depth, at_depth};
}

// -- the moves of a position

// Whether all legal moves of the position, whose loud moves are listed, are loud: then nobody can stand still. Where a
// game leaves a choice once, captures are not compulsory in it.
bool Selective::must_be_loud(int ply) {
    if (loud_is_a_choice_) return false;
    if (line_.count(ply) == line_.moves(ply).size()) return true;
    loud_is_a_choice_ = true;
    return false;
}

// Loud moves beyond the depth limit, against standing still.
Claim Selective::horizon(int ply, int remaining, Window window, Next at) {
    if (remaining == 0 && ply > 0)
        if (const auto known = recall(ply, remaining)) return *known;
    if (!options_.quiescence) return Expectimax::horizon(ply, remaining, window, at);
    if (const auto won = win_at_once(ply, window)) {
        show(ply, true);
        return *won;
    }
    if (!has_loud_ || remaining <= -most_quiescence) return Expectimax::horizon(ply, remaining, window, at);
    show(ply, true);
    switch (line_.list_loud(ply)) {
    case NodeKind::Terminal: return terminal(ply);
    case NodeKind::Fault: rule_failed(); return {};
    case NodeKind::Chance: return stand(ply);
    case NodeKind::Decision: break;
    }
    const Claim still = stand(ply);
    if (budget_.stopped()) return still;
    ++quiet_nodes_;
    return line_.moves(ply).empty() ? still : play_loud(ply, remaining, window, still);
}

// That some move ends the game with the best result for who makes it: such moves are loud, whatever the game.
std::optional<Claim> Selective::win_at_once(int ply, Window window) {
    if (!std::isfinite(ceiling(ply)) || ceiling(ply) <= window.alpha || !looks_.is_due()) return std::nullopt;
    std::uint64_t passes = UINT64_MAX;
    Next at = line_.first(ply, passes);
    if (line_.found(ply) != NodeKind::Decision) return std::nullopt; // nobody chooses, or the search will find out why
    for (; at != Next::None && at != Next::Fault; at = line_.next(ply, passes)) {
        passes = UINT64_MAX;
        const bool over = at == Next::Terminal || (at == Next::Unknown && line_.kind(ply + 1) == NodeKind::Terminal);
        const auto value = over ? terminal_value(line_, ply + 1, game_.traits(), maximiser_) : std::nullopt;
        if (!value || in_view(ply, *value) < ceiling(ply)) continue;
        looks_.found();
        ++won_;
        return Claim{ceiling(ply), above(0), 0};
    }
    game_.clear_fault();
    looks_.missed();
    return std::nullopt;
}

Claim Selective::play_loud(int ply, int remaining, Window window, const Claim& still) {
    Decision best;
    double alpha = window.alpha;
    const bool all = must_be_loud(ply);
    if (!all) {
        if (still.value >= window.beta) return still;
        best.claim = still;
        alpha = std::max(alpha, still.value);
    }
    find_loud_kinds(ply);
    rank(ply, std::nullopt);
    for (std::size_t tried = 1; tried <= frames_[ply].order.size(); ++tried) {
        const std::size_t i = ranked(ply, tried - 1).index;
        if (!all && kinds_.loses(frames_[ply].kinds[i])) break; // and so do the rest
        const Claim claim = child(ply, remaining, {alpha, window.beta}, descend(ply, i));
        if (budget_.stopped()) return {};
        kinds_.learn_gain(frames_[ply].kinds[i], claim.value - still.value);
        alpha = take(ply, best, claim, alpha);
        if (best.claim.value < window.beta) continue;
        best.claim.upper = unknown;
        return best.claim;
    }
    if (!all) best.claim.upper = std::max(best.claim.upper, at_depth); // quiet moves were not tried
    return best.claim;
}

bool Selective::few_replies(int ply) {
    const auto moves = static_cast<double>(line_.moves(ply).size());
    replies_ += (moves - replies_) / 1024;
    return moves == 1 || moves * few <= replies_;
}

std::optional<Claim> Selective::try_pass(int ply, int remaining, Window window) {
    Frame& frame = frames_[ply];
    if (remaining < least_for_pass || ply == 0 || frame.passed || !(window.beta < infinity)) return std::nullopt;
    if (frame.standing < window.beta || !passes_.tries()) return std::nullopt;
    form_.pass(line_.state(ply), after_pass_);
    line_.start(after_pass_, ply + 1);
    frames_.reach(ply + 1);
    frames_[ply + 1].passed = true;
    const int less = 2 + remaining / 4;
    const Window null{std::nextafter(window.beta, -infinity), window.beta};
    const Claim claim = child(ply, remaining - less, null, Next::Unknown);
    frames_[ply + 1].passed = false;
    frame.pv.clear();
    if (budget_.stopped() || claim.value < window.beta) return std::nullopt;
    if (passes_.verifies() && !verify_pass(ply, remaining - less, null)) return std::nullopt;
    ++null_cutoffs_;
    return Claim{window.beta, at_depth, unknown};
}

// Whether some move is as good as the pass was.
bool Selective::verify_pass(int ply, int remaining, Window null) {
    frames_[ply].passed = true; // no other pass
    const Claim claim = node(ply, remaining, null, Next::Unknown);
    frames_[ply].passed = false;
    if (budget_.stopped()) return false;
    line_.list(ply);
    passes_.learn(claim.value >= null.beta);
    return claim.value >= null.beta;
}

int Selective::reduction(int remaining, std::size_t tried) const {
    if (!(options_.reductions > 0) || remaining < least_for_reduction || tried <= tried_in_full) return 0;
    const double less = options_.reductions * (0.3 + std::log(remaining) * std::log(static_cast<double>(tried)) / 2.5);
    return std::min(static_cast<int>(less), remaining - 1);
}

std::size_t Selective::most_tried(int remaining) const {
    return options_.plausible == 0 ? SIZE_MAX : options_.plausible + static_cast<std::size_t>(remaining);
}

bool Selective::is_futile(int ply, int remaining, double alpha) const {
    if (!(options_.futility > 0) || !has_loud_ || remaining > most_for_futility) return false;
    return frames_[ply].standing + options_.futility * remaining <= alpha;
}

// Late and quiet moves are expected to be no better: a lesser depth shows that at less cost.
Claim Selective::search_move(int ply, int remaining, Window window, Next at, int less) {
    if (less > 0 && window.alpha > -infinity) {
        ++reduced_;
        const Claim claim = child(ply, remaining - less, null_window(window.alpha), at);
        if (budget_.stopped() || claim.value <= window.alpha) return claim;
    }
    return scout(ply, remaining, window, at);
}

std::optional<Claim> Selective::prepare(int ply, int& remaining, Window window) {
    Frame& frame = frames_[ply];
    const bool forced = few_replies(ply);
    if (options_.null_move || options_.futility > 0) frame.standing = in_view(ply, has_eval_ ? evaluation(ply) : even_);
    if (options_.null_move && !forced)
        if (const auto cut = try_pass(ply, remaining, window)) return cut;
    if (options_.extensions && forced && ply + remaining < 2 * depth_) {
        ++remaining;
        ++extended_;
    }
    frame.forced = forced;
    return std::nullopt;
}

AlphaBeta::Decision Selective::decide(int ply, int remaining, Window window, const Begun& begun) {
    int depth = remaining;
    if (const auto cut = prepare(ply, depth, window)) return {*cut, std::nullopt};
    Decision best;
    if (budget_.stopped()) return best;
    if (has_loud_) tell_kinds(ply);
    rank(ply, begun.hint);
    const std::size_t moves = frames_[ply].order.size(), most = most_tried(remaining);
    double alpha = window.alpha;
    for (std::size_t tried = 1; tried <= moves; ++tried) {
        if (const auto found = found_meanwhile(ply, tried - 1, remaining, window)) return {*found, std::nullopt};
        const Ranked move = to_try(ply, tried - 1, remaining);
        if (tried > most) {
            implausible_ += moves - tried + 1;
            best.claim.upper = std::max(best.claim.upper, at_depth);
            break;
        }
        const std::size_t number = MoveOrder::number(frames_[ply], tried - 1) + 1;
        const bool quiet = !frames_[ply].forced && !(has_loud_ && kinds_.is_loud(frames_[ply].kinds[move.index]));
        if (quiet && tried > 1 && is_futile(ply, depth, alpha)) {
            ++futile_;
            combine(best.claim, {frames_[ply].standing + options_.futility * depth, unknown, at_depth});
            continue;
        }
        const Next at = descend(ply, move.index);
        const Window inner{alpha, window.beta};
        begin_work(ply, tried - 1, remaining);
        const Claim claim = tried == 1 ? child(ply, depth, inner, at)
                                       : search_move(ply, depth, inner, at, quiet ? reduction(depth, number) : 0);
        end_work(ply, tried - 1, remaining);
        if (budget_.stopped()) return best;
        alpha = take(ply, best, claim, alpha);
        if (ends(ply, remaining, window, best, tried)) break;
    }
    if (best.claim.value <= floor(ply)) best.claim.lower = 0; // nothing is worse
    return best;
}

} // namespace zug::search
