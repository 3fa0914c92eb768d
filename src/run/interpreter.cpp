#include "run/interpreter.hpp"

#include "run/hash.hpp"
#include "run/interpreter_chains.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace zug::run {
namespace {

// The position of member `n`, counted from 0, of a word that has more than n.
inline std::uint32_t nth_bit(std::uint64_t word, std::uint32_t n) {
#ifdef __BMI2__
    word = _pdep_u64(std::uint64_t{1} << n, word);
#else
    for (; n > 0; --n) word &= word - 1;
#endif
    return static_cast<std::uint32_t>(std::countr_zero(word));
}

} // namespace

Interpreter::Interpreter(std::unique_ptr<Compiled> compiled)
    : compiled_(std::move(compiled)), frame_(std::make_unique<std::uint64_t[]>(frame_words)),
      turn_(compiled_->layout->turn()), state_words_(compiled_->layout->state_words()) {
    for (const auto& [reg, word] : compiled_->code.constants) frame_[reg] = word;
    const ir::Program& program = *compiled_->program;
    if (!compiled_->code.questions.empty()) reference_ = std::make_unique<Reference>(compiled_->program);
    for (std::size_t r = 0; r < program.rules.size(); ++r) {
        const ir::Rule& rule = program.rules[static_cast<ir::RuleId>(r)];
        chances_ = chances_ || rule.chance;
        ensures_ = ensures_ || (!rule.chance && !rule.ensure.empty());
        auto& params = params_.emplace_back();
        std::uint64_t stride = rule.code_count;
        for (ir::VarId v : rule.params) {
            const ir::TypeId type = program.vars[v].type;
            Param p;
            p.count = program.types.cardinality(type);
            stride /= p.count;
            p.stride = stride;
            for (std::uint64_t o = 0; o < p.count; ++o)
                p.words.push_back(compiled_->layout->to_register(type, program.types.value(type, o)));
            params.push_back(std::move(p));
        }
    }
}

// -- states

void Interpreter::initial(State& out) const {
    std::vector<std::uint32_t> slots;
    compiled_->layout->store(compiled_->initial.data(), slots);
    load(slots, out);
}

void Interpreter::store(const State& state, std::vector<std::uint32_t>& slots) const {
    compiled_->layout->store(state.words.data(), slots);
}

void Interpreter::load(std::span<const std::uint32_t> slots, State& out) const {
    out.words.resize(state_words_);
    compiled_->layout->load(slots, out.words.data());
    out.history.reset();
    if (program().keys.empty()) return;
    auto* self = const_cast<Interpreter*>(this); // the frame is scratch
    self->enter(out);
    self->record(self->last());
    out.history = self->history_;
}

std::uint32_t Interpreter::to_move(const State& state) const { return static_cast<std::uint32_t>(state.words[turn_]); }

void Interpreter::enter(const State& state) {
    std::memcpy(frame_.get(), state.words.data(), state_words_ * sizeof(std::uint64_t));
    if (history_ != state.history) history_ = state.history;
    settled_ = true;
}

void Interpreter::leave(State& out) const {
    out.words.resize(state_words_);
    std::memcpy(out.words.data(), frame_.get(), state_words_ * sizeof(std::uint64_t));
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
    for (std::uint32_t k = 1; k < state_words_; ++k) h = multiply_mix(h ^ state.words[k], 0xE7037ED1A0B428DBULL + k);
    return state.history ? combine_hashes(h, state.history->path_hash) : h;
}

// -- finding instances

std::uint64_t Interpreter::find(const FindCode& code) {
    if (code.emits) emitted_.clear();
    run(code.entry);
    return found(code);
}

std::uint64_t Interpreter::found(const FindCode& code) const {
    std::uint64_t total = 0;
    for (const CaseCode& c : code.cases)
        for (std::uint32_t k = 0; k < c.words; ++k) total += static_cast<unsigned>(std::popcount(frame_[c.set + k]));
    return code.emits ? total + emitted_.size() : total;
}

// Instance `number` of those in the frame, counted from 0.
Interpreter::Pick Interpreter::pick(const FindCode& code, std::uint64_t number) const {
    for (const CaseCode& c : code.cases)
        for (std::uint32_t k = 0; k < c.words; ++k) {
            std::uint64_t word = frame_[c.set + k];
            const auto here = static_cast<unsigned>(std::popcount(word));
            if (number >= here) {
                number -= here;
                continue;
            }
            return {&c, k * 64 + nth_bit(word, static_cast<std::uint32_t>(number)), 0};
        }
    return {nullptr, 0, emitted_[number]};
}

void Interpreter::emit(const EmitDescriptor& descriptor, const std::uint64_t* frame) {
    StepCode code = descriptor.first_code;
    for (const auto& part : descriptor.parts) {
        auto ordinal = static_cast<std::int64_t>(frame[part.reg]) - part.low;
        if (part.ordinals >= 0)
            ordinal = compiled_->code.tables
                          .words[static_cast<std::size_t>(part.ordinals)][static_cast<std::size_t>(ordinal)];
        code += static_cast<std::uint64_t>(ordinal) * part.stride;
    }
    emitted_.push_back(code);
}

// -- applying one

ir::RuleId Interpreter::set_params(const Pick& p) {
    if (p.found == nullptr) return set_params(p.code);
    const RuleCode& rule = compiled_->rules[index(p.found->rule)];
    for (std::size_t i = 0; i < rule.params.size(); ++i)
        frame_[rule.params[i]] = static_cast<std::uint64_t>(p.found->params[i][p.bit]);
    return p.found->rule;
}

ir::RuleId Interpreter::set_params(StepCode code) {
    const auto& rules = program().rules;
    std::size_t r = 0;
    while (r + 1 < rules.size() && rules[static_cast<ir::RuleId>(r + 1)].first_code <= code) ++r;
    const auto id = static_cast<ir::RuleId>(r);
    const std::uint64_t rest = code - rules[id].first_code;
    for (std::size_t i = 0; i < params_[r].size(); ++i) {
        const Param& p = params_[r][i];
        frame_[compiled_->rules[r].params[i]] = static_cast<std::uint64_t>(p.words[rest / p.stride % p.count]);
    }
    return id;
}

Interpreter::Applied Interpreter::apply(ir::RuleId rule) {
    frame_[compiled_->code.turned_reg] = 0;
    settled_ = false;
    const std::int32_t result = run(compiled_->rules[index(rule)].apply[turn()]);
    settled_ = true;
    if (result == troubled) return Applied::Fault;
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

bool Interpreter::legal(const Pick& p) {
    if (!ensures_) return true;
    const ir::RuleId rule = p.found != nullptr ? p.found->rule : set_params(p.code);
    if (!compiled_->rules[index(rule)].ensures) return true;
    const std::vector<std::uint64_t> before(frame_.get(), frame_.get() + state_words_);
    const Applied applied = (set_params(p), apply(rule));
    std::copy(before.begin(), before.end(), frame_.get());
    // What fails is legal: the fault is found when it is played.
    return applied != Applied::NotEnsured;
}

NodeKind Interpreter::kind(const State& state) {
    enter(state);
    if (ending() >= 0) return NodeKind::Terminal;
    if (chances_ && find(compiled_->chances[turn()]) > 0) return NodeKind::Chance;
    return NodeKind::Decision;
}

NodeKind Interpreter::expand(const State& state, MoveList& moves) {
    moves.clear();
    fault_.reset();
    enter(state);
    if (ending() >= 0) return NodeKind::Terminal;
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

NodeKind Interpreter::stuck_node(MoveList& moves) {
    const bool all = program().stuck_pass && all_stuck();
    if (program().stuck_pass && !all) {
        moves.add(pass_code);
        return NodeKind::Decision;
    }
    fault(all ? FaultKind::AllStuck : FaultKind::NoMove, none_id<ir::RuleId>, 0,
          all ? "every player in turn can only pass" : "no move, no end clause, no stuck pass");
    return NodeKind::Fault;
}

bool Interpreter::any_legal() {
    if (program().turn) {
        const std::vector<std::uint64_t> before(frame_.get(), frame_.get() + state_words_);
        InterpreterChains chains(*this, before);
        const bool settled = settled_;
        const bool any = !chains.moves().empty() || chains.failed();
        std::copy(before.begin(), before.end(), frame_.get());
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
        if (program().keeps_last) frame_[compiled_->layout->last()] = passer;
        frame_[compiled_->code.turned_reg] = 0;
        pass_turn(false);
        record(passer);
        stuck = ending() < 0 && !(chances_ && find(compiled_->chances[turn()]) > 0) && !any_legal();
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
        fault(FaultKind::BadWeight, wrong, 0, negative ? "a negative weight" : "all weights are zero");
        return false;
    }
    if (moves != nullptr)
        for (const Outcome& o : outcomes_) moves->add(o.code, o.weight);
    return true;
}

bool Interpreter::successor(const State& state, const MoveList& moves, std::size_t i, State& out) {
    if (moves.has_results()) {
        out = moves.result(i);
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
            fault_of_trouble(rule, code, {state.words.data(), state.words.size()});
            return false;
        }
    }
    if (!chance && program().keeps_last) frame_[compiled_->layout->last()] = mover;
    pass_turn(chance);
    if (!chance) record(mover);
    leave(out);
    return true;
}

// -- values

void Interpreter::payoffs(const State& state, std::span<double> out) {
    enter(state);
    std::ranges::fill(out, 0.0);
    const std::int32_t clause = ending();
    if (clause < 0) return;
    const auto& values = compiled_->payoffs[static_cast<std::size_t>(clause)][last()];
    run(values.entry);
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = std::bit_cast<double>(frame_[values.regs[p]]);
}

void Interpreter::evals(const State& state, std::span<double> out) {
    enter(state);
    const auto& values = compiled_->evals[last()];
    run(values.entry);
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = std::bit_cast<double>(frame_[values.regs[p]]);
}

bool Interpreter::holds(const State& state, ir::ExprId condition) {
    if (!reference_) reference_ = std::make_unique<Reference>(compiled_->program);
    Asker asker(*reference_);
    std::vector<std::uint32_t> slots;
    store(state, slots);
    asker.read(slots, state.history.get(), true);
    enter(state);
    asker.set_me(last());
    return asker.eval().truth(condition);
}

std::uint64_t Interpreter::count(const State& state) {
    if (program().turn) return Executor::count(state);
    enter(state);
    if (ending() >= 0) return 0;
    if (chances_ && find(compiled_->chances[turn()]) > 0) return list_outcomes(nullptr) ? outcomes_.size() : 0;
    const FindCode& code = compiled_->moves[turn()];
    std::uint64_t total = find(code);
    if (ensures_) {
        total = 0;
        each(code, [&](const Pick& p) { return total += legal(p) ? 1 : 0, false; });
    }
    if (total > 0 || !program().stuck_pass) return total;
    return all_stuck() ? 0 : 1;
}

// -- questions and faults

void Interpreter::ask(const Question& question, std::uint64_t* frame, Reg into) {
    if (question.kind == Question::Kind::Earlier) {
        frame[into] = static_cast<std::uint64_t>(earlier(question.key, question.me));
        return;
    }
    if (question.kind == Question::Kind::Stuck) {
        const bool chance = chances_ && find(compiled_->chances[turn()]) > 0;
        frame[into] = !chance && !any_legal();
        return;
    }
    const ir::Program& core = program();
    const Layout& layout = *compiled_->layout;
    std::vector<std::uint32_t> slots;
    layout.store(frame, slots);
    Asker asker(*reference_);
    asker.read(slots, history_.get(), settled_);
    asker.set_me(question.me);
    const auto set_of = [&](ir::TypeId element, const std::uint64_t* words) {
        Bits set(core.types.cardinality(element));
        for (std::uint64_t o = 0; o < set.size(); ++o) {
            const std::uint64_t b = layout.bit(element, core.types.value(element, o));
            if ((words[b / 64] >> (b % 64) & 1) != 0) set.set(o);
        }
        return set;
    };
    for (const auto& [var, reg] : question.vars) {
        const ir::TypeId type = core.vars[var].type;
        ir::Value value;
        if (core.types.kind(type) == ir::TypeKind::Set)
            value.set = set_of(core.types.inner(type), frame + reg);
        else if (core.types.kind(type) == ir::TypeKind::Real)
            value.real = std::bit_cast<double>(frame[reg]);
        else
            value.scalar = layout.from_register(type, static_cast<std::int64_t>(frame[reg]));
        asker.eval().bind(var, std::move(value));
    }
    const ir::TypeId type = core.exprs[question.expr].type;
    const ir::Value value = asker.eval().value(question.expr);
    if (core.types.kind(type) == ir::TypeKind::Set) {
        const auto words = layout.words(core.types.inner(type), value.set);
        std::copy(words.begin(), words.end(), frame + into);
    } else if (core.types.kind(type) == ir::TypeKind::Real) {
        frame[into] = std::bit_cast<std::uint64_t>(value.real);
    } else {
        frame[into] = static_cast<std::uint64_t>(layout.to_register(type, value.scalar));
    }
}

void Interpreter::trouble(Trouble kind, std::int32_t place, std::int64_t value) { trouble_ = {kind, place, value}; }

void Interpreter::fault(FaultKind kind, ir::RuleId rule, StepCode code, std::string what) {
    Fault f{.kind = kind, .rule = rule, .move = {}, .slots = {}, .what = std::move(what), .span = {}};
    if (valid(rule)) f.span = program().rules[rule].span;
    (void)code;
    compiled_->layout->store(frame_.get(), f.slots);
    fault_ = std::move(f);
}

// The exact words of a fault are the reference executor's: it plays the same move on the same position.
void Interpreter::fault_of_trouble(ir::RuleId rule, StepCode code, std::span<const std::uint64_t> before) {
    std::vector<std::uint32_t> slots;
    compiled_->layout->store(before.data(), slots);
    Reference reference(compiled_->program);
    State state, out;
    reference.load(slots, state);
    state.history = history_;
    MoveList moves;
    moves.add(code);
    if (reference.successor(state, moves, 0, out))
        set_fault(rule, {&code, 1}, before);
    else
        fault_ = reference.fault();
}

void Interpreter::set_fault(ir::RuleId rule, std::span<const StepCode> steps, std::span<const std::uint64_t> before) {
    const FaultKind kinds[] = {FaultKind::OutOfRange, FaultKind::DoubleAssign, FaultKind::DoubleTurn};
    Fault f{.kind = kinds[static_cast<std::size_t>(trouble_.kind)],
            .rule = rule,
            .move = {steps.begin(), steps.end()},
            .slots = {},
            .what = {},
            .span = {}};
    compiled_->layout->store(before.data(), f.slots);
    if (valid(rule)) f.span = program().rules[rule].span;
    const auto& places = compiled_->code.places;
    if (static_cast<std::size_t>(trouble_.place) < places.size())
        f.what = "`" + places[static_cast<std::size_t>(trouble_.place)] + "`";
    fault_ = std::move(f);
}

// -- history

std::array<std::uint64_t, 2> Interpreter::key_hash(std::size_t key, std::uint32_t me) {
    const Compiled::Key& code = compiled_->keys[key][me];
    run(code.entry);
    std::vector<std::uint64_t> words;
    for (const auto& [reg, count] : code.parts)
        words.insert(words.end(), frame_.get() + reg, frame_.get() + reg + count);
    return words_hash(words);
}

void Interpreter::record(std::uint32_t mover) {
    if (program().keys.empty()) return;
    auto node = std::make_shared<HistoryNode>();
    std::uint64_t own = 0;
    for (std::size_t k = 0; k < program().keys.size(); ++k) {
        const auto hash = key_hash(k, mover);
        node->key_hashes.insert(node->key_hashes.end(), hash.begin(), hash.end());
        own = combine_hashes(own ^ hash[0], hash[1]);
    }
    node->path_hash = own + (history_ ? history_->path_hash : 0);
    node->before = history_;
    history_ = std::move(node);
}

std::int64_t Interpreter::earlier(std::uint32_t key, std::uint32_t me) {
    const auto hash = key_hash(key, me);
    std::int64_t count = 0;
    const HistoryNode* node = history_.get();
    // Between moves the newest record is the state's own and does not count.
    if (settled_ && node != nullptr) node = node->before.get();
    for (; node != nullptr; node = node->before.get())
        count += node->key_hashes[key * 2] == hash[0] && node->key_hashes[key * 2 + 1] == hash[1] ? 1 : 0;
    return count;
}

// -- random play

PlayoutResult Interpreter::playout(State& state, Random& random, std::uint32_t max_plies) {
    if (program().turn) return Executor::playout(state, random, max_plies);
    enter(state);
    PlayoutResult result;
    for (;;) {
        const Step step = play_random(random, result.plies < max_plies);
        result.finished = step == Step::Ended;
        if (step != Step::Played) break;
        ++result.plies;
    }
    leave(state);
    return result;
}

// One random move or event; `go_on`: false only asks whether the game has ended.
Interpreter::Step Interpreter::play_random(Random& random, bool go_on) {
    const std::uint32_t mover = turn();
    const bool joined = !compiled_->play.empty();
    const FindCode& code = joined ? compiled_->play[mover] : compiled_->moves[mover];
    if (joined && code.emits) emitted_.clear();
    if ((joined ? run(code.entry) : ending()) >= 0) return Step::Ended;
    if (!go_on) return Step::Failed;
    if (chances_) {
        const FindCode& events = compiled_->chances[mover];
        if (find(events) > 0) return play_chance(random, events);
    }
    const std::uint64_t total = joined ? found(code) : find(code);
    if (ensures_ && total > 0) return play_checked(random, code, total);
    if (total == 0) {
        MoveList moves;
        if (stuck_node(moves) == NodeKind::Fault) return Step::Failed;
        frame_[compiled_->code.turned_reg] = 0;
    } else {
        const Pick p = pick(code, random.below(static_cast<std::uint32_t>(total)));
        const ir::RuleId rule = set_params(p);
        if (compiled_->rules[index(rule)].checks) save();
        if (apply(rule) == Applied::Fault) {
            const std::vector<std::uint64_t> before = saved_;
            fault_of_trouble(rule, code_of(p), before);
            return Step::Failed;
        }
    }
    if (program().keeps_last) frame_[compiled_->layout->last()] = mover;
    pass_turn(false);
    record(mover);
    return Step::Played;
}

Interpreter::Step Interpreter::play_chance(Random& random, const FindCode&) {
    if (!list_outcomes(nullptr)) return Step::Failed;
    double total = 0;
    for (const Outcome& o : outcomes_) total += o.weight;
    double left = random.unit() * total;
    std::size_t chosen = 0;
    while (chosen + 1 < outcomes_.size() && left >= outcomes_[chosen].weight) left -= outcomes_[chosen++].weight;
    save();
    const StepCode code = outcomes_[chosen].code;
    const ir::RuleId rule = set_params(code);
    if (apply(rule) == Applied::Fault) {
        const std::vector<std::uint64_t> before = saved_;
        fault_of_trouble(rule, code, before);
        return Step::Failed;
    }
    pass_turn(true);
    return Step::Played;
}

// Draws until one passes its `ensure`: uniform over the legal moves.
Interpreter::Step Interpreter::play_checked(Random& random, const FindCode& code, std::uint64_t total) {
    const std::uint32_t mover = turn();
    candidates_.clear();
    each(code, [&](const Pick& p) { return candidates_.push_back(code_of(p)), false; });
    (void)total;
    save();
    while (!candidates_.empty()) {
        const std::size_t i = random.below(static_cast<std::uint32_t>(candidates_.size()));
        const StepCode step = candidates_[i];
        const ir::RuleId rule = set_params(step);
        const Applied applied = apply(rule);
        if (applied == Applied::Fault) {
            const std::vector<std::uint64_t> before = saved_;
            fault_of_trouble(rule, step, before);
            return Step::Failed;
        }
        if (applied == Applied::Done) {
            if (program().keeps_last) frame_[compiled_->layout->last()] = mover;
            pass_turn(false);
            record(mover);
            return Step::Played;
        }
        restore();
        candidates_[i] = candidates_.back();
        candidates_.pop_back();
    }
    MoveList moves;
    if (stuck_node(moves) == NodeKind::Fault) return Step::Failed;
    frame_[compiled_->code.turned_reg] = 0;
    if (program().keeps_last) frame_[compiled_->layout->last()] = mover;
    pass_turn(false);
    record(mover);
    return Step::Played;
}

std::unique_ptr<Executor> make_interpreter(std::shared_ptr<const ir::Program> program) {
    std::string why;
    auto compiled = compile(program, why);
    if (!compiled) return make_reference(std::move(program));
    return std::make_unique<Interpreter>(std::move(compiled));
}

} // namespace zug::run
