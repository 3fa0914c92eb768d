#include "compiler/analysis/turn_names.hpp"

#include "compiler/analysis/block_effects.hpp"
#include "compiler/analysis/move_injectivity.hpp"

namespace zug::run::proof {

using ir::ExprId;
using ir::Op;
using ir::VarId;

bool is_made_with(const TurnSteps& steps, std::size_t step, std::size_t other) {
    return other == step || steps.always[other] ||
           (!steps.kinds.empty() && (steps.kinds[step] & ~steps.kinds[other]) == 0);
}

bool is_made_with_rest(const TurnSteps& steps, std::size_t step) {
    for (std::size_t later = step + 1; later < steps.rules.size(); ++later)
        if (!is_made_with(steps, later, step)) return false;
    return true;
}

Bound Names::resolve(Bound e) {
    while (valid(e.expr)) {
        const ir::Expr& x = program_.exprs[e.expr];
        if (x.op == Op::Var) {
            const Scope* s = e.scope;
            while (s != nullptr && s->var != static_cast<VarId>(x.imm)) s = s->outer;
            if (s == nullptr) return e;
            e = s->value;
        } else if (x.op == Op::StateGet) {
            const Scope* s = e.scope;
            while (s != nullptr && s->state != static_cast<ir::StateId>(x.imm)) s = s->outer;
            if (s == nullptr || !valid(s->value.expr)) return e;
            e = s->value;
        } else if (x.op == Op::Let) {
            e = {program_.argument(e.expr, 1),
                 bind(static_cast<VarId>(x.imm), {program_.argument(e.expr, 0), e.scope}, e.scope)};
        } else if (x.op == Op::Call) {
            const ir::Function& f = program_.functions[static_cast<ir::FunctionId>(x.imm)];
            if (f.recursive) return e;
            const Scope* inner = e.scope; // without its names
            while (inner != nullptr && !valid(inner->state)) inner = inner->outer;
            for (std::size_t i = 0; i < f.params.size(); ++i)
                inner = bind(f.params[i], {program_.argument(e.expr, i), e.scope}, inner);
            e = {f.body, inner};
        } else {
            return e;
        }
    }
    return e;
}

bool Names::same(Bound a, Bound b) {
    a = resolve(a);
    b = resolve(b);
    if (!valid(a.expr) || !valid(b.expr)) return !valid(a.expr) && !valid(b.expr);
    const ir::Expr &x = program_.exprs[a.expr], &y = program_.exprs[b.expr];
    if (x.op != y.op || x.imm != y.imm || x.type != y.type || x.arg_count != y.arg_count) return false;
    if (ir::binds_variable(x.op)) return a.expr == b.expr && a.scope == b.scope;
    for (std::size_t i = 0; i < x.arg_count; ++i)
        if (!same({program_.argument(a.expr, i), a.scope}, {program_.argument(b.expr, i), b.scope})) return false;
    return true;
}

const Scope* Names::bind_lets(const std::vector<ir::Clause>& list, const Scope* scope) {
    for (const ir::Clause& clause : list)
        if (valid(clause.bind)) scope = bind(clause.bind, {clause.expr, scope}, scope);
    return scope;
}

const Scope* Names::enter(const ir::Rule& rule) {
    const Scope* scope = bind_lets(rule.when, states_);
    return rule.then.empty() ? scope : bind_lets(rule.then[0].lets, scope);
}

// Whether its value depends on parameters, `me` and the board alone.
bool Names::is_of_names(Bound e) {
    e = resolve(e);
    if (!valid(e.expr)) return false;
    const ir::Expr& x = program_.exprs[e.expr];
    switch (x.op) {
    case Op::StateGet:
    case Op::MapGet:
    case Op::Call:
    case Op::Can:
    case Op::Stuck:
    case Op::Earlier: return false;
    default:
        return !ir::binds_variable(x.op) && std::ranges::all_of(program_.arguments(e.expr), [&](ExprId part) {
            return is_of_names({part, e.scope});
        });
    }
}

void Names::bind_assigned(const ir::Rule& rule, const Scope* scope, bool known) {
    std::vector<ir::StateId> assigned;
    for (const ir::Block& block : rule.then)
        for_each_effect(program_, block.effects, [&](const ir::Effect& effect) {
            if (assigns_state(effect)) assigned.push_back(effect.state);
        });
    const auto certain = [&](ir::StateId state) -> const ir::Effect* {
        if (!known || std::ranges::count(assigned, state) != 1) return nullptr;
        for (const ir::Block& block : rule.then)
            for (const ir::EffectId id : block.effects)
                if (const ir::Effect& effect = program_.effects[id];
                    effect.kind == ir::EffectKind::Assign && effect.state == state && effect.indices.empty())
                    return &effect;
        return nullptr;
    };
    for (const ir::StateId state : assigned) {
        Bound now; // not known: found, and nothing follows from it
        if (const ir::Effect* const effect = certain(state)) {
            const Bound value = resolve({effect->value, scope});
            if (is_of_names(value)) now = value;
        }
        scopes_.push_back({none_id<VarId>, now, states_, state});
        states_ = &scopes_.back();
    }
}

} // namespace zug::run::proof
