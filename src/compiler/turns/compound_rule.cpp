#include "compiler/turns/compound_rule.hpp"

#include "compiler/analysis/block_effects.hpp"
#include "compiler/turns/turn_variants.hpp"

#include <algorithm>
#include <utility>

namespace zug::run {

using ir::EffectKind;
using ir::ExprId;
using ir::Op;
using ir::VarId;

bool CompoundRule::add(const ir::Rule& step, ExprId loud, bool last) {
    Part& part = parts_.emplace_back();
    for (const VarId param : step.params) {
        part.params.push_back(copy_.renamed(param));
        items_.push_back({part.params.back(), {}});
    }
    ir::Rule known; // the step, on the state before it
    if (!add_conditions(step.when, known)) return false;
    if (valid(loud)) {
        const ExprId here = before_all(copy(loud));
        if (!valid(here)) return false;
        ExpressionBuilder builder(*program_);
        loud_ = valid(loud_) ? builder.junction(Op::Or, {loud_, here}, step.span) : here;
    }
    copy_.keep_names(false); // the same rule may come twice
    parts_.back().first_block = blocks_.size();
    return add_blocks(step.then, std::move(known)) && add_ensure(step.ensure, last);
}

bool CompoundRule::end(const std::vector<ir::Block>& blocks) {
    own_blocks_ = blocks_.size();
    return add_blocks(blocks, {});
}

// -- parameters and conditions

// Of the first step, which keeps its names, a condition stays as it is.
ExprId CompoundRule::copy(ExprId e) { return copy_.keeps_names() ? e : copy_(e); }

// A condition on the state after the blocks so far as one on the state before them.
ExprId CompoundRule::before_all(ExprId e) {
    for (auto effects = effects_.rbegin(); effects != effects_.rend() && valid(e); ++effects) e = (*effects)(e);
    return valid(e) ? start_(e) : e;
}

// `step`: gets the conditions as they are on the state before the step.
bool CompoundRule::add_conditions(const std::vector<ir::Clause>& clauses, ir::Rule& step) {
    for (const ir::Clause& clause : clauses) {
        const ExprId here = copy(clause.expr), e = before_all(here);
        if (!valid(e)) return false;
        const VarId bind = valid(clause.bind) ? copy_.renamed(clause.bind) : clause.bind;
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
        ensure_.push_back({e, valid(clause.bind) ? copy_.renamed(clause.bind) : clause.bind});
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
    with.copy_.keep_names(false);
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
        if (!copy_.block(block, out)) return false;
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
            effect.value = program_->effects[id].value = copy_.variable(name);
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
    known.apply(block.effects);
    return true;
}

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

std::vector<ir::Clause> CompoundRule::conditions() const {
    std::vector<ir::Clause> all;
    for (const Item& item : items_)
        if (!valid(item.param)) all.push_back(item.clause);
    return all;
}

bool CompoundRule::exchange(std::size_t k) {
    const auto end = k + 2 < parts_.size() ? parts_[k + 2].first_block : own_blocks_;
    Part &first = parts_[k], &second = parts_[k + 1];
    const TwoSteps two{first.params, second.params, first.first_block, second.first_block,
                       end,          conditions(),  blocks_,           ensure_};
    const ExchangeOrder order = order_of_exchange(*program_, two);
    // Of three steps or more, one in ascending order is listed first if all orders are possible.
    if (!valid(order.condition) || (valid(first.order.condition) && !(first.order.always && order.always)))
        return false;
    second.order = order;
    return true;
}

ir::Rule CompoundRule::rule() {
    merge_blocks();
    ir::Rule rule;
    for (const Part& part : parts_) rule.params.insert(rule.params.end(), part.params.begin(), part.params.end());
    rule.when = conditions();
    for (const Part& part : parts_)
        if (valid(part.order.condition)) rule.when.push_back({part.order.condition, none_id<VarId>});
    rule.then = blocks_;
    rule.ensure = ensure_;
    return rule;
}

} // namespace zug::run
