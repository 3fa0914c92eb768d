#include "compiler/turns/compound_rule.hpp"

#include "compiler/turns/turn_variants.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace zug::run {

using ir::EffectKind;
using ir::ExprId;
using ir::Op;
using ir::VarId;

bool CompoundRule::add(const ir::Rule& step, ExprId loud, bool last) {
    for (const VarId param : step.params) items_.push_back({renamed(param), {}});
    ir::Rule known; // the step, on the state before it
    if (!add_conditions(step.when, known)) return false;
    if (valid(loud)) {
        const ExprId here = before_all(copy(loud));
        if (!valid(here)) return false;
        ExpressionBuilder builder(*program_);
        loud_ = valid(loud_) ? builder.junction(Op::Or, {loud_, here}, step.span) : here;
    }
    ++steps_;
    return add_blocks(step.then, std::move(known)) && add_ensure(step.ensure, last);
}

bool CompoundRule::end(const std::vector<ir::Block>& blocks) { return add_blocks(blocks, {}); }

// -- parameters and conditions

// The first step keeps its names; the others get new ones, since the same rule may come twice.
VarId CompoundRule::renamed(VarId var) {
    if (steps_ == 0) return var;
    const VarId now = program_->vars.push(ir::Variable(program_->vars[var]));
    copy_.name(var, variable(now));
    return now;
}

ExprId CompoundRule::variable(VarId var) {
    ExpressionBuilder builder(*program_);
    return builder.make(Op::Var, program_->vars[var].type, static_cast<std::int64_t>(index(var)), {}, {});
}

ExprId CompoundRule::copy(ExprId e) { return steps_ == 0 ? e : copy_(e); }

// A condition on the state after the blocks so far as one on the state before them.
ExprId CompoundRule::before_all(ExprId e) {
    for (auto effects = effects_.rbegin(); effects != effects_.rend() && valid(e); ++effects) e = (*effects)(e);
    return e;
}

// `step`: gets the conditions as they are on the state before the step.
bool CompoundRule::add_conditions(const std::vector<ir::Clause>& clauses, ir::Rule& step) {
    for (const ir::Clause& clause : clauses) {
        const ExprId here = copy(clause.expr), e = before_all(here);
        if (!valid(e)) return false;
        const VarId bind = valid(clause.bind) ? renamed(clause.bind) : clause.bind;
        step.when.push_back({here, bind});
        if (valid(bind))
            items_.push_back({none_id<VarId>, {e, bind}});
        else
            add_condition(e);
    }
    return true;
}

// Each part by itself, so that it is asked as soon as its parameters are known.
void CompoundRule::add_condition(ExprId e) {
    const std::vector<ExprId> all = parts(*program_, e, Op::And);
    if (all.size() > 1) {
        for (const ExprId part : all) add_condition(part);
    } else if (copy_.known(e) != true) {
        items_.push_back({none_id<VarId>, {e, none_id<VarId>}});
    }
}

bool CompoundRule::add_ensure(const std::vector<ir::Clause>& ensure, bool last) {
    if (ir::Rule after; !last) return add_conditions(ensure, after);
    for (const ir::Clause& clause : ensure) {
        const ExprId e = copy_(clause.expr);
        if (!valid(e)) return false;
        ensure_.push_back({e, valid(clause.bind) ? renamed(clause.bind) : clause.bind});
    }
    return true;
}

// -- what can't be done

bool CompoundRule::forbid(const Absence& absence) {
    ExpressionBuilder builder(*program_);
    for (const TurnVariant& way : absence.ways) {
        const ExprId there = possible(way);
        if (!valid(there)) return false;
        add_condition(builder.not_(there));
    }
    return true;
}

ExprId CompoundRule::possible(const TurnVariant& next) const {
    CompoundRule with = *this;
    // Names that stand for those of the first step must not be bound twice.
    with.steps_ = std::max<std::size_t>(steps_, 1);
    const std::size_t first = items_.size();
    for (std::size_t k = 0; k <= next.steps.size(); ++k) {
        for (const Absence& absence : next.absent)
            if (absence.at == k && !with.forbid(absence)) return none_id<ExprId>;
        if (k == next.steps.size()) break;
        const ir::Rule step = program_->rules[next.steps[k]];
        if (!with.add(step, none_id<ExprId>, false)) return none_id<ExprId>;
    }
    return with.quantified(first);
}

// Whether there are values for the parameters from this item on for which all conditions from there on hold.
ExprId CompoundRule::quantified(std::size_t first) const {
    ExpressionBuilder builder(*program_);
    const ir::TypeId boolean = program_->types.boolean();
    ExprId result = builder.truth(true, {});
    for (std::size_t i = items_.size(); i-- > first;) {
        const auto& [param, clause] = items_[i];
        if (valid(param)) {
            const ir::TypeId set = program_->types.set(program_->vars[param].type);
            const ExprId domain = builder.make(Op::Universe, set, 0, {}, {});
            result = builder.make(Op::Exists, boolean, static_cast<std::int64_t>(index(param)), {domain, result}, {});
        } else if (valid(clause.bind)) {
            const auto name = static_cast<std::int64_t>(index(clause.bind));
            result = builder.make(Op::Let, boolean, name, {clause.expr, result}, {});
        } else {
            result = builder.junction(Op::And, {clause.expr, result}, program_->exprs[clause.expr].span);
        }
    }
    return result;
}

// -- effects

// `step`: what is known of the state before the first of them.
bool CompoundRule::add_blocks(const std::vector<ir::Block>& blocks, ir::Rule step) {
    for (const ir::Block& block : blocks) {
        ir::Block out;
        std::vector<ir::Effect> named;
        if (!copy_block(block, out)) return false;
        name_assigned(out, named);
        const ir::Rule* known = nullptr;
        if (&block == &blocks[0] && !step.when.empty()) {
            step.then = {out};
            known = known_.emplace_back(std::make_shared<const ir::Rule>(step)).get();
        }
        if (!note_effects(out, known)) return false;
        copy_.apply(named);
        blocks_.push_back(std::move(out));
    }
    return true;
}

bool CompoundRule::copy_block(const ir::Block& block, ir::Block& out) {
    for (const ir::Clause& let : block.lets) {
        const ExprId e = copy_(let.expr);
        if (!valid(e)) return false;
        out.lets.push_back({e, renamed(let.bind)});
    }
    return copy_effects(block.effects, out.effects);
}

bool CompoundRule::copy_effects(const std::vector<ir::EffectId>& list, std::vector<ir::EffectId>& out) {
    for (const ir::EffectId id : list) {
        ir::Effect effect = program_->effects[id];
        for (ExprId& i : effect.indices)
            if (i = copy_(i); !valid(i)) return false;
        if (valid(effect.value))
            if (effect.value = copy_(effect.value); !valid(effect.value)) return false;
        std::vector<ir::EffectId> yes, no;
        if (!copy_effects(effect.yes, yes) || !copy_effects(effect.no, no)) return false;
        effect.yes = std::move(yes);
        effect.no = std::move(no);
        out.push_back(program_->effects.push(std::move(effect)));
    }
    return true;
}

namespace {

// Calls f(effect) for each effect of the list and those inside them.
template <class F>
void for_each_effect(const ir::Program& program, const std::vector<ir::EffectId>& list, F&& f) {
    for (const ir::EffectId id : list) {
        const ir::Effect& effect = program.effects[id];
        f(effect);
        for_each_effect(program, effect.yes, f);
        for_each_effect(program, effect.no, f);
    }
}

bool assigns_state(const ir::Effect& effect) {
    return effect.kind == EffectKind::Assign || effect.kind == EffectKind::Add ||
           effect.kind == EffectKind::AssignSet || effect.kind == EffectKind::AssignAll;
}

} // namespace

// Names what is assigned to variables without index, wherever it is certain. `named`: such assignments.
void CompoundRule::name_assigned(ir::Block& block, std::vector<ir::Effect>& named) {
    for_each_effect(*program_, block.effects, [&](const ir::Effect& effect) {
        if (assigns_state(effect)) copy_.release(effect.state);
    });
    for (const ir::EffectId id : block.effects) {
        ir::Effect effect = program_->effects[id];
        if (effect.kind != EffectKind::Assign || !effect.indices.empty()) continue;
        if (const Op op = program_->exprs[effect.value].op; op != Op::Var && op != Op::Const && op != Op::Me) {
            const VarId name = program_->vars.push({"", program_->exprs[effect.value].type});
            block.lets.push_back({effect.value, name});
            effect.value = program_->effects[id].value = variable(name);
        }
        named.push_back(std::move(effect));
    }
}

// Makes the effects of a block known to before_all().
bool CompoundRule::note_effects(const ir::Block& block, const ir::Rule* step) {
    Substitution& known = effects_.emplace_back(*program_, false);
    for (std::int64_t me = 0; step != nullptr && me < std::int64_t{program_->player_count()}; ++me)
        known.suppose({*program_, *step, me, false});
    for (const ir::Clause& let : block.lets) {
        const ExprId e = known(let.expr);
        if (!valid(e)) return false;
        known.name(let.bind, e);
    }
    std::vector<ir::Effect> effects;
    for (const ir::EffectId id : block.effects) {
        ir::Effect effect = program_->effects[id];
        for (ExprId& i : effect.indices) i = known(i);
        if (valid(effect.value)) effect.value = known(effect.value);
        effects.push_back(std::move(effect));
    }
    known.apply(effects);
    return true;
}

namespace {

std::vector<ir::StateId> assigned_by(const ir::Program& program, const ir::Block& block) {
    std::vector<ir::StateId> states;
    for_each_effect(program, block.effects, [&](const ir::Effect& effect) {
        if (assigns_state(effect)) states.push_back(effect.state);
    });
    return states;
}

// Whether an expression, or a function that it calls, reads one of the variables, or more than the state.
class Reads {
public:
    Reads(const ir::Program& program, std::span<const ir::StateId> states) : program_(program), states_(states) {}

    bool operator()(ExprId e) {
        const ir::Expr& x = program_.exprs[e];
        if (x.op == Op::Stuck || x.op == Op::Earlier || x.op == Op::Can) return true;
        if ((x.op == Op::StateGet || x.op == Op::MapGet) &&
            std::ranges::find(states_, static_cast<ir::StateId>(x.imm)) != states_.end())
            return true;
        if (const auto f = static_cast<ir::FunctionId>(x.imm);
            x.op == Op::Call && std::ranges::find(seen_, f) == seen_.end()) {
            seen_.push_back(f);
            if ((*this)(program_.functions[f].body)) return true;
        }
        return std::ranges::any_of(program_.arguments(e), [&](ExprId a) { return (*this)(a); });
    }

    bool operator()(const ir::Block& block) {
        bool any = std::ranges::any_of(block.lets, [&](const ir::Clause& let) { return (*this)(let.expr); });
        for_each_effect(program_, block.effects, [&](const ir::Effect& effect) {
            any = any || (valid(effect.value) && (*this)(effect.value)) ||
                  std::ranges::any_of(effect.indices, [&](ExprId e) { return (*this)(e); });
        });
        return any;
    }

private:
    const ir::Program& program_;
    std::span<const ir::StateId> states_;
    std::vector<ir::FunctionId> seen_; // functions that are known not to, or looked at
};

} // namespace

// Joins each block to the one before where it makes no difference that it then reads the state before that.
void CompoundRule::merge_blocks() {
    std::vector<ir::Block> merged;
    for (ir::Block& block : blocks_) {
        if (!merged.empty()) {
            ir::Block& before = merged.back();
            const std::vector<ir::StateId> theirs = assigned_by(*program_, before), own = assigned_by(*program_, block);
            if (std::ranges::find_first_of(own, theirs) == own.end() && !Reads(*program_, theirs)(block)) {
                before.lets.insert(before.lets.end(), block.lets.begin(), block.lets.end());
                before.effects.insert(before.effects.end(), block.effects.begin(), block.effects.end());
                continue;
            }
        }
        merged.push_back(std::move(block));
    }
    blocks_ = std::move(merged);
}

ir::Rule CompoundRule::rule() {
    merge_blocks();
    ir::Rule rule;
    for (const Item& item : items_) {
        if (valid(item.param))
            rule.params.push_back(item.param);
        else
            rule.when.push_back(item.clause);
    }
    rule.then = blocks_;
    rule.ensure = ensure_;
    return rule;
}

} // namespace zug::run
