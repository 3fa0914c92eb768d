#include "compiler/analysis/weakest_precondition.hpp"

#include "compiler/analysis/substitution.hpp"

#include <algorithm>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;
using ir::VarId;

void split(const ir::Program& program, ExprId e, std::vector<ExprId>& parts) {
    if (program.exprs[e].op != Op::And) return parts.push_back(e);
    for (const ExprId part : program.arguments(e)) split(program, part, parts);
}

// The parameter that the condition gives a value to, and the value.
std::optional<std::pair<VarId, ExprId>> solved(const ir::Program& program, Substitution& put_in, ExprId e,
                                               const std::vector<VarId>& params) {
    const ir::Expr& x = program.exprs[e];
    if (x.op != Op::Eq && x.op != Op::In) return std::nullopt;
    ExprId a = program.argument(e, 0), b = program.argument(e, 1);
    if (x.op == Op::In && program.exprs[b].op != Op::Single) return std::nullopt;
    if (x.op == Op::In) b = program.argument(b, 0);
    for (const auto& [var, value] : {std::pair{a, b}, std::pair{b, a}}) {
        const ir::Expr& v = program.exprs[var];
        if (v.op == Op::Var && program.types.kind(v.type) == TypeKind::Site &&
            std::ranges::find(params, static_cast<VarId>(v.imm)) != params.end() && !put_in.names_any(value, params) &&
            put_in.is_some(value))
            return std::pair{static_cast<VarId>(v.imm), value};
    }
    return std::nullopt;
}

} // namespace

std::vector<FirstStep> first_steps(ir::Program& program, ir::RuleId id, bool local_start) {
    FirstStep step;
    step.rule = program.rules[id];
    Substitution put_in(program, local_start);
    std::vector<VarId> own = step.rule.params;
    for (ir::Clause& clause : step.rule.when) {
        if (const ExprId e = put_in(clause.expr); valid(e)) clause.expr = e;
        if (valid(clause.bind)) own.push_back(clause.bind);
    }
    std::erase_if(step.rule.when, [&](const ir::Clause& clause) {
        const bool early_exit = !valid(clause.bind) && !put_in.names_any(clause.expr, own) && !put_in.asks(clause.expr);
        if (early_exit && put_in.known(clause.expr) != true) step.possible.push_back(clause.expr);
        return early_exit;
    });
    // The first condition on the state alone that stands beside others.
    for (std::size_t c = 0; c < step.rule.when.size(); ++c) {
        const ExprId clause = step.rule.when[c].expr;
        if (valid(step.rule.when[c].bind) || program.exprs[clause].op != Op::Or) continue;
        std::vector<ExprId> closed, open;
        for (const ExprId part : program.arguments(clause))
            (put_in.names_any(part, own) || put_in.asks(part) ? open : closed).push_back(part);
        if (closed.empty() || open.empty()) continue;
        FirstStep other = step;
        step.given = other.given = put_in.join(Op::Or, closed, program.exprs[clause].span);
        step.holds = false;
        step.rule.when[c].expr = put_in.join(Op::Or, open, program.exprs[clause].span);
        other.rule.when.erase(other.rule.when.begin() + static_cast<std::ptrdiff_t>(c));
        return {step, other};
    }
    return {step};
}

std::optional<Continuation> continuation_after(ir::Program& program, ir::RuleId first_id, ir::RuleId next_id,
                                               std::int64_t me, bool local_start) {
    const ir::Rule first = program.rules[first_id], next = program.rules[next_id];
    if (first.then.size() != 1 || !next.ensure.empty()) return std::nullopt;
    Substitution put_in(program, local_start);
    for (const auto* list : {&first.when, &first.then[0].lets})
        for (const ir::Clause& clause : *list) {
            if (!valid(clause.bind)) continue;
            const ExprId value = put_in(clause.expr);
            if (!valid(value)) return std::nullopt;
            put_in.name(clause.bind, value);
        }
    std::vector<ir::Effect> effects;
    for (const ir::EffectId e : first.then[0].effects) {
        ir::Effect effect = program.effects[e];
        for (ExprId& i : effect.indices) i = put_in(i);
        if (valid(effect.value)) effect.value = put_in(effect.value);
        effects.push_back(std::move(effect));
    }
    put_in.change({program, first, me, local_start}, effects);
    Continuation result;
    result.rule = next;
    result.rule.when.clear();
    std::vector<VarId>& params = result.rule.params;
    for (std::size_t p = 0; p < params.size(); ++p) {
        const ir::Variable variable = program.vars[next.params[p]];
        params[p] = program.vars.push(variable);
        put_in.name(next.params[p],
                    put_in.make(Op::Var, variable.type, static_cast<std::int64_t>(index(params[p])), {}, next.span));
    }
    for (std::size_t again = 0; again < next.params.size(); ++again)
        for (const ir::Clause& clause : next.when) {
            const ExprId e = put_in(clause.expr);
            if (!valid(e)) return std::nullopt;
            if (valid(clause.bind)) {
                put_in.name(clause.bind, e);
                continue;
            }
            const auto s = solved(program, put_in, e, params);
            if (!s) continue;
            const auto p = std::ranges::find(params, s->first) - params.begin();
            // Numbers of parameters change as they are left out: by the variable that the rule was written with.
            for (const VarId written : next.params) {
                const ExprId stands = put_in.value_of(written);
                if (program.exprs[stands].op == Op::Var && static_cast<VarId>(program.exprs[stands].imm) == s->first)
                    put_in.name(written, s->second);
            }
            params.erase(params.begin() + p);
        }
    for (const ir::Clause& clause : next.when) {
        const ExprId e = put_in(clause.expr);
        if (!valid(e)) return std::nullopt;
        if (valid(clause.bind)) {
            put_in.name(clause.bind, e);
            continue;
        }
        std::vector<ExprId> parts;
        split(program, e, parts);
        for (const ExprId part : parts) {
            if (put_in.known(part) == true) continue;
            if (!put_in.names_any(part, params)) {
                result.gate.push_back(part);
                continue;
            }
            result.rule.when.push_back({part, none_id<VarId>});
            result.apart = result.apart && !put_in.names_any(part, first.params);
        }
    }
    return result;
}

} // namespace zug::run
