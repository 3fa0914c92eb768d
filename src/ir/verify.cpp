#include "ir/verifier.hpp"

#include <algorithm>

namespace zug::ir {

void Verifier::states() {
    std::uint64_t slot = 0;
    for (std::size_t i = 0; i < program_.states.size(); ++i) {
        const auto id = static_cast<StateId>(i);
        const StateVariable& state = program_.states[id];
        std::uint64_t count = slots_per_value(program_, id);
        for (auto type : state.indices) count *= program_.types.cardinality(type);
        if (state.first_slot != slot) fail("state {}: first slot {}, expected {}", state.name, state.first_slot, slot);
        if (state.initial.size() != count) fail("state {}: {} initial slots", state.name, state.initial.size());
        const bool is_set = kind(state.value) == TypeKind::Set;
        const auto values = is_set ? 2 : program_.types.cardinality(state.value);
        if (std::ranges::any_of(state.initial, [&](auto v) { return v >= values; }))
            fail("state {}: initial slot out of range", state.name);
        slot += count;
    }
    if (slot != program_.slot_count) fail("{} slots, expected {}", program_.slot_count, slot);
    for (const HistoryKey& k : program_.keys) key(k);
}

void Verifier::key(const HistoryKey& key) {
    for (auto part : key.parts)
        if (index(part) >= program_.exprs.size()) fail("key: no expression {}", index(part));
    for (auto map : key.maps)
        if (index(map) >= program_.states.size()) fail("key: no state {}", index(map));
}

void Verifier::clauses(const std::vector<Clause>& list, std::string_view where) {
    for (const Clause& clause : list) {
        if (!valid(clause.bind)) {
            good(clause.expr, where, TypeKind::Bool);
        } else if (index(clause.bind) >= program_.vars.size() || index(clause.expr) >= program_.exprs.size()) {
            fail("{}: bad let", where);
        } else if (!fits(type(clause.expr), program_.vars[clause.bind].type)) {
            fail("{}: let {} has another type", where, program_.vars[clause.bind].name);
        }
    }
}

void Verifier::block(const Block& b) {
    clauses(b.lets, "then");
    for (auto id : b.effects) effect(id);
}

void Verifier::assignment(EffectId id) {
    const Effect& e = program_.effects[id];
    if (index(e.state) >= program_.states.size()) return fail("effect {}: no state", index(id));
    const StateVariable& state = program_.states[e.state];
    if (!state.assigned) fail("effect {}: {} is not marked as assigned", index(id), state.name);
    if (index(e.value) >= program_.exprs.size() || !fits(type(e.value), state.value))
        return fail("effect {}: value does not fit {}", index(id), state.name);
    if (e.kind == EffectKind::AssignAll) return;
    if (e.kind == EffectKind::AssignSet) {
        if (e.indices.size() != 1 || state.indices.size() != 1)
            return fail("effect {}: {} indices", index(id), e.indices.size());
        good(e.indices.front(), "index set", TypeKind::Set);
        return;
    }
    if (e.indices.size() != state.indices.size()) return fail("effect {}: {} indices", index(id), e.indices.size());
    for (std::size_t i = 0; i < e.indices.size(); ++i)
        if (!fits(type(e.indices[i]), state.indices[i])) fail("effect {}: index {} does not fit", index(id), i);
}

void Verifier::effect(EffectId id) {
    if (index(id) >= program_.effects.size()) return fail("no effect {}", index(id));
    const Effect& e = program_.effects[id];
    switch (e.kind) {
    case EffectKind::Assign:
    case EffectKind::Add:
    case EffectKind::AssignSet:
    case EffectKind::AssignAll: return assignment(id);
    case EffectKind::If: good(e.value, "effect if", TypeKind::Bool); break;
    case EffectKind::For: good(e.value, "effect for", TypeKind::Set); break;
    case EffectKind::Next: good(e.value, "next", TypeKind::Player); break;
    case EffectKind::Let:
    case EffectKind::Again: break;
    }
    for (auto inner : e.yes) effect(inner);
    for (auto inner : e.no) effect(inner);
}

void Verifier::rules() {
    std::uint64_t code = 0;
    for (const Rule& rule : program_.rules) {
        std::uint64_t count = 1;
        for (auto param : rule.params) {
            if (index(param) >= program_.vars.size()) return fail("rule {}: no parameter", rule.name);
            count *= program_.types.cardinality(program_.vars[param].type);
        }
        if (rule.first_code != code || rule.code_count != count) fail("rule {}: step codes", rule.name);
        code += count;
        clauses(rule.when, rule.name);
        clauses(rule.ensure, rule.name);
        for (const Block& b : rule.then) block(b);
    }
    if (code != program_.code_count) fail("{} step codes, expected {}", program_.code_count, code);
}

void Verifier::turn() {
    if (!program_.turn) return;
    const auto& chains = program_.turn->chains;
    auto in_range = [&](const std::vector<std::uint32_t>& list) {
        return std::ranges::all_of(list, [&](auto chain) { return chain < chains.size(); });
    };
    if (!in_range(program_.turn->alternatives)) fail("turn: no such chain");
    for (const PlanChain& chain : chains) {
        for (const PlanStep& step : chain.steps)
            if (valid(step.rule) ? index(step.rule) >= program_.rules.size() : !in_range(step.group))
                fail("turn: no such step");
        if (!chain.most_sum.empty() && chain.most_sum.size() != program_.rules.size()) fail("turn: most sum");
    }
    if (program_.turn->by) key(*program_.turn->by);
    for (const Block& b : program_.turn->then) block(b);
}

// Teams are numbered in the order of their first members.
void Verifier::teams() {
    if (program_.teams.empty()) return;
    if (program_.teams.size() != program_.player_count()) return fail("teams: not one a player");
    std::uint32_t known = 0;
    for (const std::uint32_t team : program_.teams) {
        if (team > known) return fail("teams: team {} comes too early", team);
        known += team == known ? 1 : 0;
    }
}

void Verifier::ends() {
    for (const EndClause& end : program_.ends) {
        good(end.condition, "end", TypeKind::Bool);
        if (end.payoffs.size() != program_.player_count()) fail("end: {} payoffs", end.payoffs.size());
        for (auto payoff : end.payoffs) good(payoff, "payoff", TypeKind::Real);
        if (end.payoffs.size() != program_.player_count()) continue;
        for (std::uint32_t p = 0; p < program_.player_count(); ++p)
            for (std::uint32_t q = 0; q < p; ++q)
                if (program_.team_of(p) == program_.team_of(q) && end.payoffs[p] != end.payoffs[q])
                    fail("end: two payoffs for a team");
    }
    if (!program_.evals.empty() && program_.evals.size() != program_.player_count()) fail("eval: not one a player");
    for (auto eval : program_.evals) good(eval, "eval", TypeKind::Real);
    for (const EvalTerm& term : program_.terms) {
        if (term.by_player.size() != program_.evals.size()) fail("eval: a term is not one a player");
        for (const EvalTerm::Part& part : term.by_player)
            if (!valid(part.expr) || index(part.expr) >= program_.exprs.size()) fail("eval: a term without expression");
    }
    if (!program_.loud.empty() && program_.loud.size() != program_.rules.size()) fail("loud: not one a rule");
    for (auto loud : program_.loud)
        if (valid(loud)) good(loud, "loud", TypeKind::Bool);
    if (!program_.bound) return;
    good(program_.bound->moves, "bound", TypeKind::Real);
    good(program_.bound->payoff, "bound", TypeKind::Real);
}

void Verifier::notations() {
    if (!program_.notations.empty() && program_.notations.size() != program_.rules.size())
        fail("notations: not one a rule");
    const auto parts = [&](const std::vector<NotationPart>& list) {
        for (const NotationPart& part : list)
            for (const ExprId expr : {part.expr, part.when})
                if (valid(expr) && index(expr) >= program_.exprs.size())
                    fail("notation: no expression {}", index(expr));
    };
    for (const auto& of_rule : program_.notations)
        for (const Notation& notation : of_rule) {
            clauses(notation.when, "notation");
            parts(notation.text);
            if (notation.later) parts(*notation.later);
        }
}

void Verifier::position() {
    using Part = PositionPart::Kind;
    for (std::size_t i = 0; i < program_.position.size(); ++i) {
        const PositionPart& part = program_.position[i];
        const bool state = part.kind == Part::State;
        if (state && index(part.state) >= program_.states.size()) return fail("position: no state");
        if (part.kind == Part::Text && part.text.empty()) fail("position: empty text");
        if (i > 0 && part.kind != Part::Text && program_.position[i - 1].kind != Part::Text)
            fail("position: two parts without text between them");
        TypeId type = state ? program_.states[part.state].value : program_.player_type;
        if (kind(type) == TypeKind::Set) type = program_.types.inner(type);
        const bool counts = part.counts != PositionPart::Counts::None;
        const auto entries = state ? static_cast<std::int64_t>(program_.states[part.state].initial.size()) : 0;
        for (const auto& [value, text] : part.names)
            if (text.empty() || (counts ? value < 0 || value >= entries : !program_.types.ordinal(type, value)))
                fail("position: a text for no value");
    }
}

std::vector<std::string> Verifier::run() {
    if (program_.players.empty()) fail("no players");
    for (std::size_t i = 0; i < program_.exprs.size(); ++i) expr(static_cast<ExprId>(i));
    for (const Function& function : program_.functions)
        if (index(function.body) >= program_.exprs.size()) fail("function {}: no body", function.name);
    teams();
    if (!findings_.empty()) return std::move(findings_);
    states();
    rules();
    turn();
    ends();
    notations();
    position();
    return std::move(findings_);
}

std::vector<std::string> verify(const Program& program) { return Verifier(program).run(); }

} // namespace zug::ir
