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

// Whether different directions lead from every site to different sites, so that the target determines the direction.
bool Proof::directions_differ(ir::TypeId dir) const {
    const ir::Board& board = program_.boards[static_cast<ir::BoardId>(program_.types[dir].ref)];
    for (std::size_t s = 0; s < board.sites.size(); ++s)
        for (std::uint32_t d = 0; d < board.dir_count; ++d)
            for (std::uint32_t e = 0; e < d; ++e) {
                const std::int32_t to = board.steps[static_cast<ir::StepId>(d)].to[s];
                if (to >= 0 && to == board.steps[static_cast<ir::StepId>(e)].to[s]) return false;
            }
    return true;
}

// Whether every turn with the step whose parameter it is has this step.
bool Proof::is_made_with(std::size_t step, VarId param) const {
    if (steps_->always[step] || contains(rules_[step]->params, param)) return true;
    const auto owner = std::ranges::find_if(rules_, [&](const auto* rule) { return contains(rule->params, param); });
    return owner != rules_.end() && !steps_->kinds.empty() &&
           (steps_->kinds[static_cast<std::size_t>(owner - rules_.begin())] & ~steps_->kinds[step]) == 0;
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

// Notes the parameter that the site of a readable slot determines: the site itself, or the direction of a step to it
// from a known site. False: it determines no further one.
bool Proof::read_site(const Slot& slot, ReadOff& found) {
    return read_site(slot.site, slot.step, found) ||
           (slot.earlier && read_site(slot.earlier->site, slot.earlier->step, found));
}

bool Proof::read_site(Bound site, std::size_t step_of_turn, ReadOff& found) {
    site = resolve(site);
    const ir::Expr& x = program_.exprs[site.expr];
    if (x.op == Op::Var) return take(site.expr, step_of_turn, found);
    // The target of a step from a known site determines the direction.
    if (x.op != Op::The) return false;
    const ExprId image = program_.argument(site.expr, 0);
    if (program_.exprs[image].op != Op::Image) return false;
    const ExprId single = program_.argument(image, 0), step = program_.argument(image, 1);
    if (program_.exprs[single].op != Op::Single || program_.exprs[step].op != Op::Step) return false;
    const ExprId from = resolve({program_.argument(single, 0), site.scope}).expr, dir = program_.argument(step, 0);
    return valid(from) && program_.exprs[from].op == Op::Var &&
           contains(found.params, static_cast<VarId>(program_.exprs[from].imm)) &&
           directions_differ(program_.exprs[dir].type) && take(dir, step_of_turn, found);
}

// The same of the value that a readable slot holds afterwards: a parameter, or a tuple of some.
bool Proof::read_value(const Slot& slot, ReadOff& found) {
    if (!slot.stays) return false;
    const Bound value = resolve(slot.value);
    if (!valid(value.expr) || program_.exprs[value.expr].op != Op::MakeTuple) return take(value.expr, slot.step, found);
    return std::ranges::any_of(program_.arguments(value.expr), [&](ExprId part) {
        return take(resolve({part, value.scope}).expr, slot.step, found);
    });
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

void Proof::done(ReadOff& found, const TurnSteps& steps) {
    steps_ = &steps;
    const std::vector<bool>& ascending = steps.ascending;
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
        const bool always = steps_->always[slot.step] && (!slot.earlier || steps_->always[slot.earlier->step]);
        return slot.readable && always && !meet(slot.changes, other.elsewhere_) &&
               std::ranges::none_of(other.all_slots_,
                                    [&](const Slot& theirs) { return meet(slot.changes, theirs.changes); });
    });
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
