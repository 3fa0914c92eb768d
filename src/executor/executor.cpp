#include "executor/executor.hpp"

#include "base/copy_words.hpp"
#include "executor/hash.hpp"
#include "executor/position_buffer.hpp"
#include "executor/random_play.hpp"

#include <algorithm>

namespace zug::run {

HistoryNode::~HistoryNode() {
    // Nodes that only this one held are taken off one by one.
    auto rest = std::move(before);
    while (rest && rest.use_count() == 1) rest = std::move(const_cast<HistoryNode&>(*rest).before);
}

std::uint64_t HistoryNode::hash() const {
    const std::uint64_t newest = path_hash - (before ? before->path_hash : 0);
    return combine_hashes(path_hash, newest);
}

Fault endless_turn(const ir::Rule& rule) {
    return {.kind = FaultKind::EndlessTurn,
            .rule = none_id<ir::RuleId>,
            .move = {},
            .slots = {},
            .what = "the turn goes on for more than " + std::to_string(max_chain) + " steps",
            .span = rule.span};
}

void MoveList::clear() {
    entries_.clear();
    steps_.clear();
    weights_.clear();
    results_.clear();
    histories_.clear();
    total_weight_ = 0;
}

void MoveList::add(StepCode code) {
    entries_.push_back({.id = code, .first_step = static_cast<std::uint32_t>(steps_.size()), .step_count = 1});
    steps_.push_back(code);
}

void MoveList::add(StepCode code, double weight) {
    add(code);
    weights_.push_back(weight);
    total_weight_ += weight;
}

void MoveList::add_chain(std::span<const StepCode> steps, std::span<const std::uint64_t> result,
                         std::shared_ptr<const HistoryNode> history) {
    entries_.push_back({.id = words_hash(steps)[0],
                        .first_step = static_cast<std::uint32_t>(steps_.size()),
                        .step_count = static_cast<std::uint32_t>(steps.size())});
    steps_.insert(steps_.end(), steps.begin(), steps.end());
    results_.insert(results_.end(), result.begin(), result.end());
    histories_.push_back(std::move(history));
}

void MoveList::result(std::size_t i, State& out) const {
    const std::size_t width = results_.size() / histories_.size();
    const auto words = results_.begin() + static_cast<std::ptrdiff_t>(i * width);
    out.words.assign(words, words + static_cast<std::ptrdiff_t>(width));
    if (out.history != histories_[i]) out.history = histories_[i];
}

std::optional<std::size_t> MoveList::find(std::uint64_t id) const {
    const auto it = std::ranges::find(entries_, id, &Entry::id);
    if (it == entries_.end()) return std::nullopt;
    return static_cast<std::size_t>(it - entries_.begin());
}

std::uint64_t Executor::count(const State& state) {
    MoveList moves;
    return expand(state, moves) == NodeKind::Fault ? 0 : moves.size();
}

PlayoutResult Executor::playout(State& state, Random& random, std::uint32_t max_plies) {
    PlayoutResult result;
    MoveList moves;
    State next;
    for (;;) {
        const NodeKind node = expand(state, moves);
        result.finished = node == NodeKind::Terminal;
        if (node == NodeKind::Terminal || node == NodeKind::Fault || result.plies == max_plies) return result;
        if (!successor(state, moves, random_entry(moves, node, random), next)) return result;
        std::swap(state, next);
        ++result.plies;
    }
}

Playouts Executor::playouts(const State& start, State& state, Random& random, std::uint32_t plies) {
    Playouts result;
    while (result.plies < plies && result.finished < plies) {
        const PlayoutResult played = playout(state, random, plies - result.plies);
        result.plies += played.plies;
        if (!played.finished) break;
        ++result.finished;
        result.begun = result.plies;
        state = start;
    }
    return result;
}

// -- lines of play: by states and lists

void Executor::begin(const State& state, Ply& ply) const {
    ply.state.words.resize(state.words.size());
    copy_words(state.words.data(), state.words.size(), ply.state.words.data());
    ply.state.history = state.history;
    ply.has_state = true;
    ply.has_words = ply.judged = ply.listed = false;
    ply.mover = to_move(state);
}

const State& Executor::state(Ply& ply) const {
    if (!ply.has_state) pack(ply, ply.state);
    ply.has_state = true;
    return ply.state;
}

std::uint32_t Executor::line_words() const {
    State state;
    initial(state);
    return static_cast<std::uint32_t>(state.words.size());
}

const std::uint64_t* Executor::words(Ply& ply) const { return state(ply).words.data(); }

void Executor::begin(std::span<const std::uint64_t> words, Ply& ply) const {
    State state;
    state.words.assign(words.begin(), words.end());
    if (!program().keys.empty()) { // its history begins here
        std::vector<std::uint32_t> slots;
        store(state, slots);
        load(slots, state);
    }
    begin(state, ply);
}

NodeKind Executor::list(Ply& ply) {
    ply.listed = true;
    ply.picks.clear();
    return ply.kind = expand(state(ply), ply.moves);
}

Next Executor::make(Ply& here, std::size_t i, Ply& there) {
    here.tried = i + 1;
    if (!successor(state(here), here.moves, i, there.state)) return Next::Fault;
    there.has_state = true;
    there.has_words = there.judged = there.listed = false;
    there.mover = to_move(there.state);
    return Next::Unknown;
}

Next Executor::first(Ply& here, Ply& there) {
    here.tried = 0;
    return list(here) == NodeKind::Fault ? Next::Fault : Executor::next(here, there);
}

Next Executor::next(Ply& here, Ply& there) {
    return here.tried == here.moves.size() ? Next::None : make(here, here.tried, there);
}

Next Executor::successors(Ply& here, Ply& there, Positions& out) {
    out.size = 0;
    out.first = 0;
    Next at = first(here, there);
    for (; at != Next::None && at != Next::Fault; at = next(here, there)) {
        out.stride = static_cast<std::uint32_t>(state(there).words.size());
        copy_words(words(there), out.stride, out.room());
        ++out.size;
    }
    return at;
}

std::uint64_t Executor::count_next(Ply& here, Ply& there) {
    std::uint64_t total = 0;
    for (Next at = first(here, there); at != Next::None && at != Next::Fault && !fault_; at = next(here, there))
        if (at != Next::Terminal) total += count(there);
    return total;
}

bool Executor::more(const Ply& here) const { return here.tried < here.moves.size(); }
std::uint64_t Executor::move_id(const Ply& here, const Ply&) const { return here.moves.id(here.tried - 1); }
NodeKind Executor::kind(Ply& ply) { return kind(state(ply)); }
std::uint64_t Executor::count(Ply& ply) { return count(state(ply)); }
void Executor::payoffs(Ply& ply, std::span<double> out) { payoffs(state(ply), out); }
void Executor::evals(Ply& ply, std::span<double> out) { evals(state(ply), out); }
std::uint64_t Executor::hash(Ply& ply) const { return hash(state(ply)); }
} // namespace zug::run
