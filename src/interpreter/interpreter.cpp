#include "interpreter/interpreter.hpp"
#include "compiler/compile.hpp"
#include "interpreter/make_interpreter.hpp"
#include "reference/make_reference.hpp"

#include "executor/hash.hpp"
#include "interpreter/chains.hpp"

#include <algorithm>
#include <bit>

namespace zug::run {

Interpreter::Interpreter(std::shared_ptr<const Compiled> compiled, std::shared_ptr<RoutineTable> routines)
    : compiled_(std::move(compiled)), table_(std::move(routines)), bridge_(*this, compiled_->code),
      frame_(std::make_unique<std::uint64_t[]>(frame_words)), turn_(compiled_->layout->turn()),
      state_words_(compiled_->layout->state_words()) {
    for (const auto& [reg, word] : compiled_->code.constants) frame_[reg] = word;
    if (compiled_->program->turn) chains_ = std::make_unique<InterpreterChains>(*this);
    const ir::Program& program = *compiled_->program;
    if (!compiled_->code.questions.empty()) (void)reference();
    ends_ask_stuck_ = compiled_->first_stuck_end < static_cast<std::int32_t>(program.ends.size());
    for (std::size_t r = 0; r < program.rules.size(); ++r) {
        const ir::Rule& rule = program.rules[static_cast<ir::RuleId>(r)];
        chances_ = chances_ || rule.chance;
        ensures_ = ensures_ || (!rule.chance && !rule.ensure.empty());
        auto& params = params_.emplace_back();
        for (ir::VarId v : rule.params) {
            const ir::TypeId type = program.vars[v].type;
            Param p;
            p.count = program.types.cardinality(type);
            for (std::uint64_t o = 0; o < p.count; ++o)
                p.words.push_back(compiled_->layout->to_register(type, program.types.value(type, o)));
            params.push_back(std::move(p));
        }
    }
}

Interpreter::~Interpreter() = default;

std::string_view Interpreter::name() const {
    return table_ != nullptr && table_->routines() != nullptr ? "native" : "interpreter";
}

// -- states

void Interpreter::initial(State& out) const {
    std::vector<std::uint32_t> slots;
    compiled_->layout->store(compiled_->initial.data(), slots);
    load(slots, out);
}

void Interpreter::store(const State& state, std::vector<std::uint32_t>& slots) const {
    std::vector<std::uint64_t> words(state_words_);
    compiled_->layout->unpack(state.words.data(), words.data());
    compiled_->layout->store(words.data(), slots);
}

void Interpreter::load(std::span<const std::uint32_t> slots, State& out) const {
    const StateLayout& layout = *compiled_->layout;
    std::vector<std::uint64_t> words(state_words_);
    layout.load(slots, words.data());
    out.words.resize(layout.stored_words());
    layout.pack(words.data(), out.words.data());
    out.history.reset();
    if (program().keys.empty()) return;
    auto* self = const_cast<Interpreter*>(this); // the frame is scratch
    self->enter(out);
    self->record(self->last());
    out.history = self->history_;
}

std::uint32_t Interpreter::to_move(const State& state) const {
    return compiled_->layout->stored_turn(state.words.data());
}

void Interpreter::use_routines() {
    if (table_ == nullptr) return;
    if (routines_ == nullptr) table_->on_call();
    routines_ = table_->routines();
}

void Interpreter::enter(const State& state) {
    use_routines();
    compiled_->layout->unpack(state.words.data(), frame_.get());
    if (history_ != state.history) history_ = state.history;
    settled_ = true;
}

void Interpreter::leave(State& out) const {
    out.words.resize(compiled_->layout->stored_words());
    compiled_->layout->pack(frame_.get(), out.words.data());
    if (out.history != history_) out.history = history_;
}

std::uint32_t Interpreter::last() const {
    if (program().keeps_last) return static_cast<std::uint32_t>(frame_[compiled_->layout->last()]);
    const std::uint32_t t = turn();
    return (t == 0 ? program().player_count() : t) - 1;
}

void Interpreter::save() { saved_.assign(frame_.get(), frame_.get() + state_words_); }
void Interpreter::restore() { std::copy(saved_.begin(), saved_.end(), frame_.get()); }

std::uint64_t Interpreter::hash(const State& state) const {
    std::uint64_t h = 0x9E3779B97F4A7C15ULL;
    for (std::size_t k = 0; k < state.words.size(); ++k)
        h = multiply_mix(h ^ state.words[k], 0xE7037ED1A0B428DBULL + k);
    return state.history ? combine_hashes(h, state.history->hash()) : h;
}

// -- finding instances

std::uint64_t Interpreter::find(const FindCode& code) { return run(code.entry) == FindCode::nothing ? 0 : found(code); }

std::uint64_t Interpreter::found(const FindCode& code) const {
    std::uint64_t total = 0;
    for (const auto& [set, words] : code.sets)
        for (std::uint32_t k = 0; k < words; ++k) total += static_cast<unsigned>(std::popcount(frame_[set + k]));
    return code.emits ? total + records.total : total;
}

std::uint64_t Interpreter::legal_found(const FindCode& code) {
    std::uint64_t legal = 0;
    each(code, [&](const Pick& p) { return legal += this->legal(p) ? 1 : 0, false; });
    return legal;
}

StepCode Interpreter::code_of(const Pick& p) const {
    if (p.found != nullptr) return p.found->codes[p.bit];
    const RecordCode& shape = shape_of(p.record);
    StepCode code = shape.codes[p.bit];
    for (std::size_t k = 0; k < shape.kept.size(); ++k)
        code += shape.kept[k].codes[p.record[1 + k] - static_cast<std::uint64_t>(shape.kept[k].low)];
    return code;
}

// -- applying one

ir::RuleId Interpreter::set_params(const Pick& p) {
    const ir::RuleId id = p.found != nullptr ? p.found->rule : shape_of(p.record).rule;
    const auto& params = p.found != nullptr ? p.found->params : shape_of(p.record).params;
    const std::vector<Reg>& into = compiled_->rules[index(id)].params;
    const std::uint64_t* kept = p.record == nullptr ? nullptr : p.record + 1;
    for (std::size_t i = 0; i < into.size(); ++i)
        frame_[into[i]] = params[i].empty() ? *kept++ : static_cast<std::uint64_t>(params[i][p.bit]);
    return id;
}

ir::RuleId Interpreter::set_params(StepCode code) {
    const auto& rules = program().rules;
    std::size_t r = 0;
    while (r + 1 < rules.size() && rules[static_cast<ir::RuleId>(r + 1)].first_code <= code) ++r;
    const auto id = static_cast<ir::RuleId>(r);
    std::uint64_t rest = code - rules[id].first_code;
    // Last parameter first; the first one takes what is left, so that a rule with one needs no division.
    for (std::size_t i = params_[r].size(); i-- > 0;) {
        const Param& p = params_[r][i];
        const std::uint64_t above = i == 0 ? 0 : rest / p.count;
        frame_[compiled_->rules[r].params[i]] = static_cast<std::uint64_t>(p.words[rest - above * p.count]);
        rest = above;
    }
    return id;
}

Interpreter::Applied Interpreter::apply(ir::RuleId rule) {
    frame_[compiled_->code.turned_reg] = 0;
    const std::int32_t result = run(compiled_->rules[index(rule)].apply[turn()]);
    settled_ = true;
    if (result == faulted) return Applied::Fault;
    return result == 1 ? Applied::NotEnsured : Applied::Done;
}

// After a move or event whose effects may have said where the turn goes (turned: 1 again, 2 next).
void Interpreter::pass_turn(bool chance) {
    const std::uint64_t turned = frame_[compiled_->code.turned_reg];
    if (turned == 1 || (chance && turned == 0)) return;
    if (turned == 0) {
        const std::uint64_t next = frame_[turn_] + 1;
        frame_[turn_] = next == program().player_count() ? 0 : next;
    }
    for (const auto& [reg, words] : compiled_->locals)
        std::copy_n(compiled_->initial.begin() + reg, words, frame_.get() + reg);
}

void Interpreter::end_move(std::uint32_t mover) {
    if (program().keeps_last) frame_[compiled_->layout->last()] = mover;
    pass_turn(false);
    record(mover);
}

bool Interpreter::legal(const Pick& p) {
    if (!ensures_ || is_known_legal(p)) return true;
    const ir::RuleId rule = p.found != nullptr ? p.found->rule : shape_of(p.record).rule;
    if (!compiled_->rules[index(rule)].ensures) return true;
    tried_.assign(frame_.get(), frame_.get() + state_words_);
    frame_[compiled_->code.turned_reg] = 0;
    const std::int32_t result = (set_params(p), run(compiled_->rules[index(rule)].trial[turn()]));
    settled_ = true;
    std::ranges::copy(tried_, frame_.get());
    return result == faulted ? legal_by_reference(code_of(p), tried_) : result != 1;
}

// -- ends
//
// Most clauses about `stuck` can't hold for a player who can move. So the clauses are tried for such a player first,
// and only when the search for moves, which has to be done anyway, finds none, for one who is stuck.

bool Interpreter::is_stuck() { return !(chances_ && find(compiled_->chances[turn()]) > 0) && !any_legal(); }

std::int32_t Interpreter::ending_of(std::int32_t clause) {
    if (clause < compiled_->first_stuck_end) return clause;
    return ends_ask_stuck_ && is_stuck() ? ending_if_stuck() : clause;
}

std::int32_t Interpreter::ending() {
    const std::int32_t clause = run(compiled_->ends[last()]);
    if (clause >= 0 || !ends_ask_stuck_) return ending_of(clause);
    return is_stuck() ? ending_if_stuck() : -1;
}

NodeKind Interpreter::kind(const State& state) {
    enter(state);
    if (ending_before_moves() >= 0) return NodeKind::Terminal;
    if (chances_ && find(compiled_->chances[turn()]) > 0) return NodeKind::Chance;
    return ends_ask_stuck_ && !any_legal() && ending_if_stuck() >= 0 ? NodeKind::Terminal : NodeKind::Decision;
}

NodeKind Interpreter::expand(const State& state, MoveList& moves) {
    moves.clear();
    fault_.reset();
    enter(state);
    if (ending_before_moves() >= 0) return NodeKind::Terminal;
    if (chances_ && find(compiled_->chances[turn()]) > 0)
        return list_outcomes(&moves) ? NodeKind::Chance : NodeKind::Fault;
    return list_moves(moves);
}

NodeKind Interpreter::list_moves(MoveList& moves) {
    if (program().turn) return list_chains(moves);
    const FindCode& code = compiled_->moves[turn()];
    find(code);
    if (!ensures_) {
        each(code, [&](const Pick& p) { return moves.add(code_of(p)), false; });
    } else {
        each(code, [&](const Pick& p) {
            if (legal(p)) moves.add(code_of(p));
            return false;
        });
    }
    return moves.empty() ? stuck_node(moves) : NodeKind::Decision;
}

// The state is one without moves.
NodeKind Interpreter::stuck_node(MoveList& moves) {
    if (ending_if_stuck() >= 0) return NodeKind::Terminal;
    const bool all = program().stuck_pass && all_stuck();
    if (program().stuck_pass && !all) {
        moves.add(pass_code);
        return NodeKind::Decision;
    }
    fault(all ? FaultKind::AllStuck : FaultKind::NoMove, none_id<ir::RuleId>,
          all ? "every player in turn can only pass" : "no move, no end clause, no stuck pass");
    return NodeKind::Fault;
}

bool Interpreter::any_legal() {
    if (program().turn) {
        save();
        const bool settled = settled_;
        // A step that would fail is a legal move; that it was only asked about is not a fault.
        auto earlier_fault = fault_;
        const bool any = chains_->any();
        fault_ = std::move(earlier_fault);
        restore();
        settled_ = settled;
        return any;
    }
    const FindCode& code = compiled_->moves[turn()];
    const std::uint64_t found = find(code);
    return !ensures_ ? found > 0 : each(code, [&](const Pick& p) { return legal(p); });
}

bool Interpreter::all_stuck() {
    const std::vector<std::uint64_t> before(frame_.get(), frame_.get() + state_words_);
    const auto history = history_;
    bool stuck = true;
    for (std::uint32_t i = 1; i < program().player_count() && stuck; ++i) {
        const std::uint32_t passer = turn();
        frame_[compiled_->code.turned_reg] = 0;
        end_move(passer);
        stuck = is_stuck() && run(compiled_->stuck_ends[last()]) < 0;
    }
    std::copy(before.begin(), before.end(), frame_.get());
    history_ = history;
    return stuck;
}

double Interpreter::number(const NumberCode& code) {
    run(code.entry);
    const std::uint64_t word = frame_[code.reg];
    return code.real ? std::bit_cast<double>(word) : static_cast<double>(static_cast<std::int64_t>(word));
}

double Interpreter::weight(ir::RuleId rule) {
    const RuleCode& code = compiled_->rules[index(rule)];
    return code.weight.empty() ? 1 : number(code.weight[turn()]);
}

// The outcomes of the chance node in the frame, of weight above zero, into outcomes_ and the list. False: a fault.
bool Interpreter::list_outcomes(MoveList* moves) {
    outcomes_.clear();
    ir::RuleId wrong = none_id<ir::RuleId>;
    bool negative = false;
    each(compiled_->chances[turn()], [&](const Pick& p) {
        const ir::RuleId rule = set_params(p);
        const double w = weight(rule);
        if (w > 0) outcomes_.push_back({code_of(p), w});
        if (w < 0 || outcomes_.empty()) wrong = rule;
        return negative = w < 0;
    });
    if (negative || outcomes_.empty()) {
        fault(FaultKind::BadWeight, wrong, negative ? "a negative weight" : "all weights are zero");
        return false;
    }
    if (moves != nullptr)
        for (const Outcome& o : outcomes_) moves->add(o.code, o.weight);
    return true;
}

bool Interpreter::successor(const State& state, const MoveList& moves, std::size_t i, State& out) {
    if (moves.has_results()) {
        moves.result(i, out);
        return true;
    }
    enter(state);
    const StepCode code = moves.steps(i).front();
    const std::uint32_t mover = turn();
    bool chance = false;
    if (code == pass_code) {
        frame_[compiled_->code.turned_reg] = 0;
    } else {
        const ir::RuleId rule = set_params(code);
        chance = program().rules[rule].chance;
        if (apply(rule) == Applied::Fault) {
            enter(state);
            fault_of_check(rule, code, {frame_.get(), state_words_});
            return false;
        }
    }
    if (chance)
        pass_turn(true);
    else
        end_move(mover);
    leave(out);
    return true;
}

// -- values

void Interpreter::payoffs(const State& state, std::span<double> out) {
    enter(state);
    std::ranges::fill(out, 0.0);
    const std::int32_t clause = ending();
    if (clause < 0) return;
    give(compiled_->payoffs[static_cast<std::size_t>(clause)][last()], out);
}

void Interpreter::give(const Compiled::Values& values, std::span<double> out) {
    if (!values.fixed) run(values.entry);
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = std::bit_cast<double>(frame_[values.regs[p]]);
}

void Interpreter::evals(const State& state, std::span<double> out) {
    enter(state);
    give(compiled_->evals[last()], out);
}

bool Interpreter::holds(const State& state, ir::ExprId condition) {
    Asker asker(reference());
    std::vector<std::uint32_t> slots;
    store(state, slots);
    asker.read(slots, state.history.get(), true);
    enter(state);
    asker.set_me(last());
    return asker.eval().truth(condition);
}

std::uint64_t Interpreter::count(const State& state) {
    enter(state);
    if (ending_before_moves() >= 0) return 0;
    if (chances_ && find(compiled_->chances[turn()]) > 0) return list_outcomes(nullptr) ? outcomes_.size() : 0;
    if (program().turn) {
        const auto counted = count_turns();
        return counted ? *counted : Executor::count(state);
    }
    return count_moves();
}

std::uint64_t Interpreter::count_moves() {
    const CountCode& code = compiled_->counts[turn()];
    run(code.needs_check.entry);
    const std::uint64_t total = frame_[code.total] + (ensures_ ? legal_found(code.needs_check) : 0);
    if (total > 0) return total;
    MoveList moves;
    stuck_node(moves);
    return moves.size();
}

std::unique_ptr<Executor> make_interpreter(std::shared_ptr<const ir::Program> program) {
    std::string why;
    auto compiled = compile(program, why);
    if (!compiled) return make_reference(std::move(program));
    return std::make_unique<Interpreter>(std::move(compiled));
}

std::unique_ptr<Executor> make_interpreter(std::shared_ptr<const Compiled> compiled,
                                           std::shared_ptr<RoutineTable> routines) {
    return std::make_unique<Interpreter>(std::move(compiled), std::move(routines));
}

} // namespace zug::run
