#include "compiler/analysis/move_injectivity.hpp"

#include "compiler/analysis/site_transitions.hpp"

#include <algorithm>

namespace zug::run {
namespace proof {

using ir::EffectKind;
using ir::ExprId;
using ir::Op;
using ir::TypeKind;
using ir::VarId;

bool Proof::touches(const ir::Effect& effect) const {
    switch (effect.kind) {
    case EffectKind::If:
    case EffectKind::For:
    case EffectKind::Let: return touches(effect.yes) || touches(effect.no);
    case EffectKind::Again:
    case EffectKind::Next: return false;
    default: return effect.state == map_;
    }
}

bool Proof::touches(const std::vector<ir::EffectId>& list) const {
    return std::ranges::any_of(list, [&](ir::EffectId id) { return touches(program_.effects[id]); });
}

void Proof::note_assigned(const std::vector<ir::EffectId>& list) {
    for (ir::EffectId id : list) {
        const ir::Effect& effect = program_.effects[id];
        assigned_.push_back(effect.state);
        note_assigned(effect.yes);
        note_assigned(effect.no);
    }
}

// Adds the next step of the chain, whose conditions and first block read the state that the steps before it have left.
// False: it changes the map in another way than by assignments of the first block.
bool Proof::step(const ir::Rule& rule) {
    scope_ = bind_lets(rule.when, nullptr);
    rules_.push_back(&rule);
    for (std::size_t b = 0; b < rule.then.size(); ++b) {
        if (b == 0) scope_ = bind_lets(rule.then[b].lets, scope_);
        for (ir::EffectId id : rule.then[b].effects) {
            const ir::Effect& effect = program_.effects[id];
            if (!touches(effect)) continue;
            if (b > 0 || effect.kind != EffectKind::Assign || !assign(rule, effect)) return false;
        }
    }
    for (const ir::Block& block : rule.then) note_assigned(block.effects);
    return true;
}

bool Proof::assign(const ir::Rule& rule, const ir::Effect& effect) {
    Slot slot{{effect.indices[0], scope_}, Changes(count_), rules_.size() - 1};
    if (!never_none(slot.site, rule)) return false;
    const Values old = can_hold(slot.site, rule), now = can_be({effect.value, scope_}, &rule);
    // Slots of earlier steps keep their transitions only if this step cannot change their sites again.
    for (const Slot& other : slots_)
        if (other.step != slot.step && std::ranges::any_of(other.changes, [&](Values to) { return (to & old) != 0; }))
            return false;
    for (std::size_t v = 0; v < count_; ++v)
        if ((elsewhere_[v] & old) != 0) slot.changes[v] = now;
    slots_.push_back(std::move(slot));
    return true;
}

// Adds transitions to every site: an effect that may apply to any of them.
void Proof::spread(Values from, Values to) {
    const auto change = [&](Changes& changes) {
        for (Values& now : changes)
            if ((now & from) != 0) now |= to;
    };
    change(elsewhere_);
    for (Slot& slot : slots_) change(slot.changes);
}

bool Proof::spread(const std::vector<ir::EffectId>& list, const Scope* scope) {
    for (ir::EffectId id : list) {
        const ir::Effect& effect = program_.effects[id];
        if (!touches(effect)) continue;
        switch (effect.kind) {
        case EffectKind::If:
        case EffectKind::For:
        case EffectKind::Let:
            if (!spread(effect.yes, scope) || !spread(effect.no, scope)) return false;
            break;
        case EffectKind::Assign: spread(~Values{0}, can_be({effect.value, scope}, nullptr)); break;
        case EffectKind::AssignSet: {
            Values from = 0;
            for (ordinal_ = 0; ordinal_ < count_; ++ordinal_)
                if (member({effect.indices[0], scope}) != Truth::No) from |= only(ordinal_);
            spread(from, can_be({effect.value, scope}, nullptr));
            break;
        }
        default: return false;
        }
    }
    return true;
}

bool Proof::end_of_turn() {
    const Scope* scope = nullptr;
    for (const ir::Block& block : program_.turn->then) {
        scope = bind_lets(block.lets, scope);
        if (!spread(block.effects, scope)) return false;
        note_assigned(block.effects);
    }
    return true;
}

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

// Notes the parameter that the site of a readable slot determines: the site itself, or the direction of a step to it
// from a known site. False: it determines no further one.
bool Proof::read_parameter(const Slot& slot) {
    const Bound site = resolve(slot.site);
    const ir::Expr& x = program_.exprs[site.expr];
    const auto take = [&](ExprId e) {
        const auto v = static_cast<VarId>(program_.exprs[e].imm);
        if (program_.exprs[e].op != Op::Var || is_read(v)) return false;
        read_.push_back(v);
        return true;
    };
    if (x.op == Op::Var) return take(site.expr);
    // The target of a step from a known site determines the direction.
    if (x.op != Op::The) return false;
    const ExprId image = program_.argument(site.expr, 0);
    if (program_.exprs[image].op != Op::Image) return false;
    const ExprId single = program_.argument(image, 0), step = program_.argument(image, 1);
    if (program_.exprs[single].op != Op::Single || program_.exprs[step].op != Op::Step) return false;
    const ExprId from = program_.argument(single, 0), dir = program_.argument(step, 0);
    return program_.exprs[from].op == Op::Var && is_read(static_cast<VarId>(program_.exprs[from].imm)) &&
           directions_differ(program_.exprs[dir].type) && take(dir);
}

bool Proof::done() {
    for (Slot& slot : slots_) {
        slot.readable = !meet(slot.changes, elsewhere_);
        for (std::size_t v = 0; v < count_; ++v) slot.readable = slot.readable && (slot.changes[v] & only(v)) == 0;
        for (const Slot& other : slots_)
            slot.readable = slot.readable && (&other == &slot || !meet(slot.changes, other.changes));
    }
    std::erase_if(slots_, [](const Slot& slot) { return !slot.readable; });
    while (std::ranges::any_of(slots_, [&](const Slot& slot) { return read_parameter(slot); })) {
    }
    for (std::size_t r = 0; r < rules_.size(); ++r) {
        if (!std::ranges::all_of(rules_[r]->params, [&](VarId v) { return is_read(v); })) return false;
        // It must be visible, too, whether a step after the first was taken at all.
        if (r > 0 && std::ranges::none_of(slots_, [&](const Slot& slot) { return slot.step == r; })) return false;
    }
    return true;
}

} // namespace proof

using ir::ExprId;
using ir::TypeKind;
using proof::Proof;

// Whether the map fits a Proof.
static bool is_small_map(const ir::Program& program, ir::StateId map) {
    const ir::StateVariable& variable = program.states[map];
    return variable.indices.size() == 1 && program.types.kind(variable.value) != TypeKind::Set &&
           program.types.kind(variable.value) != TypeKind::Real &&
           program.types.cardinality(variable.value) <= proof::most_values;
}

bool keeps_truth(const FirstStepOf& first, const ir::Effect& assignment, ExprId condition, ExprId site) {
    if (!is_small_map(first.program, assignment.state)) return false;
    Proof proof(first.program, assignment.state, first.me);
    proof.suppose(first.rule);
    return proof.keeps_truth(first.rule, assignment, condition, site) &&
           (first.local_start || !proof.from_initial_locals());
}

bool never_none(const FirstStepOf& first, ExprId site) {
    for (std::size_t s = 0; s < first.program.states.size(); ++s) {
        if (!is_small_map(first.program, static_cast<ir::StateId>(s))) continue;
        Proof proof(first.program, static_cast<ir::StateId>(s), first.me);
        proof.suppose(first.rule);
        return proof.never_none(site, first.rule);
    }
    return false;
}

namespace {

// Whether the values of this map before and after a turn determine its steps, whoever moves.
Distinct determines_steps(const ir::Program& program, ir::StateId map, std::span<const ir::RuleId> steps,
                          Passes& passes) {
    const Passes::Timer timer(passes, Pass::SiteTransitions);
    Distinct result{.proved = true};
    for (std::int64_t me = 0; me < std::int64_t{program.player_count()} && result.proved; ++me) {
        ++passes[Pass::SiteTransitions].runs;
        Proof proof(program, map, me);
        result.proved = std::ranges::all_of(steps, [&](ir::RuleId id) { return proof.step(program.rules[id]); });
        if (result.proved) passes.changed(Pass::SiteTransitions);
        result.proved = result.proved && proof.end_of_turn() && proof.done();
        result.from_initial_locals = result.from_initial_locals || proof.from_initial_locals();
    }
    return result;
}

// For `--dump-after` of this analysis, and of the transitions that it uses.
void dump(const ir::Program& program, ir::StateId map, std::span<const ir::RuleId> steps, Passes& passes) {
    if (!passes.dumps(Pass::MoveInjectivity) && !passes.dumps(Pass::SiteTransitions)) return;
    std::string text = "`" + program.states[map].name + "` before and after a turn determines the steps";
    for (const ir::RuleId id : steps) text += " `" + program.rules[id].name + "`";
    passes.dump(std::nullopt, text + "\n");
}

} // namespace

Distinct distinct_results(const ir::Program& program, std::span<const ir::RuleId> steps, Passes& passes) {
    if (!passes.on(Pass::MoveInjectivity) || !passes.on(Pass::SiteTransitions)) return {};
    const Passes::Timer timer(passes, Pass::MoveInjectivity);
    ++passes[Pass::MoveInjectivity].runs;
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const auto map = static_cast<ir::StateId>(s);
        if (!is_small_map(program, map) || program.states[map].local) continue;
        const Distinct result = determines_steps(program, map, steps, passes);
        if (!result.proved) continue;
        passes.changed(Pass::MoveInjectivity);
        dump(program, map, steps, passes);
        return result;
    }
    return {};
}

} // namespace zug::run
