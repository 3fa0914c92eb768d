#include "interpreter/interpreter.hpp"

#include "compiler/compile.hpp"
#include "executor/hash.hpp"
#include "interpreter/chains.hpp"
#include "interpreter/make_interpreter.hpp"
#include "reference/make_reference.hpp"

#include <algorithm>
#include <array>

namespace zug::run {

Interpreter::Interpreter(std::shared_ptr<const Compiled> compiled, std::shared_ptr<RoutineTable> routines,
                         std::shared_ptr<RoutineTable> stepwise)
    : referee_(compiled, std::move(routines), compiled->beyond == compiled->stepwise ? stepwise : nullptr, fault_),
      turns_(referee_), play_(referee_, turns_), walk_(*this, referee_) {
    if (const auto& steps = referee_.compiled().stepwise)
        player_ = std::make_unique<Interpreter>(steps, std::move(stepwise));
}

std::unique_ptr<Executor> Interpreter::clone() const {
    return std::make_unique<Interpreter>(referee_.shared_compiled(), referee_.routine_table(),
                                         player_ ? player_->referee_.routine_table() : nullptr);
}

std::string_view Interpreter::name() const {
    const auto& table = referee_.routine_table();
    return table != nullptr && table->routines() != nullptr ? "native" : "interpreter";
}

ReferenceUse Interpreter::reference_use() const { return referee_.reference().use(); }

// -- states

void Interpreter::initial(State& out) const {
    std::vector<std::uint32_t> slots;
    referee_.layout().store(referee_.compiled().initial.data(), slots);
    load(slots, out);
}

void Interpreter::store(const State& state, std::vector<std::uint32_t>& slots) const {
    std::vector<std::uint64_t> words(referee_.state_words());
    referee_.layout().unpack(state.words.data(), words.data());
    referee_.layout().store(words.data(), slots);
}

void Interpreter::load(std::span<const std::uint32_t> slots, State& out) const {
    const StateLayout& layout = referee_.layout();
    std::vector<std::uint64_t> words(referee_.state_words());
    layout.load(slots, words.data());
    out.words.resize(layout.stored_words());
    layout.pack(words.data(), out.words.data());
    out.history.reset();
    if (program().keys.empty()) return;
    auto& scratch = const_cast<Referee&>(referee_); // nothing in the frame outlasts an operation
    scratch.enter(out);
    scratch.record(scratch.last());
    out.history = scratch.history();
}

std::uint32_t Interpreter::to_move(const State& state) const {
    return referee_.layout().stored_turn(state.words.data());
}

std::uint64_t Interpreter::hash(const State& state) const {
    std::uint64_t h = 0x9E3779B97F4A7C15ULL;
    for (std::size_t k = 0; k < state.words.size(); ++k)
        h = multiply_mix(h ^ state.words[k], 0xE7037ED1A0B428DBULL + k);
    return state.history ? combine_hashes(h, state.history->hash()) : h;
}

// -- moves

NodeKind Interpreter::kind(const State& state) {
    referee_.enter(state);
    return referee_.ending_before_moves() >= 0 ? NodeKind::Terminal : kind_of_open();
}

// The kind of the position in the frame, where no end clause holds as far as can be told without a search for moves.
NodeKind Interpreter::kind_of_open() {
    if (referee_.chance_is_due()) return NodeKind::Chance;
    const bool over = referee_.ends_ask_stuck() && !referee_.has_move() && referee_.ending_if_stuck() >= 0;
    return over ? NodeKind::Terminal : NodeKind::Decision;
}

NodeKind Interpreter::expand(const State& state, MoveList& moves) {
    moves.clear();
    fault_.reset();
    referee_.enter(state);
    if (referee_.ending_before_moves() >= 0) return NodeKind::Terminal;
    const NodeKind node = referee_.chance_is_due() ? list_outcomes(moves) : list_moves(moves);
    if (!fault_) return node;
    moves.clear();
    return NodeKind::Fault;
}

NodeKind Interpreter::list_outcomes(MoveList& moves) {
    if (referee_.exceeds(referee_.compiled().chances[referee_.turn()])) return NodeKind::Fault;
    const bool good =
        referee_.each_outcome([&](const Pick& p, double weight) { moves.add(referee_.code_of(p), weight); });
    if (good) return NodeKind::Chance;
    moves.clear();
    return NodeKind::Fault;
}

std::uint64_t Interpreter::count_outcomes() {
    std::uint64_t total = 0;
    return referee_.each_outcome([&](const Pick&, double) { ++total; }) ? total : 0;
}

NodeKind Interpreter::list_moves(MoveList& moves) {
    if (referee_.program().turn) return list_chains(referee_, moves);
    const FindCode& code = referee_.compiled().moves[referee_.turn()];
    if (referee_.find(code) == 0) return list_others(moves);
    if (referee_.exceeds(code)) return NodeKind::Fault;
    const auto add = [&](const Pick& p) { return referee_.add_to(moves, p), false; };
    if (!referee_.has_ensure())
        referee_.each(code, add);
    else
        referee_.each_legal(code, add);
    return moves.empty() ? referee_.stuck_node(moves) : NodeKind::Decision;
}

NodeKind Interpreter::list_others(MoveList& moves) {
    Referee* const other = referee_.beyond();
    return other != nullptr ? list_chains(*other, moves) : referee_.stuck_node(moves);
}

NodeKind Interpreter::list_chains(Referee& by, MoveList& moves) {
    TurnChains& chains = by.chains();
    by.save();
    const auto history = by.history();
    const std::uint32_t mover = by.turn();
    const StateLayout& layout = by.layout();
    boost::container::small_vector<std::uint64_t, State::inline_words> stored(layout.stored_words());
    for (const auto n : chains.moves(TurnChains::Order::Steps)) {
        const auto words = chains.result(n);
        if (!by.program().keys.empty()) {
            std::ranges::copy(words, by.frame());
            by.set_history(history);
            by.set_between_moves(true);
            by.record(mover);
        }
        layout.pack(words.data(), stored.data());
        chains.steps(n, steps_);
        moves.add_chain(steps_, stored, by.history());
    }
    by.restore();
    by.set_history(history);
    by.set_between_moves(true);
    if (chains.failed()) {
        if (!chains.exceeded()) by.reference().describe_chains(by.saved());
        return NodeKind::Fault;
    }
    return moves.empty() ? by.stuck_node(moves) : NodeKind::Decision;
}

std::uint64_t Interpreter::count(const State& state) {
    referee_.enter(state);
    if (referee_.ending_before_moves() >= 0) return 0;
    if (const std::uint64_t found = referee_.find_chances(); found > 0)
        return referee_.is_uniform() ? found : count_outcomes();
    if (!referee_.program().turn) return count_moves();
    const std::uint64_t turns = count_turns(referee_);
    return turns > 0 ? turns : Executor::count(state);
}

std::uint64_t Interpreter::count_turns(Referee& by) {
    if (const auto counted = TurnPlay(by).count()) return *counted;
    const std::size_t chains = by.chains().moves(TurnChains::Order::Any).size();
    by.set_between_moves(true);
    return chains;
}

std::uint64_t Interpreter::count_moves() {
    const CountCode& code = referee_.compiled().counts[referee_.turn()];
    referee_.run(code.needs_check.entry);
    std::uint64_t total = referee_.word(code.total);
    if (referee_.has_ensure()) total += referee_.count_legal(code.needs_check);
    if (total > 0) return total;
    if (Referee* const other = referee_.beyond())
        if (const std::uint64_t turns = count_turns(*other)) return turns;
    MoveList moves;
    list_others(moves);
    return moves.size();
}

bool Interpreter::successor(const State& state, const MoveList& moves, std::size_t i, State& out) {
    if (moves.has_results()) {
        moves.result(i, out);
        return true;
    }
    // An earlier fault stays: that of another position, which the caller asks for when it has counted all.
    std::optional<Fault> earlier = std::exchange(fault_, std::nullopt);
    if (!make_step(state, referee_.code_of(moves.steps(i)), out) || fault_) return false;
    fault_ = std::move(earlier);
    return true;
}

bool Interpreter::make_step(const State& state, StepCode code, State& out) {
    referee_.enter(state);
    if (code == pass_code) {
        referee_.pass();
        referee_.leave(out);
        return true;
    }
    const std::uint32_t mover = referee_.turn();
    const ir::RuleId rule = referee_.set_params(code);
    if (referee_.apply(rule) == Machine::Applied::Fault) {
        referee_.enter(state);
        referee_.reference().describe_step(rule, code, referee_.state());
        return false;
    }
    if (referee_.program().rules[rule].chance)
        referee_.pass_turn(true);
    else
        referee_.end_move(mover);
    referee_.leave(out);
    return true;
}

// -- values

bool Interpreter::payoffs(const State& state, std::span<double> out) {
    referee_.enter(state);
    const std::int32_t clause = referee_.ending();
    if (clause >= 0) return payoffs_of(clause, out);
    std::ranges::fill(out, 0.0);
    return true;
}

// Of the position in the frame, which this end clause ends.
bool Interpreter::payoffs_of(std::int32_t clause, std::span<double> out) {
    referee_.values(referee_.compiled().payoffs[static_cast<std::size_t>(clause)][referee_.last()], out);
    if (all_payable(out)) [[likely]]
        return true;
    std::vector<std::uint32_t> slots;
    referee_.layout().store(referee_.frame(), slots);
    fault_ = bad_payoff(out, std::move(slots));
    std::ranges::fill(out, 0.0);
    return false;
}

void Interpreter::evals(const State& state, std::span<double> out) {
    referee_.enter(state);
    referee_.values(referee_.compiled().evals[referee_.last()], out);
}

Bounds Interpreter::bounds(const State& state) {
    referee_.enter(state);
    return bounds_in_frame();
}

Bounds Interpreter::bounds_in_frame() {
    std::array<double, 2> found;
    referee_.values(referee_.compiled().bounds[referee_.last()], found);
    return {found[0], found[1]};
}

bool Interpreter::holds(const State& state, ir::ExprId condition) {
    std::vector<std::uint32_t> slots;
    store(state, slots);
    referee_.enter(state);
    return referee_.reference().holds(state, slots, referee_.last(), condition);
}

// -- random play

PlayoutResult Interpreter::playout(State& state, Random& random, std::uint32_t max_plies) {
    fault_.reset();
    if (player_) {
        const PlayoutResult result = player_->playout(state, random, max_plies);
        fault_ = player_->fault();
        return result;
    }
    referee_.enter(state);
    const PlayoutResult result = play_.playout(random, max_plies);
    referee_.leave(state);
    return result;
}

PlayoutResult Interpreter::playout(State& state, Random& random, std::uint32_t max_plies,
                                   std::vector<PlayedMove>& played) {
    if (referee_.program().turn || referee_.compiled().beyond)
        return Executor::playout(state, random, max_plies, played);
    fault_.reset();
    referee_.enter(state);
    const PlayoutResult result = play_.playout(random, max_plies, played);
    referee_.leave(state);
    return result;
}

Playouts Interpreter::playouts(const State& start, State& state, Random& random, std::uint32_t plies,
                               UtilitySums* sums) {
    if (player_) {
        const Playouts result = player_->playouts(start, state, random, plies, sums);
        fault_ = player_->fault();
        return result;
    }
    if (!play_.restarts() || plies == 0 || (sums != nullptr && !play_.tallies()))
        return Executor::playouts(start, state, random, plies, sums);
    const Playouts result = play_.playouts(start, state, random, plies, sums);
    referee_.leave(state);
    return result;
}

// -- lines of play

std::uint32_t Interpreter::line_words() const { return walk_.walks() ? walk_.line_words() : Executor::line_words(); }

const std::uint64_t* Interpreter::words(PositionBuffer& here) const {
    return walk_.walks() ? walk_.words(here) : Executor::words(here);
}

void Interpreter::begin(std::span<const std::uint64_t> words, PositionBuffer& here) const {
    if (walk_.walks())
        walk_.begin(words, here);
    else
        Executor::begin(words, here);
}

NodeKind Interpreter::kind(PositionBuffer& here) {
    if (!here.judged) return kind(state(here));
    if (here.clause >= 0) return NodeKind::Terminal;
    walk_.enter(here);
    return kind_of_open();
}

std::uint64_t Interpreter::count(PositionBuffer& here) {
    if (!here.judged || referee_.has_chance()) return count(state(here));
    if (here.clause >= 0) return 0;
    walk_.enter(here);
    return count_moves();
}

bool Interpreter::payoffs(PositionBuffer& here, std::span<double> out) {
    if (!here.judged || here.clause < 0) return payoffs(state(here), out);
    walk_.enter(here);
    return payoffs_of(here.clause, out);
}

void Interpreter::evals(PositionBuffer& here, std::span<double> out) {
    walk_.enter(here);
    referee_.values(referee_.compiled().evals[referee_.last()], out);
}

void Interpreter::read_map(PositionBuffer& here, ir::StateId map, std::span<std::uint32_t> out) const {
    with_words(here, [&](const std::uint64_t* words) { referee_.layout().read_map(words, map, out); });
}

void Interpreter::read_slots(PositionBuffer& here, std::span<std::uint32_t> out) const {
    if (!reader_) reader_ = std::make_unique<SlotReader>(referee_.program(), referee_.layout());
    with_words(here, [&](const std::uint64_t* words) { reader_->read(words, out); });
}

Bounds Interpreter::bounds(PositionBuffer& here) {
    walk_.enter(here);
    return bounds_in_frame();
}

std::unique_ptr<Executor> make_interpreter(std::shared_ptr<const ir::Program> program) {
    std::string why;
    auto compiled = compile(program, why);
    if (!compiled) return make_reference(std::move(program));
    return std::make_unique<Interpreter>(std::move(compiled));
}

std::unique_ptr<Executor> make_interpreter(std::shared_ptr<const Compiled> compiled,
                                           std::shared_ptr<RoutineTable> routines,
                                           std::shared_ptr<RoutineTable> stepwise) {
    return std::make_unique<Interpreter>(std::move(compiled), std::move(routines), std::move(stepwise));
}

} // namespace zug::run
