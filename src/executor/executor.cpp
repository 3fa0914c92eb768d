#include "executor/executor.hpp"

#include "base/copy_words.hpp"
#include "executor/position_buffer.hpp"
#include "executor/random_play.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace zug::run {

Fault too_much(Excess excess, const ir::Program& program, ir::RuleId rule, std::vector<std::uint32_t> slots) {
    Fault fault{
        .kind = FaultKind::TooMuchWork, .rule = rule, .move = {}, .slots = std::move(slots), .what = {}, .span = {}};
    if (excess == Excess::Chains)
        fault.what = "there are too many chains of steps to go through";
    else if (excess == Excess::Moves)
        fault.what = fmt::format("there are more than {} moves", max_moves);
    else
        fault.what = fmt::format("to work this out takes more than {} steps", max_work);
    if (!valid(rule)) return fault;
    const ir::Rule& of = program.rules[rule];
    fault.span = of.span;
    if (excess != Excess::Chains && of.code_count > 1000)
        fault.what += fmt::format("; its parameters have {} combinations: begin `when` with conditions on the first of "
                                  "them, or use fewer",
                                  of.code_count);
    return fault;
}

std::string_view what_is_wrong(double weight) {
    if (weight == 0) return "all weights are zero";
    return weight < 0 ? "a negative weight" : "a weight that is not a finite number: it divides by 0";
}

bool all_payable(std::span<const double> payoffs) {
    return std::ranges::all_of(payoffs, [](double payoff) { return std::abs(payoff) <= max_payoff; });
}

Fault bad_payoff(std::span<const double> payoffs, std::vector<std::uint32_t> slots) {
    const bool finite = std::ranges::all_of(payoffs, [](double payoff) { return std::isfinite(payoff); });
    return {.kind = FaultKind::BadPayoff,
            .rule = none_id<ir::RuleId>,
            .move = {},
            .slots = std::move(slots),
            .what = finite ? "a payoff lies beyond 2^40 (1,099,511,627,776)"
                           : "a payoff is not a finite number: it divides by 0",
            .span = {}};
}

Fault endless_turn(const ir::Rule& rule) {
    return {.kind = FaultKind::EndlessTurn,
            .rule = none_id<ir::RuleId>,
            .move = {},
            .slots = {},
            .what = "the turn goes on for more than " + std::to_string(max_chain) + " steps",
            .span = rule.span};
}

std::uint64_t Executor::count(const State& state) {
    MoveList moves;
    return expand(state, moves) == NodeKind::Fault ? 0 : moves.size();
}

namespace {

// `made` is told of each move.
template <class Made>
PlayoutResult play_by_lists(Executor& executor, State& state, Random& random, std::uint32_t max_plies, Made&& made) {
    PlayoutResult result;
    MoveList moves;
    State next;
    for (;;) {
        const NodeKind node = executor.expand(state, moves);
        result.finished = node == NodeKind::Terminal;
        if (node == NodeKind::Terminal || node == NodeKind::Fault || result.plies == max_plies) return result;
        const std::size_t i = random_entry(moves, node, random);
        if (!executor.successor(state, moves, i, next)) return result;
        made(PlayedMove{moves.id(i), executor.to_move(state), node == NodeKind::Chance});
        std::swap(state, next);
        ++result.plies;
    }
}

} // namespace

PlayoutResult Executor::playout(State& state, Random& random, std::uint32_t max_plies) {
    return play_by_lists(*this, state, random, max_plies, [](const PlayedMove&) {});
}

PlayoutResult Executor::playout(State& state, Random& random, std::uint32_t max_plies,
                                std::vector<PlayedMove>& played) {
    return play_by_lists(*this, state, random, max_plies, [&](const PlayedMove& move) { played.push_back(move); });
}

void UtilitySums::add(std::span<const double> utilities, double games) {
    for (std::size_t p = 0; p < utilities.size(); ++p) {
        sum[p] += games * utilities[p];
        squares[p] += games * utilities[p] * utilities[p];
    }
}

Playouts Executor::playouts(const State& start, State& state, Random& random, std::uint32_t plies, UtilitySums* sums) {
    Playouts result;
    std::vector<double> utilities(sums != nullptr ? sums->sum.size() : 0);
    while (result.plies < plies && result.finished < plies) {
        const PlayoutResult played = playout(state, random, plies - result.plies);
        result.plies += played.plies;
        if (!played.finished) break;
        if (sums != nullptr) {
            if (!payoffs(state, utilities)) break;
            sums->add(utilities);
        }
        ++result.finished;
        result.begun = result.plies;
        state = start;
    }
    return result;
}

// -- lines of play, by states and lists

void Executor::begin(const State& state, PositionBuffer& here) const {
    here.state.words.resize(state.words.size());
    copy_words(state.words.data(), state.words.size(), here.state.words.data());
    here.state.history = state.history;
    here.has_state = true;
    here.has_words = here.judged = here.listed = false;
    here.mover = to_move(state);
}

const State& Executor::state(PositionBuffer& here) const {
    if (!here.has_state) pack(here, here.state);
    here.has_state = true;
    return here.state;
}

std::uint32_t Executor::line_words() const {
    State state;
    initial(state);
    return static_cast<std::uint32_t>(state.words.size());
}

const std::uint64_t* Executor::words(PositionBuffer& here) const { return state(here).words.data(); }

void Executor::begin(std::span<const std::uint64_t> words, PositionBuffer& here) const {
    State state;
    state.words.assign(words.begin(), words.end());
    if (!program().keys.empty()) { // load() begins a history with it
        std::vector<std::uint32_t> slots;
        store(state, slots);
        load(slots, state);
    }
    begin(state, here);
}

void Executor::read_map(PositionBuffer& here, ir::StateId map, std::span<std::uint32_t> out) const {
    std::vector<std::uint32_t> slots;
    store(state(here), slots);
    std::copy_n(slots.begin() + program().states[map].first_slot, out.size(), out.begin());
}

void Executor::read_slots(PositionBuffer& here, std::span<std::uint32_t> out) const {
    std::vector<std::uint32_t> slots;
    store(state(here), slots);
    std::ranges::copy(slots, out.begin());
}

NodeKind Executor::list(PositionBuffer& here) {
    here.listed = true;
    here.picks.clear();
    return here.kind = expand(state(here), here.moves);
}

NodeKind Executor::list_loud(PositionBuffer& here) {
    if (Executor::list(here) == NodeKind::Decision)
        here.moves.keep_if([&](std::size_t i) { return is_loud(state(here), here.moves.steps(i)); });
    return here.kind;
}

Next Executor::make(PositionBuffer& here, std::size_t i, PositionBuffer& there) {
    here.tried = i + 1;
    if (!successor(state(here), here.moves, i, there.state)) return Next::Fault;
    there.has_state = true;
    there.has_words = there.judged = there.listed = false;
    there.mover = to_move(there.state);
    return Next::Unknown;
}

Next Executor::first(PositionBuffer& here, PositionBuffer& there) {
    here.tried = 0;
    return list(here) == NodeKind::Fault ? Next::Fault : Executor::next(here, there);
}

Next Executor::next(PositionBuffer& here, PositionBuffer& there) {
    return here.tried == here.moves.size() ? Next::None : make(here, here.tried, there);
}

Next Executor::successors(PositionBuffer& here, PositionBuffer& there, Positions& out) {
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

std::uint64_t Executor::count_next(PositionBuffer& here, PositionBuffer& there) {
    std::uint64_t total = 0;
    for (Next at = first(here, there); at != Next::None && at != Next::Fault && !fault_; at = next(here, there))
        if (at != Next::Terminal) total += count(there);
    return total;
}

bool Executor::more(const PositionBuffer& here) const { return here.tried < here.moves.size(); }
std::uint64_t Executor::move_id(const PositionBuffer& here, const PositionBuffer&) const {
    return here.moves.id(here.tried - 1);
}
NodeKind Executor::kind(PositionBuffer& here) { return kind(state(here)); }
std::uint64_t Executor::count(PositionBuffer& here) { return count(state(here)); }
bool Executor::payoffs(PositionBuffer& here, std::span<double> out) { return payoffs(state(here), out); }
void Executor::evals(PositionBuffer& here, std::span<double> out) { evals(state(here), out); }
Bounds Executor::bounds(PositionBuffer& here) { return bounds(state(here)); }
std::uint64_t Executor::hash(PositionBuffer& here) const { return hash(state(here)); }
} // namespace zug::run
