#include "compiler/routines/effects_compiler.hpp"

#include "compiler/analysis/move_injectivity.hpp"
#include "compiler/moves/effects.hpp"

#include <algorithm>

namespace zug::run {

void EffectsCompiler::bound_parameter(NodeRef value, ir::TypeId type) {
    if (const ir::Type& t = program_.types[type]; t.kind == ir::TypeKind::Int)
        graph_.bound(value, t.lo, t.hi);
    else if (t.kind == ir::TypeKind::Site || t.kind == ir::TypeKind::Dir)
        graph_.bound(value, 0, std::int64_t{out_.layout->shape(type).bits} - 1);
}

Context EffectsCompiler::parameters(ir::RuleId id, const Context& in) {
    Context bound = in;
    const ir::Rule& rule = program_.rules[id];
    for (std::size_t p = 0; p < rule.params.size(); ++p) {
        const NodeRef param = graph_.fixed(out_.rules[index(id)].params[p], 1);
        const ir::TypeId type = program_.vars[rule.params[p]].type;
        bound_parameter(param, type);
        bound = lowering_.bind_node(rule.params[p], param, bound);
    }
    return bound;
}

Context EffectsCompiler::with_lets(ir::RuleId id, bool kept, Context in) {
    for (const ir::Clause& clause : program_.rules[id].when) {
        if (!valid(clause.bind)) continue;
        in = kept ? lowering_.bind_kept(clause, in) : lowering_.bind(clause.bind, clause.expr, in, in);
    }
    return in;
}

Entry EffectsCompiler::apply(ir::RuleId id, std::uint32_t player, bool trial) {
    graph_.begin();
    return effects(id, parameters(id, Context{.me = player}), trial) ? graph_.finish({}, 0) : no_entry;
}

// Whether the rule's effects are applied only to states in which no end clause holds. Rules with an `ensure` may be
// tried in finished states; and a turn plan checks the end clauses only before its first step.
bool EffectsCompiler::only_when_open(ir::RuleId id) const {
    if (!program_.rules[id].ensure.empty()) return false;
    if (!program_.turn || program_.rules[id].chance) return true;
    std::size_t uses = 0;
    for (const ir::PlanChain& chain : program_.turn->chains)
        uses += static_cast<std::size_t>(std::ranges::count(chain.steps, id, &ir::PlanStep::rule));
    return uses == 1 && std::ranges::any_of(out_.openings, [&](const TurnOpening& l) {
               return l.rule == id && (l.whole || valid(l.then));
           });
}

namespace {

// Whether it asks for `me`, who in an end clause is not the player to move.
bool names_me(const ir::Program& program, ir::ExprId e) {
    return program.exprs[e].op == ir::Op::Me ||
           std::ranges::any_of(program.arguments(e), [&](ir::ExprId part) { return names_me(program, part); });
}

} // namespace

// Assumes that an end condition is false: of sums, and of the upper bound of a number, for conditions `number = highest
// value of its range`.
void EffectsCompiler::assume_false(ir::ExprId condition, Effects& effects) {
    const ir::Expr& x = program_.exprs[condition];
    if (x.op == ir::Op::Or) {
        for (ir::ExprId part : program_.arguments(condition)) assume_false(part, effects);
        return;
    }
    if (!names_me(program_, condition)) effects.assume(condition, false);
    if (x.op != ir::Op::Eq) return;
    const ir::Expr &number = program_.exprs[program_.argument(condition, 0)],
                   &value = program_.exprs[program_.argument(condition, 1)];
    if (number.op != ir::Op::StateGet || value.op != ir::Op::Const) return;
    const auto id = static_cast<ir::StateId>(number.imm);
    const ir::Type& type = program_.types[program_.states[id].value];
    const VariableLayout& at = out_.layout->variable(id);
    if (type.kind == ir::TypeKind::Int && program_.states[id].assigned && at.storage == Storage::Word &&
        value.imm == type.hi)
        graph_.bound(graph_.read(at.reg, 1), type.lo, type.hi - 1);
}

namespace {

// The assignments among these effects, conditional ones too.
void collect_assignments(const ir::Program& program, const std::vector<ir::EffectId>& list,
                         std::vector<ir::EffectId>& out) {
    for (const ir::EffectId id : list) {
        const ir::Effect& effect = program.effects[id];
        if (effect.kind == ir::EffectKind::Assign) out.push_back(id);
        if (effect.kind != ir::EffectKind::If) continue;
        collect_assignments(program, effect.yes, out);
        collect_assignments(program, effect.no, out);
    }
}

} // namespace

const EffectsCompiler::AssignmentFacts& EffectsCompiler::assignment_facts(ir::RuleId id, std::uint32_t player) {
    const auto [known, is_new] = facts_.try_emplace({id, player});
    if (!is_new) return known->second;
    AssignmentFacts& facts = known->second;
    const ir::Rule& rule = program_.rules[id];
    const FirstStepOf step{program_, rule, player, false};
    const auto are_distinct = [&](const ir::Effect& a, const ir::Effect& b) {
        return a.state == b.state && a.indices.size() == 1 && b.indices.size() == 1 &&
               never_same(step, a.indices[0], b.indices[0]);
    };
    const auto is_some = [&](const ir::Effect& effect) {
        const auto kind = [&](ir::TypeId type) { return program_.types.kind(type); };
        return kind(program_.exprs[effect.value].type) == ir::TypeKind::Optional &&
               kind(program_.states[effect.state].value) != ir::TypeKind::Optional && never_none(step, effect.value);
    };
    for (const ir::Block& block : rule.then) {
        std::vector<ir::EffectId> all;
        collect_assignments(program_, block.effects, all);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const ir::Effect& effect = program_.effects[all[i]];
            for (std::size_t j = 0; j < i; ++j)
                if (are_distinct(effect, program_.effects[all[j]])) facts.distinct.emplace_back(all[i], all[j]);
            // The rule's conditions are about the state that the first block reads.
            if (&block == &rule.then[0] && is_some(effect)) facts.some.push_back(all[i]);
        }
    }
    return facts;
}

bool EffectsCompiler::effects(ir::RuleId id, Context in, bool trial, bool known_legal) {
    const ir::Rule& rule = program_.rules[id];
    graph_.enter(Origin::Part::Then, index(id));
    Effects effects(lowering_, lowering_.code(), trial);
    if (!rule.chance) effects.trust_sums();
    if (only_when_open(id))
        for (const ir::EndClause& end : program_.ends) assume_false(end.condition, effects);
    in = with_lets(id, true, in);
    // Conditions `p in S` of the rule hold in the state before the move.
    for (const ir::Clause& clause : rule.when) {
        if (!valid(clause.bind)) effects.assume(clause.expr);
        if (valid(clause.bind) || program_.exprs[clause.expr].op != ir::Op::In) continue;
        const ir::ExprId member = program_.argument(clause.expr, 0);
        if (program_.exprs[member].op != ir::Op::Var) continue;
        effects.know(lowering_.eval(member, in), lowering_.eval(program_.argument(clause.expr, 1), in));
    }
    const AssignmentFacts& facts = assignment_facts(id, in.me);
    for (const auto& [a, b] : facts.distinct) effects.keep_distinct(a, b);
    for (const ir::EffectId some : facts.some) effects.keep_some(some);
    for (const ir::Block& block : rule.then) {
        if (!effects.block(block, in)) return false;
        // The first block reads the state before the move. Only later blocks read changes.
        if (asks_within_moves_ && &block == &rule.then[0])
            graph_.effect(Family::SetBetweenMoves, 1, 0, {no_node, no_node, no_node}, 0);
    }
    graph_.enter(Origin::Part::Ensure, index(id));
    if (!rule.ensure.empty() && !known_legal) graph_.return_if(graph_.not_(lowering_.clauses(rule.ensure, in)), 1);
    return true;
}

} // namespace zug::run
