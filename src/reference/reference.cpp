#include "reference/reference.hpp"

#include "reference/chains.hpp"
#include "reference/make_reference.hpp"

#include <algorithm>

namespace zug::run {

Asker::Asker(const Reference& game) : game_(game), eval_(game.program(), this, &game.work_) {}

void Asker::read(const Slots& slots, const HistoryNode* history, bool between_moves) {
    slots_ = &slots;
    history_ = history;
    between_moves_ = between_moves;
    eval_.read(slots);
}

void Asker::set_me(std::int64_t player) {
    me_ = player;
    eval_.set_me(player);
}

bool Asker::stuck(std::span<const std::uint32_t> slots) const {
    const Slots copy(slots.begin(), slots.end());
    return !game_.chance_due(copy, history_) && !game_.has_move(copy, history_);
}

std::int64_t Asker::earlier(ir::KeyId key, std::span<const std::uint32_t> slots, std::int64_t me) const {
    const Slots copy(slots.begin(), slots.end());
    const auto now = game_.record_hash(key, copy, history_, between_moves_, me);
    const HistoryNode* node = history_;
    if (between_moves_ && node != nullptr) node = node->before.get();
    std::int64_t count = 0;
    for (; node != nullptr; node = node->before.get())
        if (node->key_hashes[2 * index(key)] == now[0] && node->key_hashes[2 * index(key) + 1] == now[1]) ++count;
    return count;
}

bool Asker::can(ir::RuleId rule, Pattern pattern, std::span<const std::uint32_t> slots, std::int64_t me) const {
    const Slots copy(slots.begin(), slots.end());
    Asker inner(game_);
    inner.read(copy, history_, between_moves_);
    inner.set_me(me);
    return game_.any_legal(inner, rule, pattern, [](auto) { return true; });
}

Reference::Reference(std::shared_ptr<const ir::Program> program) : program_(std::move(program)) {
    for (const ir::Rule& rule : program_->rules) orders_.push_back(condition_order(*program_, rule));
}

ReferenceUse Reference::reference_use() const {
    ReferenceUse use;
    use.whole = true;
    return use;
}

// Two slots a word, the first in the low half.
Slots Reference::slots_of(const State& state) const {
    Slots slots(program_->total_slots());
    for (std::size_t i = 0; i < slots.size(); ++i)
        slots[i] = static_cast<std::uint32_t>(state.words[i / 2] >> (i % 2 * 32));
    return slots;
}

void Reference::set_state(const Slots& slots, State& out) const {
    out.words.assign((slots.size() + 1) / 2, 0);
    for (std::size_t i = 0; i < slots.size(); ++i) out.words[i / 2] |= std::uint64_t{slots[i]} << (i % 2 * 32);
}

std::uint32_t Reference::last_mover(const Slots& slots) const {
    const std::uint32_t players = program_->player_count();
    return program_->keeps_last ? slots[program_->slot_count + 1] : (mover(slots) + players - 1) % players;
}

void Reference::initial(State& out) const {
    Slots slots;
    for (const ir::StateVariable& state : program_->states)
        slots.insert(slots.end(), state.initial.begin(), state.initial.end());
    slots.push_back(0);
    if (program_->keeps_last) slots.push_back(program_->player_count() - 1);
    load(slots, out);
}

void Reference::store(const State& state, Slots& slots) const { slots = slots_of(state); }

void Reference::load(std::span<const std::uint32_t> slots, State& out) const {
    const Slots copy(slots.begin(), slots.end());
    set_state(copy, out);
    out.history = recorded(copy, last_mover(copy), nullptr);
}

std::uint32_t Reference::to_move(const State& state) const { return mover(slots_of(state)); }

void Reference::read_between_moves(Asker& asker, const Slots& slots, const HistoryNode* history) const {
    asker.read(slots, history, true);
    asker.set_me(last_mover(slots));
}

// The first end clause that holds, or null.
const ir::EndClause* Reference::ending(const Slots& slots, const HistoryNode* history) const {
    Asker asker(*this);
    read_between_moves(asker, slots, history);
    for (const ir::EndClause& clause : program_->ends)
        if (asker.eval().truth(clause.condition)) return &clause;
    return nullptr;
}

bool Reference::chance_due(const Slots& slots, const HistoryNode* history) const {
    Asker asker(*this);
    asker.read(slots, history, true);
    asker.set_me(mover(slots));
    for (std::size_t r = 0; r < program_->rules.size(); ++r) {
        const auto rule = static_cast<ir::RuleId>(r);
        if (program_->rules[rule].chance && any_instance(asker, rule, {}, [](auto) { return true; })) return true;
    }
    return false;
}

NodeKind Reference::kind(const State& state) {
    begin_work();
    return node_kind(state);
}

NodeKind Reference::node_kind(const State& state) const {
    const Slots slots = slots_of(state);
    if (ending(slots, state.history.get()) != nullptr) return NodeKind::Terminal;
    return chance_due(slots, state.history.get()) ? NodeKind::Chance : NodeKind::Decision;
}

NodeKind Reference::expand(const State& state, MoveList& moves) {
    moves.clear();
    fault_.reset();
    begin_work();
    const NodeKind node = node_kind(state);
    const Slots slots = slots_of(state);
    if (node == NodeKind::Chance)
        expand_chance(slots, state, moves);
    else if (node == NodeKind::Decision)
        expand_decision(slots, state, moves);
    if (out_of_work()) fault_ = too_much_work(slots);
    if (fault_) moves.clear();
    return fault_ ? NodeKind::Fault : node;
}

// Lists the outcomes of weight above zero.
void Reference::expand_chance(const Slots& slots, const State& state, MoveList& moves) {
    Asker asker(*this);
    asker.read(slots, state.history.get(), true);
    asker.set_me(mover(slots));
    ir::RuleId wrong = none_id<ir::RuleId>;
    double wrong_weight = 0;
    bool bad = false;
    for (std::size_t r = 0; r < program_->rules.size() && !bad; ++r) {
        const auto id = static_cast<ir::RuleId>(r);
        const ir::Rule& rule = program_->rules[id];
        if (!rule.chance) continue;
        any_instance(asker, id, {}, [&](auto params) {
            double weight = 1;
            if (valid(rule.weight)) {
                const ir::Value value = asker.eval().value(rule.weight);
                const bool is_real = program_->types.kind(program_->exprs[rule.weight].type) == ir::TypeKind::Real;
                weight = is_real ? value.real : static_cast<double>(value.scalar);
            }
            bad = is_bad(weight);
            if (bad || (weight == 0 && moves.empty())) {
                wrong = id;
                wrong_weight = weight;
            } else if (weight > 0) {
                moves.add(*ir::encode_step(*program_, id, params), weight);
                count_moves(moves.size());
            }
            return bad;
        });
    }
    if (!bad && !moves.empty()) return;
    fault_ = Fault{.kind = FaultKind::BadWeight,
                   .rule = wrong,
                   .move = {},
                   .slots = slots,
                   .what = std::string(what_is_wrong(wrong_weight)),
                   .span = valid(wrong) ? program_->rules[wrong].span : Span{}};
}

void Reference::expand_decision(const Slots& slots, const State& state, MoveList& moves) {
    const HistoryNode* history = state.history.get();
    if (program_->turn) {
        ChainSearch search(*this, slots, history);
        for (const Run& run : search.moves()) {
            State result;
            finish(run.slots, mover(slots), state, true, result);
            moves.add_chain(run.steps, result.words, std::move(result.history));
        }
        fault_ = search.fault();
        if (fault_) return;
    } else {
        Asker asker(*this);
        asker.set_me(mover(slots));
        for (std::size_t r = 0; r < program_->rules.size(); ++r) {
            const auto id = static_cast<ir::RuleId>(r);
            if (program_->rules[id].chance) continue;
            asker.read(slots, history, true);
            any_legal(asker, id, {}, [&](auto params) {
                moves.add(*ir::encode_step(*program_, id, params));
                count_moves(moves.size());
                return false;
            });
        }
    }
    if (!moves.empty()) return;
    const bool all = program_->stuck_pass && all_stuck(slots, history);
    if (program_->stuck_pass && !all) return moves.add(pass_code);
    fault_ = Fault{.kind = all ? FaultKind::AllStuck : FaultKind::NoMove,
                   .rule = none_id<ir::RuleId>,
                   .move = {},
                   .slots = slots,
                   .what = all ? "every player in turn can only pass" : "no move, no end clause, no stuck pass",
                   .span = {}};
}

// Whether all other players can only pass too, given that the player to move can only pass.
bool Reference::all_stuck(Slots slots, const HistoryNode* history) const {
    std::shared_ptr<const HistoryNode> own;
    for (std::uint32_t i = 1; i < program_->player_count(); ++i) {
        const std::uint32_t passer = mover(slots);
        pass_turn(slots, false, {});
        own = recorded(slots, passer, own ? own : std::shared_ptr<const HistoryNode>(std::shared_ptr<void>(), history));
        if (ending(slots, own.get()) != nullptr || chance_due(slots, own.get()) || has_move(slots, own.get()))
            return false;
    }
    return true;
}

bool Reference::successor(const State& state, const MoveList& moves, std::size_t i, State& out) {
    begin_work();
    if (moves.has_results()) {
        moves.result(i, out);
        return true;
    }
    const Slots before = slots_of(state);
    bool done = true;
    if (moves.steps(i).front() == pass_code) {
        Slots slots = before;
        const std::uint32_t passer = mover(slots);
        pass_turn(slots, false, {});
        finish(slots, passer, state, true, out);
    } else {
        done = play_step(state, moves, i, out);
    }
    if (!out_of_work()) return done;
    fault_ = too_much_work(before);
    fault_->move.assign(1, moves.steps(i).front());
    return false;
}

bool Reference::play_step(const State& state, const MoveList& moves, std::size_t i, State& out) {
    const Slots before = slots_of(state);
    ir::RuleId id{};
    std::vector<std::int64_t> params;
    ir::decode_step(*program_, moves.steps(i).front(), id, params);
    const ir::Rule& rule = program_->rules[id];
    const std::vector<std::optional<std::int64_t>> pattern(params.begin(), params.end());
    Asker asker(*this);
    asker.read(before, state.history.get(), true);
    asker.set_me(mover(before));

    Slots slots = before;
    TurnChange turn;
    std::optional<Fault> fault;
    any_instance(asker, id, pattern, [&](auto) {
        fault = apply(asker, rule.then, slots, turn);
        return true;
    });
    if (fault) {
        fault_ = std::move(fault);
        fault_->rule = id;
        fault_->move.assign(1, moves.steps(i).front());
        fault_->slots = before;
        return false;
    }
    pass_turn(slots, rule.chance, turn);
    finish(slots, mover(before), state, !rule.chance, out);
    return true;
}

// Passes the turn: to the next player after a move, to nobody after a chance event, or as `turn` says. Local variables
// live for one turn.
void Reference::pass_turn(Slots& slots, bool chance, const TurnChange& turn) const {
    const std::uint32_t player = mover(slots);
    if (!chance && program_->keeps_last) slots[program_->slot_count + 1] = player;
    if (turn.kind == TurnChange::Kind::Again || (chance && turn.kind == TurnChange::Kind::Usual)) return;
    slots[program_->slot_count] = turn.kind == TurnChange::Kind::Next ? static_cast<std::uint32_t>(turn.player)
                                                                      : (player + 1) % program_->player_count();
    for (const ir::StateVariable& state : program_->states)
        if (state.local) std::ranges::copy(state.initial, slots.begin() + state.first_slot);
}

// The state of the slots after a move by `mover` from `before`; `record`: this is the end of a turn or move.
void Reference::finish(const Slots& slots, std::uint32_t mover, const State& before, bool record, State& out) const {
    set_state(slots, out);
    out.history = record ? recorded(slots, mover, before.history) : before.history;
}

bool Reference::payoffs(const State& state, std::span<double> out) {
    begin_work();
    const Slots slots = slots_of(state);
    std::ranges::fill(out, 0.0);
    const ir::EndClause* clause = ending(slots, state.history.get());
    if (clause == nullptr) return true;
    Asker asker(*this);
    read_between_moves(asker, slots, state.history.get());
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = asker.eval().real(clause->payoffs[p]);
    if (!out_of_work() && all_payable(out)) return true;
    fault_ = out_of_work() ? too_much_work(slots) : bad_payoff(out, slots);
    std::ranges::fill(out, 0.0);
    return false;
}

void Reference::evals(const State& state, std::span<double> out) {
    begin_work();
    const Slots slots = slots_of(state);
    Asker asker(*this);
    read_between_moves(asker, slots, state.history.get());
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = asker.eval().real(program_->evals[p]);
    if (out_of_work()) fault_ = too_much_work(slots);
}

Bounds Reference::bounds(const State& state) {
    begin_work();
    const Slots slots = slots_of(state);
    Asker asker(*this);
    read_between_moves(asker, slots, state.history.get());
    const Bounds found{asker.eval().real(program_->bound->moves), asker.eval().real(program_->bound->payoff)};
    if (out_of_work()) fault_ = too_much_work(slots);
    return found;
}

bool Reference::holds(const State& state, ir::ExprId condition) {
    begin_work();
    const Slots slots = slots_of(state);
    Asker asker(*this);
    read_between_moves(asker, slots, state.history.get());
    const bool holds = asker.eval().truth(condition);
    if (out_of_work()) fault_ = too_much_work(slots);
    return holds;
}

std::uint64_t Reference::hash(const State& state) const {
    const std::uint64_t slots = slots_hash(slots_of(state));
    return state.history ? combine_hashes(slots, state.history->hash()) : slots;
}

std::unique_ptr<Executor> make_reference(std::shared_ptr<const ir::Program> program) {
    return std::make_unique<Reference>(std::move(program));
}

} // namespace zug::run
