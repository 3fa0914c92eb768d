// What a variable of the state tells of a turn if one effect of all its steps changes it: see move_injectivity.hpp.

#include "compiler/analysis/block_effects.hpp"
#include "compiler/analysis/move_injectivity.hpp"
#include "compiler/analysis/site_transitions.hpp"
#include "compiler/analysis/substitution.hpp"

#include <algorithm>

namespace zug::run::proof {

namespace {

using ir::EffectKind;
using ir::ExprId;
using ir::Op;
using ir::TypeId;
using ir::TypeKind;
using ir::VarId;

// The only effect on a variable, of a rule that every turn makes, whatever holds.
struct SoleChange {
    const ir::Rule& rule;
    const ir::Effect& effect;
    ValueTrials* trials; // null: it is of a later block, which reads another state than the rule's conditions
    StepNames here;
};

class ChangeReader {
public:
    ChangeReader(const ir::Program& program, const SoleChange& change, ReadOff& found)
        : program_(program), rule_(change.rule), effect_(change.effect), trials_(change.trials), here_(change.here),
          found_(found) {}

    void read() {
        const std::vector<TypeId>& types = variable().indices;
        if (!std::ranges::equal(effect_.indices, types, [&](ExprId i, TypeId type) { return has_value(i, type); }))
            return;
        if (differs()) {
            // The entry is the one that has another value than before.
            for (std::size_t i = 0; i < types.size(); ++i) take_value(effect_.indices[i], types[i]);
            if (valid(member_)) take_parts(member_);
        } else if (!std::ranges::all_of(effect_.indices, [&](ExprId index) { return is_known(index); })) {
            return;
        }
        if (effect_.kind == EffectKind::Assign || is_param(effect_.value)) take_parts(effect_.value);
        if (effect_.kind == EffectKind::Assign) take_value(effect_.value, variable().value);
    }

private:
    const ir::StateVariable& variable() const { return program_.states[effect_.state]; }
    const ir::Expr& expr(ExprId e) const { return program_.exprs[e]; }
    bool is_param(ExprId e) const {
        return expr(e).op == Op::Var && contains(rule_.params, static_cast<VarId>(expr(e).imm));
    }
    bool is_known(ExprId e) const {
        return expr(e).op == Op::Me || expr(e).op == Op::Const ||
               (expr(e).op == Op::Var && contains(found_.params, static_cast<VarId>(expr(e).imm))) ||
               (trials_ != nullptr && trials_->is_known(here_, bound(e), found_));
    }
    Bound bound(ExprId e) const { return {e, here_.scope}; }
    // Whether it always has a value, of this type.
    bool has_value(ExprId e, TypeId type) const {
        return fits(e, type) || (trials_ != nullptr && trials_->fits(here_, bound(e), type));
    }
    // Whether it is a parameter, `me` or a constant that the type has, so that it is never none and never outside.
    bool fits(ExprId e, TypeId type) const {
        if (expr(e).op == Op::Const) return program_.types.ordinal(type, expr(e).imm) && expr(e).imm != ir::none;
        if (expr(e).op != Op::Me && expr(e).op != Op::Var) return false;
        const ir::Type &own = program_.types[expr(e).type], &wanted = program_.types[type];
        const bool within =
            own.kind == TypeKind::Int && wanted.kind == TypeKind::Int && wanted.lo <= own.lo && own.hi <= wanted.hi;
        return own.kind != TypeKind::Optional && (expr(e).type == type || within);
    }
    void take(ExprId e) {
        const auto var = static_cast<VarId>(expr(e).imm);
        if (is_param(e) && !contains(found_.params, var)) found_.params.push_back(var);
    }
    void take_value(ExprId e, TypeId type) {
        take(e);
        const TypeKind kind = program_.types.kind(type);
        if (trials_ != nullptr && kind != TypeKind::Set && kind != TypeKind::Real)
            trials_->read(here_, bound(e), type, found_);
    }
    void take_parts(ExprId e) {
        take(e);
        if (expr(e).op == Op::MakeTuple && all_parts_fit(e, expr(e).type))
            for (const ExprId part : program_.arguments(e)) take(part);
    }
    bool all_parts_fit(ExprId tuple, TypeId type) const {
        if (program_.types.kind(type) == TypeKind::Optional) type = program_.types.inner(type);
        return program_.types.kind(type) == TypeKind::Tuple &&
               std::ranges::equal(program_.arguments(tuple), program_.types[type].parts,
                                  [&](ExprId part, TypeId wanted) { return fits(part, wanted); });
    }

    // Whether the entry has another value afterwards in every turn.
    bool differs() {
        if (effect_.kind == EffectKind::Add) {
            const auto [low, high] = range_by_type(program_, effect_.value);
            return (expr(effect_.value).op == Op::Const || is_param(effect_.value)) && (low > 0 || high < 0);
        }
        if (program_.types.kind(variable().value) == TypeKind::Bool)
            return expr(effect_.value).op == Op::Const && holds_entry(expr(effect_.value).imm == 0);
        return changes_member() || (trials_ != nullptr && trials_->changes(here_, effect_));
    }
    // `s := s | {x}` or `s \ {x}`, with a condition that tells that x is not, or is, in s.
    bool changes_member() {
        const ir::Expr& value = expr(effect_.value);
        if ((value.op != Op::Union && value.op != Op::Diff) || !is_entry(program_.argument(effect_.value, 0)))
            return false;
        const ExprId one = program_.argument(effect_.value, 1);
        if (expr(one).op != Op::Single) return false;
        member_ = program_.argument(one, 0);
        const TypeId element = program_.types.inner(value.type);
        if (!fits(member_, element) && !(expr(member_).op == Op::MakeTuple && all_parts_fit(member_, element)))
            return false;
        return holds(value.op == Op::Diff, [&](ExprId e) {
            return expr(e).op == Op::In && is_entry(program_.argument(e, 1)) &&
                   alike(program_, program_.argument(e, 0), member_);
        });
    }
    // Whether it reads what the effect assigns to.
    bool is_entry(ExprId e) const {
        if (expr(e).op != Op::MapGet && expr(e).op != Op::StateGet) return false;
        return static_cast<ir::StateId>(expr(e).imm) == effect_.state &&
               std::ranges::equal(program_.arguments(e), effect_.indices,
                                  [&](ExprId a, ExprId b) { return alike(program_, a, b); });
    }
    bool holds_entry(bool value) const {
        return holds(value, [&](ExprId e) { return is_entry(e); });
    }
    // Whether one of the rule's conditions says that an expression of this form is true, or false.
    template <class F>
    bool holds(bool truth, F&& is_form) const {
        return std::ranges::any_of(rule_.when, [&](const ir::Clause& clause) {
            return !valid(clause.bind) && says(clause.expr, truth, is_form);
        });
    }
    template <class F>
    bool says(ExprId e, bool truth, F&& is_form) const {
        switch (expr(e).op) {
        case Op::Not: return says(program_.argument(e, 0), !truth, is_form);
        case Op::And:
        case Op::Or:
            return (expr(e).op == Op::And) == truth &&
                   std::ranges::any_of(program_.arguments(e), [&](ExprId part) { return says(part, truth, is_form); });
        default: return truth && is_form(e);
        }
    }

    const ir::Program& program_;
    const ir::Rule& rule_;
    const ir::Effect& effect_;
    ValueTrials* trials_;
    StepNames here_;
    ReadOff& found_;
    ExprId member_ = none_id<ExprId>; // of a set, that the effect adds or removes
};

} // namespace

void read_sole_change(const SoleChangeOf& change, ReadOff& found) {
    const auto& [program, steps, state, names, trials] = change;
    std::vector<const ir::Effect*> all;
    const auto collect = [&](const std::vector<ir::Block>& blocks) {
        const std::size_t before = all.size();
        for (const ir::Block& block : blocks)
            for_each_effect(program, block.effects, [&](const ir::Effect& effect) {
                if (assigns_state(effect) && effect.state == state) all.push_back(&effect);
            });
        return all.size() > before;
    };
    std::size_t maker = steps.rules.size();
    for (std::size_t k = 0; k < steps.rules.size(); ++k)
        if (collect(program.rules[steps.rules[k]].then)) maker = k;
    if (collect(program.turn->then) || all.size() != 1 || !steps.always[maker]) return;
    if (all[0]->kind != EffectKind::Assign && all[0]->kind != EffectKind::Add) return;
    const ir::Rule& rule = program.rules[steps.rules[maker]];
    const auto has_it = [&](const ir::Block& block) {
        return std::ranges::any_of(block.effects, [&](ir::EffectId id) { return &program.effects[id] == all[0]; });
    };
    if (std::ranges::none_of(rule.then, has_it)) return;
    ValueTrials* const in_first = has_it(rule.then[0]) ? &trials : nullptr;
    ChangeReader(program, {rule, *all[0], in_first, names.names_of(maker)}, found).read();
}

} // namespace zug::run::proof
