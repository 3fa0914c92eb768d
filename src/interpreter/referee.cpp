#include "interpreter/referee.hpp"

#include "interpreter/chains.hpp"

#include <algorithm>

namespace zug::run {

Referee::Referee(std::shared_ptr<const Compiled> compiled, std::shared_ptr<RoutineTable> routines,
                 std::shared_ptr<RoutineTable> beyond, std::optional<Fault>& fault)
    : Machine(std::move(compiled), std::move(routines)), fault_(fault), reference_(*this, fault) {
    if (program().turn) chains_ = std::make_unique<TurnChains>(*this);
    if (const auto& other = this->compiled().beyond)
        beyond_ = std::make_unique<Referee>(other, std::move(beyond), nullptr, fault);
    ends_ask_stuck_ = this->compiled().first_stuck_end < static_cast<std::int32_t>(program().ends.size());
    has_chance_ = std::ranges::any_of(program().rules, &ir::Rule::chance);
    has_ensure_ = std::ranges::any_of(this->compiled().rules, &RuleCode::ensures);
    is_uniform_ = std::ranges::all_of(this->compiled().rules, [](const RuleCode& rule) { return rule.weight.empty(); });
}

Referee::~Referee() = default;

void Referee::ask(const Question& question, std::uint64_t* frame, Reg into) {
    switch (question.kind) {
    case Question::Kind::Earlier: frame[into] = static_cast<std::uint64_t>(earlier(question.key, question.me)); return;
    case Question::Kind::Stuck: frame[into] = is_stuck() ? 1 : 0; return;
    case Question::Kind::Can: ask_can(question, frame, into); return;
    case Question::Kind::Evaluate: reference_.answer(question, frame, into); return;
    }
}

// Another routine is in the middle of its work, maybe of the same rule or on the same records: all that it uses is put
// back. A move that faults is left to the reference evaluator.
void Referee::ask_can(const Question& question, std::uint64_t* frame, Reg into) {
    constexpr std::size_t most_depth = 8; // a `can` about a rule that asks `can` in turn, and so on
    if (can_depth_ == most_depth) return reference_.answer(question, frame, into);
    if (aside_.size() == can_depth_) aside_.emplace_back();
    Aside& aside = aside_[can_depth_++];
    const CanCode& code = compiled().can[question.key];
    for (std::size_t k = 0; k < code.given.size(); ++k)
        frame[code.given[k]] = frame[question.vars[question.named + k].second];
    aside.state.assign(frame, frame + state_words());
    aside.params.clear();
    const std::vector<Reg>& params = compiled().rules[index(code.rule)].params;
    for (const Reg reg : params) aside.params.push_back(frame[reg]);
    const std::uint64_t turned = word(compiled().code.turned_reg);
    const bool between = between_moves();
    std::swap(records, aside.records);

    bool unknown = false;
    const bool any = find(code.find) > 0 && each(code.find, [&](const Pick& p) {
                         if (is_known_legal(p)) return true;
                         const std::int32_t result = run_trial(code.trial, p, aside.state);
                         unknown = result == faulted;
                         return result != 1;
                     });
    unknown = std::exchange(records.overflow, false) || unknown;

    std::swap(records, aside.records);
    set_between_moves(between);
    word(compiled().code.turned_reg) = turned;
    for (std::size_t k = 0; k < params.size(); ++k) frame[params[k]] = aside.params[k];
    --can_depth_;
    if (unknown) return reference_.answer(question, frame, into);
    frame[into] = any ? 1 : 0;
}

void Referee::set_fault(FaultKind kind, ir::RuleId rule, std::string what) {
    if (fault_ && fault_->kind == FaultKind::TooMuchWork) return; // which this one follows from
    Fault f{.kind = kind, .rule = rule, .move = {}, .slots = {}, .what = std::move(what), .span = {}};
    if (valid(rule)) f.span = program().rules[rule].span;
    layout().store(frame(), f.slots);
    tell(f);
    fault_ = std::move(f);
}

// -- ends

std::int32_t Referee::ending_of(std::int32_t clause) {
    if (clause < compiled().first_stuck_end) return clause;
    return ends_ask_stuck_ && is_stuck() ? ending_if_stuck() : clause;
}

std::int32_t Referee::ending() {
    const std::int32_t clause = run(compiled().ends[last()]);
    if (clause >= 0 || !ends_ask_stuck_) return ending_of(clause);
    return is_stuck() ? ending_if_stuck() : -1;
}

// -- chance

bool Referee::wrong_weight(ir::RuleId rule, double weight) {
    set_fault(FaultKind::BadWeight, rule, std::string(what_is_wrong(weight)));
    return false;
}

// -- moves

std::int32_t Referee::run_trial(Entry trial, const Pick& p, const std::vector<std::uint64_t>& before) {
    word(compiled().code.turned_reg) = 0;
    set_params(p);
    const std::int32_t result = run(trial);
    std::ranges::copy(before, frame());
    return result;
}

bool Referee::passes_trial(const Pick& p) {
    const std::int32_t result = run_trial(compiled().rules[index(rule_of(p))].trial[turn()], p, before_trial_);
    set_between_moves(true);
    return result == faulted ? reference_.is_legal(code_of(p), before_trial_) : result != 1;
}

bool Referee::exceeds(const FindCode& code) {
    if (found(code) <= max_moves && !std::exchange(records.overflow, false)) return false;
    // The rule that most of them are of.
    ir::RuleId rule = none_id<ir::RuleId>;
    std::uint64_t most = 0;
    each_set(code, [&](const Pick& p, const std::uint64_t* set, std::uint32_t words) {
        std::uint64_t members = 0;
        for (std::uint32_t w = 0; w < words; ++w) members += static_cast<std::uint64_t>(std::popcount(set[w]));
        if (members > most) rule = rule_of(p);
        most = std::max(most, members);
        return false;
    });
    std::vector<std::uint32_t> slots;
    layout().store(frame(), slots);
    fault_ = too_much(Excess::Moves, program(), rule, std::move(slots));
    tell(*fault_);
    return true;
}

std::uint64_t Referee::count_legal(const FindCode& code) {
    std::uint64_t legal = 0;
    each_legal(code, [&](const Pick&) { return ++legal, false; });
    return legal;
}

bool Referee::has_move() {
    if (program().turn) return has_chain();
    const FindCode& code = compiled().moves[turn()];
    const std::uint64_t found = find(code);
    if (found == 0)
        if (Referee* const other = beyond()) return other->has_move();
    return !has_ensure_ ? found > 0 : each_legal(code, [](const Pick&) { return true; });
}

bool Referee::is_within_limits() {
    layout().store(frame(), slots_);
    return std::ranges::all_of(compiled().limits, [&](const SumLimits& limit) {
        const ir::StateVariable& variable = program().states[limit.state];
        return limit.hold(program(), std::span(slots_).subspan(variable.first_slot, variable.initial.size()));
    });
}

Referee* Referee::beyond() {
    if (!beyond_) return nullptr;
    const bool other_locals = compound()->from_initial_locals && !locals_are_initial();
    if (!compound()->partial && !other_locals && is_within_limits()) return nullptr;
    beyond_->enter(frame());
    beyond_->set_history(history());
    beyond_->set_between_moves(true);
    return beyond_.get();
}

bool Referee::has_chain() {
    save();
    const bool was_between_moves = between_moves();
    // A step that would fail is a legal move; that it was only asked about is not a fault.
    auto earlier_fault = fault_;
    const bool any = chains_->any();
    fault_ = std::move(earlier_fault);
    restore();
    set_between_moves(was_between_moves);
    return any;
}

NodeKind Referee::stuck_kind() {
    if (ending_if_stuck() >= 0) return NodeKind::Terminal;
    const bool all = program().stuck_pass && all_stuck();
    if (program().stuck_pass && !all) return NodeKind::Decision;
    set_fault(all ? FaultKind::AllStuck : FaultKind::NoMove, none_id<ir::RuleId>,
              all ? "every player in turn can only pass" : "no move, no end clause, no stuck pass");
    return NodeKind::Fault;
}

NodeKind Referee::stuck_node(MoveList& moves) {
    const NodeKind node = stuck_kind();
    if (node == NodeKind::Decision) moves.add(pass_code);
    return node;
}

Step Referee::pass_when_stuck() {
    const NodeKind node = stuck_kind();
    if (node == NodeKind::Terminal) return Step::Ended;
    if (node == NodeKind::Fault) return Step::Failed;
    pass();
    return Step::Played;
}

// Whether all other players can only pass too, given that the player to move can only pass.
bool Referee::all_stuck() {
    const std::vector<std::uint64_t> before(frame(), frame() + state_words());
    const auto history_before = history();
    bool stuck = true;
    for (std::uint32_t i = 1; i < program().player_count() && stuck; ++i) {
        pass();
        stuck = is_stuck() && run(compiled().stuck_ends[last()]) < 0;
    }
    std::ranges::copy(before, frame());
    set_history(history_before);
    return stuck;
}

} // namespace zug::run
