#include "compiler/analysis/substitution.hpp"

#include <algorithm>

namespace zug::run {

using ir::EffectKind;
using ir::ExprId;
using ir::Op;
using ir::StateId;
using ir::TypeId;
using ir::TypeKind;
using ir::VarId;

bool alike(const ir::Program& program, ExprId a, ExprId b) {
    if (a == b) return true;
    const ir::Expr &x = program.exprs[a], &y = program.exprs[b];
    if (x.op != y.op || x.imm != y.imm || x.type != y.type || x.arg_count != y.arg_count) return false;
    for (std::size_t i = 0; i < x.arg_count; ++i)
        if (!alike(program, program.argument(a, i), program.argument(b, i))) return false;
    return true;
}

bool alike_renamed(const ir::Program& program, ExprId a, VarId of_a, ExprId b, VarId of_b) {
    if (is_name(program, a, of_a)) return is_name(program, b, of_b);
    const ir::Expr &x = program.exprs[a], &y = program.exprs[b];
    if (x.op != y.op || x.imm != y.imm || x.type != y.type || x.arg_count != y.arg_count) return false;
    for (std::size_t i = 0; i < x.arg_count; ++i)
        if (!alike_renamed(program, program.argument(a, i), of_a, program.argument(b, i), of_b)) return false;
    return true;
}

std::vector<ExprId> intersected(const ir::Program& program, ExprId set) {
    if (program.exprs[set].op != Op::Inter) return {set};
    std::vector<ExprId> sets = intersected(program, program.argument(set, 0));
    for (const ExprId other : intersected(program, program.argument(set, 1))) sets.push_back(other);
    return sets;
}

bool leads_to_one(const ir::Program& program, ExprId e) {
    switch (program.exprs[e].op) {
    case Op::Single:
    case Op::Step:
    case Op::Table: return true;
    case Op::Image:
    case Op::Seq: return leads_to_one(program, program.argument(e, 0)) && leads_to_one(program, program.argument(e, 1));
    case Op::Power:
        return leads_to_one(program, program.argument(e, 0)) &&
               alike(program, program.argument(e, 1), program.argument(e, 2));
    default: return false;
    }
}

std::optional<NoneCase> none_case(const ir::Program& program, ExprId let) {
    const ExprId choice = program.argument(let, 1);
    if (program.exprs[choice].op != Op::If) return std::nullopt;
    const ExprId condition = program.argument(choice, 0);
    if (program.exprs[condition].op != Op::IsNone ||
        !is_name(program, program.argument(condition, 0), static_cast<VarId>(program.exprs[let].imm)))
        return std::nullopt;
    return NoneCase{program.argument(choice, 1), program.argument(choice, 2)};
}

bool names(const ir::Program& program, ExprId e, VarId var) {
    const ir::Expr& x = program.exprs[e];
    if (x.op == Op::Var) return static_cast<VarId>(x.imm) == var;
    return std::ranges::any_of(program.arguments(e), [&](ExprId part) { return names(program, part, var); });
}

bool calls_alike(const ir::Program& program, ir::ExprId e, ir::FunctionId id) {
    const ir::Expr& x = program.exprs[e];
    if (x.op != Op::Call || static_cast<ir::FunctionId>(x.imm) != id) return false;
    const std::vector<ir::VarId>& params = program.functions[id].params;
    for (std::size_t i = 0; i < params.size(); ++i)
        if (!is_name(program, program.argument(e, i), params[i])) return false;
    return true;
}

Substitution::Substitution(ir::Program& program, bool local_start)
    : ExpressionBuilder(program), changes_(program.states.size()) {
    if (!local_start) return;
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const ir::StateVariable& variable = program.states[static_cast<StateId>(s)];
        const TypeKind kind = program.types.kind(variable.value);
        if (!variable.local || !variable.indices.empty() || kind == TypeKind::Set || kind == TypeKind::Real) continue;
        changes_[s].changed = true;
        changes_[s].value =
            constant(variable.value, program.types.value(variable.value, variable.initial[0]), variable.span);
    }
}

template <class F>
bool Substitution::any_part(ExprId e, F&& wanted) {
    if (++steps_ > most_steps) return true;
    const ir::Expr& x = program_.exprs[e];
    if (wanted(x)) return true;
    if (x.op == Op::Call) {
        const ir::Function& f = program_.functions[static_cast<ir::FunctionId>(x.imm)];
        if (!f.recursive && any_part(f.body, wanted)) return true;
    }
    return std::ranges::any_of(program_.arguments(e), [&](ExprId a) { return any_part(a, wanted); });
}

bool Substitution::names_any(ExprId e, const std::vector<VarId>& vars) {
    return any_part(e, [&](const ir::Expr& x) {
        return x.op == Op::Var && std::ranges::find(vars, static_cast<VarId>(x.imm)) != vars.end();
    });
}

bool Substitution::reads_beyond_state(ExprId e) {
    return any_part(e, [&](const ir::Expr& x) {
        if (x.op == Op::Call) return program_.functions[static_cast<ir::FunctionId>(x.imm)].recursive;
        return x.op == Op::Stuck || x.op == Op::Earlier || x.op == Op::Can;
    });
}

// Whether substitution would change the expression, or refuse it.
bool Substitution::is_affected(ExprId e) {
    return reads_beyond_state(e) || any_part(e, [&](const ir::Expr& x) {
               if (x.op == Op::Var) return names_.contains(static_cast<std::size_t>(x.imm));
               return (x.op == Op::StateGet || x.op == Op::MapGet) && changes_[static_cast<std::size_t>(x.imm)].changed;
           });
}

// Whether it reads a variable that has changed, or more than the state, in functions that it calls, too.
bool Substitution::reads_changed(ExprId e, std::vector<ir::FunctionId>& seen) {
    if (++steps_ > most_steps) return true;
    const ir::Expr& x = program_.exprs[e];
    if (x.op == Op::Stuck || x.op == Op::Earlier || x.op == Op::Can) return true;
    if ((x.op == Op::StateGet || x.op == Op::MapGet) && changes_[static_cast<std::size_t>(x.imm)].changed) return true;
    if (const auto f = static_cast<ir::FunctionId>(x.imm);
        x.op == Op::Call && std::ranges::find(seen, f) == seen.end()) {
        seen.push_back(f);
        if (reads_changed(program_.functions[f].body, seen)) return true;
    }
    return std::ranges::any_of(program_.arguments(e), [&](ExprId a) { return reads_changed(a, seen); });
}

// -- effects

// Notes an effect whose result can be expressed. False: it is of another kind.
bool Substitution::assigns(const GuardedEffect& guarded) {
    const auto& [effect, when] = guarded;
    const ir::StateVariable& variable = program_.states[effect.state];
    Change& change = changes_[index(effect.state)];
    switch (effect.kind) {
    case EffectKind::Assign:
    case EffectKind::Add: break;
    case EffectKind::AssignSet:
        if (variable.indices.size() == 1) break;
        return false;
    default: return false;
    }
    if (!valid(effect.value) || std::ranges::any_of(effect.indices, [](ExprId e) { return !valid(e); })) return false;
    if (!variable.indices.empty()) {
        change.at_slots.push_back(guarded);
        return true;
    }
    ExprId value = effect.value;
    if (!change.changed && (effect.kind == EffectKind::Add || valid(when)))
        change.value = make(Op::StateGet, variable.value, static_cast<std::int64_t>(index(effect.state)), {}, {});
    if (effect.kind == EffectKind::Add)
        value = make(Op::Add, program_.types.integer(ir::int_min, ir::int_max), 0, {change.value, value}, effect.span);
    const TypeId type = effect.kind == EffectKind::Add ? program_.exprs[value].type : variable.value;
    change.value = valid(when) ? choose(when, value, change.value, type) : value;
    return true;
}

// Notes that nothing is known of the variables that the effect changes.
void Substitution::forget(const ir::Effect& effect) {
    switch (effect.kind) {
    case EffectKind::Again:
    case EffectKind::Next: return;
    case EffectKind::If:
    case EffectKind::For:
    case EffectKind::Let:
        for (const auto* list : {&effect.yes, &effect.no})
            for (const ir::EffectId id : *list) forget(ir::Effect(program_.effects[id]));
        return;
    default: changes_[index(effect.state)].changed = changes_[index(effect.state)].unknown = true;
    }
}

void Substitution::apply(const GuardedEffect& guarded) {
    if (assigns(guarded))
        changes_[index(guarded.effect.state)].changed = true;
    else
        forget(guarded.effect);
}

void Substitution::apply(const std::vector<ir::Effect>& effects) {
    for (const ir::Effect& effect : effects) apply(GuardedEffect{effect});
}

void Substitution::apply(const std::vector<ir::EffectId>& effects) {
    std::vector<GuardedEffect> all;
    collect(effects, none_id<ExprId>, all);
    for (const GuardedEffect& guarded : all) apply(guarded);
}

// The same of a loop over a few constants, for each of them. False: it is another loop.
bool Substitution::collect_each(const ir::Effect& loop, ExprId when, std::vector<GuardedEffect>& all) {
    constexpr std::size_t most_members = 8;
    if (!valid(loop.value) || program_.exprs[loop.value].op != Op::SetConst) return false;
    const Bits members = program_.set_consts[static_cast<ir::SetConstId>(program_.exprs[loop.value].imm)];
    if (members.count() > most_members) return false;
    const TypeId type = program_.vars[loop.var].type;
    for (std::size_t i = members.first(); i < members.size(); i = members.next(i + 1)) {
        name(loop.var, constant(type, program_.types.value(type, i), loop.span));
        collect(loop.yes, when, all);
    }
    return true;
}

// Adds the effects of the list, with conditions for `if`. All read the state before any of them.
void Substitution::collect(const std::vector<ir::EffectId>& list, ExprId when, std::vector<GuardedEffect>& all) {
    for (const ir::EffectId id : list) {
        ir::Effect effect = program_.effects[id];
        for (ExprId& i : effect.indices) i = (*this)(i);
        if (valid(effect.value)) effect.value = (*this)(effect.value);
        if (effect.kind == EffectKind::For && collect_each(effect, when, all)) continue;
        if (effect.kind != EffectKind::If || !valid(effect.value)) {
            all.push_back({std::move(effect), when});
            continue;
        }
        const ExprId no = not_(effect.value);
        const auto both = [&](ExprId e) { return valid(when) ? junction(Op::And, {when, e}, effect.span) : e; };
        collect(effect.yes, both(effect.value), all);
        collect(effect.no, both(no), all);
    }
}

// -- expressions

ExprId Substitution::operator()(ExprId e) {
    if (!is_affected(e)) return e;
    const ir::Expr x = program_.exprs[e];
    const bool reads = x.op == Op::StateGet || x.op == Op::MapGet;
    if (steps_ > most_steps || x.op == Op::Stuck || x.op == Op::Earlier || x.op == Op::Can ||
        (reads && change_of(e).unknown))
        return none_id<ExprId>;
    if (x.op == Op::Var) return names_.at(static_cast<std::size_t>(x.imm));
    if (x.op == Op::StateGet) return change_of(e).value;
    if (x.op == Op::Call) return call(e);
    if (x.op == Op::MapGet && valid(value_read_) && change_of(e).changed) return value_read_;
    if (program_.types.kind(x.type) == TypeKind::Bool && !valid(value_read_))
        if (const auto read = single_changed_read(e)) return by_slot(e, *read);
    ExprId result = x.op == Op::In ? member(e) : none_id<ExprId>;
    if (!valid(result)) {
        std::vector<ExprId> args;
        for (const ExprId a : arguments(e)) {
            args.push_back((*this)(a));
            if (!valid(args.back())) break;
        }
        if (args.empty() || valid(args.back()))
            result = x.op == Op::MapGet                         ? read_map(e, args)
                     : x.op == Op::IsNone && is_some(args[0])   ? truth(false, x.span)
                     : x.op == Op::In && is_own_singleton(args) ? truth(true, x.span)
                                                                : remake(e, args);
    }
    return result;
}

// The substitution in `e` with a binding that ends with it.
ExprId Substitution::with_name(VarId var, ExprId value, ExprId e) {
    const auto outer = names_.find(index(var));
    const ExprId before = outer == names_.end() ? none_id<ExprId> : outer->second;
    name(var, value);
    const ExprId result = (*this)(e);
    if (valid(before))
        name(var, before);
    else
        names_.erase(index(var));
    return result;
}

ExprId Substitution::call(ExprId e) {
    const ir::Function& f = program_.functions[static_cast<ir::FunctionId>(program_.exprs[e].imm)];
    std::vector<ir::FunctionId> seen;
    if (f.recursive && reads_changed(f.body, seen)) return none_id<ExprId>;
    std::vector<ExprId> args;
    for (const ExprId a : arguments(e)) {
        args.push_back((*this)(a));
        if (!valid(args.back())) return none_id<ExprId>;
    }
    if (f.recursive) return remake(e, args);
    const auto names = names_;
    for (std::size_t i = 0; i < args.size(); ++i) name(f.params[i], args[i]);
    const ExprId result = (*this)(f.body);
    names_ = names;
    return result;
}

// `item in {x | condition}` is the condition on the item. none_id: it is not of this form.
ExprId Substitution::member(ExprId e) {
    const ExprId set = program_.argument(e, 1);
    const ir::Expr those = program_.exprs[set];
    if (those.op != Op::SetOf || program_.exprs[program_.argument(set, 0)].op != Op::Universe) return none_id<ExprId>;
    const ExprId item = (*this)(program_.argument(e, 0));
    if (!valid(item) || !is_some(item) || program_.types.kind(program_.exprs[item].type) == TypeKind::Int)
        return none_id<ExprId>;
    return with_name(static_cast<VarId>(those.imm), item, program_.argument(set, 1));
}

// What a map holds in a slot after the effects.
ExprId Substitution::read_map(ExprId e, const std::vector<ExprId>& indices) {
    ExprId result = remake(e, indices);
    const TypeId type = program_.exprs[e].type;
    const Change change = change_of(e);
    for (std::size_t k = 0; k < change.at_slots.size(); ++k) {
        const ir::Effect& effect = change.at_slots[k].effect;
        const ExprId here = same_slot(indices, change.at_slots[k]);
        // Two assignments to one slot are a fault, so no later one can change it.
        if (effect.kind != EffectKind::Add && known(here) == true) return effect.value;
        const ExprId value = effect.kind == EffectKind::Add
                                 ? make(Op::Add, program_.types.integer(ir::int_min, ir::int_max), 0,
                                        {result, effect.value}, effect.span)
                                 : effect.value;
        result = choose(here, value, result, type);
    }
    return result;
}

ExprId Substitution::same_slot(const std::vector<ExprId>& indices, const GuardedEffect& guarded) {
    const ir::Effect& effect = guarded.effect;
    const TypeId type = program_.types.boolean();
    std::vector<ExprId> parts;
    if (valid(guarded.when)) parts.push_back(guarded.when);
    if (effect.kind == EffectKind::AssignSet) {
        parts.push_back(make(Op::In, type, 0, {indices[0], effect.indices[0]}, effect.span));
        return junction(Op::And, parts, effect.span);
    }
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const ExprId at = effect.indices[i];
        // An effect whose index is none changes nothing.
        if (!is_some(indices[i]) && !is_some(at)) parts.push_back(not_(make(Op::IsNone, type, 0, {at}, effect.span)));
        if (!alike(program_, indices[i], at)) parts.push_back(make(Op::Eq, type, 0, {indices[i], at}, effect.span));
    }
    return junction(Op::And, parts, effect.span);
}

// The read of a changing map, if it is the only one in a condition and its index is a variable that a binder binds.
std::optional<ExprId> Substitution::single_changed_read(ExprId condition) {
    std::optional<ExprId> read;
    bool other = false;
    const auto look = [&](const auto& self, ExprId e) -> void {
        const ir::Expr& x = program_.exprs[e];
        other = other || ++steps_ > most_steps || x.op == Op::Call || x.op == Op::Earlier || x.op == Op::Stuck ||
                x.op == Op::Can || ir::binds_variable(x.op);
        if (x.op == Op::Var) other = other || names_.contains(static_cast<std::size_t>(x.imm));
        if (other || x.op == Op::Var) return;
        if ((x.op == Op::StateGet || x.op == Op::MapGet) && changes_[static_cast<std::size_t>(x.imm)].changed) {
            const bool at_variable =
                x.op == Op::MapGet && x.arg_count == 1 && program_.exprs[program_.argument(e, 0)].op == Op::Var &&
                !names_.contains(static_cast<std::size_t>(program_.exprs[program_.argument(e, 0)].imm));
            other = !at_variable || change_of(e).unknown || (read && !alike(program_, *read, e)) ||
                    std::ranges::any_of(change_of(e).at_slots,
                                        [](const auto& one) { return one.effect.kind == EffectKind::Add; });
            read = e;
            return;
        }
        for (const ExprId a : program_.arguments(e)) self(self, a);
    };
    look(look, condition);
    return other ? std::nullopt : read;
}

// Such a condition, by cases of the slot: of the assigned value in each slot that an effect assigns to, else as it is.
// Assignments that cannot change its truth are left out.
ExprId Substitution::by_slot(ExprId condition, ExprId read) {
    const ExprId slot = program_.argument(read, 0);
    ExprId result = condition;
    const std::vector<GuardedEffect> effects = change_of(read).at_slots;
    for (const GuardedEffect& guarded : effects) {
        const ir::Effect& effect = guarded.effect;
        const auto kept = [&](const FirstStepOf& first) { return keeps_truth(first, effect, condition, slot); };
        if (effect.kind == EffectKind::Assign && !suppositions_.empty() && std::ranges::all_of(suppositions_, kept))
            continue;
        value_read_ = effect.value;
        const ExprId here = (*this)(condition);
        value_read_ = none_id<ExprId>;
        if (!valid(here)) return here;
        result = choose(same_slot({slot}, guarded), here, result, program_.types.boolean());
    }
    return result;
}

} // namespace zug::run
