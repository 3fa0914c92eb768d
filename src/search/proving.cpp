#include "search/proving.hpp"

#include "base/stop_flag.hpp"
#include "search/core/claim.hpp"
#include "search/core/leaf.hpp"
#include "search/proof/null_window.hpp"
#include "search/proof/questions.hpp"
#include "search/search.hpp"
#include "search/suited.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <utility>

namespace zug::search {

namespace {

// Of the limits: to find out whether the end is near, and what the search's move gives up, which is also at most a
// share of what the proof leaves. Where there is no proof, half of that is to find another move.
constexpr double share_to_look = 0.02, share_to_check = 0.05, share_of_rest = 0.25;
constexpr double share_for_problems = 0.1; // where all moves lose
// Of a long search that somebody watches, to show a line before the search for a proof, which shows none.
constexpr double share_to_show = 0.02, long_seconds = 5;
// Connect Four is proved with two nodes for such a leaf, give or take a factor of five. A few random games tell whether
// the end is far. If it is not, games are short, and many tell how near it is.
constexpr double most_leaves_a_node = 5, doubt = 1000;
constexpr std::uint64_t few_games = 16, many_games = 200;

// About; a search with a table looks at each once or a few times. Rules for a position's past make more of them.
double most_positions(const game::Traits& traits) {
    constexpr double states_a_position = 64; // most combinations of values are none
    return traits.has_history ? infinity : std::exp2(traits.log2_states) / states_a_position;
}

} // namespace

Proving::Proving(game::Game& game, Method method, const Options& options, std::unique_ptr<Algorithm> search)
    : game_(game), method_(method), options_(options), search_(std::move(search)) {}

Proving::~Proving() = default;

void Proving::forget() {
    search_->forget();
    prover_.reset();
    chosen_.clear();
}

double Proving::view(const game::State& root, double value) const {
    return (game_.traits().first_side >> game_.to_move(root) & 1) != 0 ? value : -value;
}

double Proving::forced(const game::State& root, const Proof& proof) const {
    return std::min(view(root, proof.low), view(root, proof.high));
}

Result Proving::run(const game::State& root, const Limits& limits) {
    const bool limited = limits.seconds > 0 || limits.nodes > 1;
    if (!limited || limits.depth != unlimited_depth || limits.trace || limits.turn) return search_->run(root, limits);
    if (limits.progress && limits.seconds >= long_seconds) {
        Limits glance = part_of(limits, share_to_show);
        glance.progress = limits.progress;
        search_->run(root, glance);
    }
    Proof proof = look_for_proof(root, limits);
    const std::uint64_t position = game_.hash(root);
    if (std::ranges::find(chosen_, position) != chosen_.end()) proof.move.reset();
    const game::Traits& traits = game_.traits();
    const double best = std::max(view(root, traits.utilities.front()), view(root, traits.utilities.back()));
    Result result;
    if (proof.move && forced(root, proof) >= best) {
        result.method = method_;
        result.nodes = proof.nodes;
        result.seconds = proof.seconds;
        take_proven(root, proof, result);
    } else {
        result = search_on(root, limits, proof);
    }
    if (proof.move && !result.pv_ids.empty() && result.pv_ids.front() == *proof.move) chosen_.push_back(position);
    if (proof.nodes > 0) result.counts.push_back({"nodes of the search for a proof", proof.nodes});
    if (is_lost(root, result) && !result.pv_ids.empty() && !is_set(limits.stop)) set_problems(root, limits, result);
    return result;
}

bool Proving::is_lost(const game::State& root, const Result& result) const {
    const game::Traits& traits = game_.traits();
    const double worst = std::min(view(root, traits.utilities.front()), view(root, traits.utilities.back()));
    return result.exact && view(root, result.value[0]) <= worst;
}

void Proving::set_problems(const game::State& root, const Limits& limits, Result& result) {
    const Limits left = rest_of(limits, result.nodes, result.seconds), part = part_of(limits, share_for_problems);
    if (left.nodes < part.nodes || left.seconds < part.seconds) return;
    Options options = options_;
    options.prove = 0;
    const Result other = search(game_, root, Method::OpponentModel, part, options);
    result.nodes += other.nodes;
    result.seconds += other.seconds;
    game_.clear_fault();
    if (!other.fault.empty() || other.pv_ids.empty() || other.pv_ids.front() == result.pv_ids.front()) return;
    result.pv_ids = {other.pv_ids.front()};
    write_pv(game_, root, result);
}

double Proving::leaves_a_node(const game::State& root, const Limits& part, std::uint64_t games, double seconds) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    const auto taken = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    const game::Shape shape = game::shape_of(game_, root, games, [&] { return seconds <= 0 || taken() < seconds; });
    if (!shape.complete) return infinity;
    double nodes = part.nodes != 0 ? static_cast<double>(part.nodes) : infinity;
    if (part.seconds > 0) {
        const double a_second = static_cast<double>(games) * shape.plies / std::max(taken(), 1e-9);
        nodes = std::min(nodes, part.seconds * a_second * options_.threads);
    }
    return std::min(least_leaves(shape.moves, shape.plies), most_positions(game_.traits())) / nodes;
}

bool Proving::end_is_near(const game::State& root, const Limits& limits, const Limits& part) {
    const double seconds = share_to_look * limits.seconds;
    return leaves_a_node(root, part, few_games, seconds) <= most_leaves_a_node * doubt &&
           leaves_a_node(root, part, many_games, seconds) <= most_leaves_a_node;
}

Proof Proving::look_for_proof(const game::State& root, const Limits& limits) {
    const game::Traits& traits = game_.traits();
    const Limits part = part_of(limits, options_.prove);
    if (!end_is_near(root, limits, part)) return {.low = traits.min_utility, .high = traits.max_utility};
    if (!prover_) prover_ = std::make_unique<NullWindowSearch>(game_, options_.table_bytes, options_.threads);
    prover_->new_root();
    ProveOptions options;
    options.limits = part;
    const Proof proof = Questions(*prover_, Prover::NullWindow, traits, root, options).run();
    game_.clear_fault(); // the search meets it, too, if it matters
    return proof;
}

Result Proving::search_on(const game::State& root, const Limits& limits, const Proof& proof) {
    const Limits check = part_of(limits, std::min(share_to_check, share_of_rest * (1 - options_.prove)));
    const bool looks_for_another = !proof.move && proof.nodes > 0 && !proof.proven();
    Limits rest = rest_of(limits, proof.nodes, proof.seconds);
    if (proof.move || looks_for_another) rest = rest_of(rest, check.nodes, check.seconds);
    Result result = search_->run(root, rest);
    result.nodes += proof.nodes;
    result.seconds += proof.seconds;
    if (!result.fault.empty() || result.value.empty() || is_set(limits.stop)) return result;
    if (proof.move) {
        if (!keeps_bound(root, check, proof, result)) take_proven(root, proof, result);
    } else if (looks_for_another && !result.exact && !result.pv_ids.empty()) {
        const Limits half = part_of(check, 0.5);
        if (is_refuted(root, result.pv_ids.front(), half, result.value[0])) take_another(root, half, result);
    }
    if (!proof.proven()) return result;
    share_out(proof.low, game_.traits().first_side, result.value);
    result.exact = result.complete = true;
    return result;
}

bool Proving::keeps_bound(const game::State& root, const Limits& limits, const Proof& proof, const Result& result) {
    if (result.pv_ids.empty()) return false;
    const std::uint64_t move = result.pv_ids.front();
    if (move == *proof.move) return true;
    const std::vector<double>& utilities = game_.traits().utilities;
    const bool first = view(root, 1) > 0;
    const double at_least = first ? proof.low : *std::ranges::upper_bound(utilities, proof.high);
    const Verdict verdict = ask_after(root, move, limits, at_least);
    if (verdict != Verdict::Open) return verdict == (first ? Verdict::Proven : Verdict::Disproven);
    return !proof.proven() && view(root, result.value[0]) > forced(root, proof);
}

Verdict Proving::ask_after(const game::State& root, std::uint64_t move, const Limits& limits, double at_least) {
    game::MoveList moves;
    game::State next;
    game_.expand(root, moves);
    const auto index = moves.find(move);
    if (!index || !game_.successor(root, moves, *index, next)) return Verdict::Open;
    prover_->new_root();
    return prover_->ask(next, {.player = 0, .at_least = at_least}, limits);
}

bool Proving::is_refuted(const game::State& root, std::uint64_t move, const Limits& limits, double value) {
    const std::vector<double>& utilities = game_.traits().utilities;
    const bool first = view(root, 1) > 0;
    const auto asked = first ? std::ranges::lower_bound(utilities, value) : std::ranges::upper_bound(utilities, value);
    if (asked == utilities.end() || asked == utilities.begin()) return false;
    return ask_after(root, move, limits, *asked) == (first ? Verdict::Disproven : Verdict::Proven);
}

void Proving::take_another(const game::State& root, const Limits& limits, Result& result) {
    game::MoveList moves;
    game_.expand(root, moves);
    // Half of the limits for the values, as much for what is refuted.
    const Limits each = part_of(limits, 0.5 / static_cast<double>(moves.size()));
    std::vector<Result> others;
    for (std::size_t i = 0; i < moves.size() && !is_set(limits.stop); ++i) {
        game::State next;
        if (moves.id(i) == result.pv_ids.front() || !game_.successor(root, moves, i, next)) continue;
        Result other = search_->run(next, each);
        result.nodes += other.nodes;
        result.seconds += other.seconds;
        if (!other.fault.empty() || other.value.empty()) continue;
        other.pv_ids.insert(other.pv_ids.begin(), moves.id(i));
        others.push_back(std::move(other));
    }
    game_.clear_fault();
    std::ranges::sort(others, std::greater{}, [&](const Result& other) { return view(root, other.value[0]); });
    for (Result& other : others) {
        if (is_refuted(root, other.pv_ids.front(), each, other.value[0])) continue;
        result.value = std::move(other.value);
        result.pv_ids = std::move(other.pv_ids);
        result.depth = other.depth + 1;
        write_pv(game_, root, result);
        return;
    }
}

void Proving::take_proven(const game::State& root, const Proof& proof, Result& result) const {
    const double value = forced(root, proof);
    result.value.resize(game_.players());
    share_out(view(root, value), game_.traits().first_side, result.value);
    result.pv_ids = {*proof.move};
    write_pv(game_, root, result);
    result.exact = result.complete = proof.proven();
}

} // namespace zug::search
