// What the states before and after a turn tell of its steps: see move_injectivity.hpp.

#include "compiler/analysis/block_effects.hpp"
#include "compiler/analysis/move_injectivity.hpp"
#include "compiler/analysis/site_transitions.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

namespace zug::run::proof {

using ir::ExprId;
using ir::Op;
using ir::VarId;

// Whether every turn with the step whose parameter it is has this step.
bool Proof::is_made_with(std::size_t step, VarId param) const {
    const TurnSteps& steps = turn_->steps;
    if (steps.always[step]) return true;
    const auto owner = std::ranges::find_if(rules_, [&](const auto* rule) { return contains(rule->params, param); });
    return owner != rules_.end() && proof::is_made_with(steps, static_cast<std::size_t>(owner - rules_.begin()), step);
}

// Adds the parameter that this is. False: it is another expression, or known, or a slot of this step does not determine
// it.
bool Proof::take(ExprId e, std::size_t step, ReadOff& found) const {
    if (!valid(e) || program_.exprs[e].op != Op::Var) return false;
    const auto v = static_cast<VarId>(program_.exprs[e].imm);
    if (contains(found.params, v) || !is_made_with(step, v)) return false;
    found.params.push_back(v);
    return true;
}

// Notes the parameters that the site of a readable slot determines: the site itself, or those of a path to it from a
// known site. False: it determines no further one.
bool Proof::read_site(const Slot& slot, ReadOff& found) {
    return read_site(slot.site, slot.step, found) ||
           (slot.earlier && read_site(slot.earlier->site, slot.earlier->step, found));
}

bool Proof::read_site(Bound site, std::size_t step_of_turn, ReadOff& found) {
    site = resolve(site);
    if (program_.exprs[site.expr].op == Op::Var) return take(site.expr, step_of_turn, found);
    return turn_->trials.read(names_of(step_of_turn), site, index_type(), found);
}

// The same of the value that a readable slot holds afterwards: a parameter, or a tuple of some.
bool Proof::read_value(const Slot& slot, ReadOff& found) {
    if (!slot.stays) return false;
    const Bound value = resolve(slot.value);
    if (!valid(value.expr)) return false;
    const bool is_tuple = program_.exprs[value.expr].op == Op::MakeTuple;
    const bool taken = is_tuple
                           ? std::ranges::any_of(program_.arguments(value.expr),
                                                 [&](ExprId part) {
                                                     return take(resolve({part, value.scope}).expr, slot.step, found);
                                                 })
                           : take(value.expr, slot.step, found);
    return taken || (!is_set_ && turn_->trials.read(names_of(slot.step), value, type_, found));
}

// Adds all parameters of a step that this slot alone tells. False: it doesn't, or they are known.
bool Proof::read_step(const Slot& slot, ReadOff& found) {
    ReadOff own;
    while (read_site(slot, own) || read_value(slot, own)) {
    }
    const auto among = [](const std::vector<VarId>& known) { return [&](VarId v) { return contains(known, v); }; };
    const std::vector<VarId>& params = rules_[slot.step]->params;
    if (std::ranges::all_of(params, among(found.params)) || !std::ranges::all_of(params, among(own.params)))
        return false;
    std::ranges::copy_if(params, std::back_inserter(found.params), std::not_fn(among(found.params)));
    return true;
}

void Proof::done(ReadOff& found) {
    const std::vector<bool>& ascending = turn_->steps.ascending;
    // By step: the first of those that are in ascending order with it.
    std::vector<std::size_t> first(rules_.size());
    for (std::size_t k = 0; k < first.size(); ++k) first[k] = k < ascending.size() && ascending[k] ? first[k - 1] : k;
    const auto is_one_of_several = [&](const auto& slot) { return std::ranges::count(first, first[slot.step]) > 1; };
    const auto can_be_exchanged = [&](const Slot& a, const Slot& b) {
        return a.step != b.step && first[a.step] == first[b.step] && a.number == b.number;
    };
    // What is known already is no obstacle to reading others.
    const auto is_known = [&](const Slot& slot) {
        const ExprId site = resolve(slot.site).expr;
        return valid(site) && program_.exprs[site].op == Op::Var &&
               contains(found.params, static_cast<VarId>(program_.exprs[site].imm));
    };
    for (Slot& slot : slots_) {
        slot.readable = slot.certain && !meet(slot.changes, elsewhere_);
        // Two steps that are one of several each: which is which is not asked.
        if (slot.earlier && (is_one_of_several(slot) || is_one_of_several(*slot.earlier))) slot.readable = false;
        for (std::size_t v = 0; v < count_; ++v) slot.readable = slot.readable && (slot.changes[v] & only(v)) == 0;
        for (const Slot& other : slots_)
            slot.readable = slot.readable && (&other == &slot || can_be_exchanged(slot, other) || is_known(other) ||
                                              !meet(slot.changes, other.changes));
    }
    all_slots_ = slots_;
    std::erase_if(slots_, [](const Slot& slot) { return !slot.readable; });
    while (std::ranges::any_of(slots_, [&](const Slot& slot) {
        return is_one_of_several(slot) ? read_step(slot, found) : read_site(slot, found) || read_value(slot, found);
    })) {
    }
    for (const Slot& slot : slots_) {
        found.steps.push_back(slot.step);
        if (slot.earlier) found.steps.push_back(slot.earlier->step);
    }
}

// Whether there is a site, in every turn of this case, with a transition that none has in the other.
bool Proof::is_told_from(const Proof& other) const {
    return std::ranges::any_of(all_slots_, [&](const Slot& slot) {
        const bool always =
            turn_->steps.always[slot.step] && (!slot.earlier || turn_->steps.always[slot.earlier->step]);
        return slot.readable && always && !meet(slot.changes, other.elsewhere_) &&
               std::ranges::none_of(other.all_slots_,
                                    [&](const Slot& theirs) { return meet(slot.changes, theirs.changes); });
    });
}

TurnNames::TurnNames(const ir::Program& program, const TurnSteps& steps) : names_(program) {
    for (std::size_t k = 0; k < steps.rules.size(); ++k) {
        const ir::Rule& rule = program.rules[steps.rules[k]];
        scopes_.push_back(names_.enter(rule));
        names_.bind_assigned(rule, scopes_.back(), is_made_with_rest(steps, k));
    }
}

void read_variable(const ir::Program& program, const TurnSteps& steps, ir::StateId state, ReadOff& found) {
    const auto effects_of = [&](const std::vector<ir::Block>& blocks) {
        std::vector<const ir::Effect*> all;
        for (const ir::Block& block : blocks)
            for_each_effect(program, block.effects, [&](const ir::Effect& effect) {
                if (assigns_state(effect) && effect.state == state) all.push_back(&effect);
            });
        return all;
    };
    if (!effects_of(program.turn->then).empty()) return;
    std::size_t last = steps.rules.size();
    while (last > 0 && effects_of(program.rules[steps.rules[last - 1]].then).empty()) --last;
    if (last == 0 || !steps.always[last - 1]) return;
    const ir::Rule& rule = program.rules[steps.rules[last - 1]];
    const std::vector<const ir::Effect*> effects = effects_of(rule.then);
    const bool certain = std::ranges::any_of(rule.then, [&](const ir::Block& block) {
        return std::ranges::any_of(block.effects, [&](ir::EffectId id) { return &program.effects[id] == effects[0]; });
    });
    if (effects.size() > 1 || !certain || effects[0]->kind != ir::EffectKind::Assign) return;
    const ir::Expr& value = program.exprs[effects[0]->value];
    if (const auto var = static_cast<ir::VarId>(value.imm);
        value.op == Op::Var && contains(rule.params, var) && !contains(found.params, var))
        found.params.push_back(var);
}

} // namespace zug::run::proof
