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
    scope_ = bind_lets(rule.when, states_);
    rules_.push_back(&rule);
    if (!slots_.empty()) unchanged_.clear();
    for (std::size_t b = 0; b < rule.then.size(); ++b) {
        if (b == 0) scope_ = bind_lets(rule.then[b].lets, scope_);
        for (ir::EffectId id : rule.then[b].effects) {
            const ir::Effect& effect = program_.effects[id];
            if (!touches(effect)) continue;
            if (b > 0 || effect.kind != EffectKind::Assign || !assign(rule, effect)) return false;
        }
    }
    for (const ir::Block& block : rule.then) note_assigned(block.effects);
    unchanged_.push_back({&rule, scope_});
    bind_assigned(rule);
    return true;
}

// Lets later steps see what the rule has assigned to variables without index, where that is a parameter or a constant,
// which no effect changes.
void Proof::bind_assigned(const ir::Rule& rule) {
    std::vector<ir::StateId> assigned;
    std::swap(assigned, assigned_);
    for (const ir::Block& block : rule.then) note_assigned(block.effects);
    std::swap(assigned, assigned_);
    const auto certain = [&](ir::StateId state) -> const ir::Effect* {
        if (std::ranges::count(assigned, state) != 1) return nullptr;
        for (const ir::Block& block : rule.then)
            for (const ir::EffectId id : block.effects)
                if (const ir::Effect& effect = program_.effects[id];
                    effect.kind == EffectKind::Assign && effect.state == state && effect.indices.empty())
                    return &effect;
        return nullptr;
    };
    for (const ir::StateId state : assigned) {
        Bound now; // not known: found, and nothing follows from it
        if (const ir::Effect* const effect = certain(state)) {
            const Bound value = resolve({effect->value, scope_});
            const Op op = valid(value.expr) ? program_.exprs[value.expr].op : Op::StateGet;
            if (op == Op::Var || op == Op::Const || op == Op::Me) now = value;
        }
        scopes_.push_back({none_id<VarId>, now, states_, state});
        states_ = &scopes_.back();
    }
}

bool Proof::assign(const ir::Rule& rule, const ir::Effect& effect) {
    Slot slot{{}, {effect.value, scope_}, Changes(count_), rules_.size() - 1, 0};
    if (is_set_) {
        const auto changed = changed_member(effect);
        if (!changed) return false;
        slot = *changed;
    } else {
        slot.site = {effect.indices[0], scope_};
        slot.now = can_be(slot.value, &rule);
    }
    if (!never_none(slot.site, rule)) return false;
    const Values old = can_hold(slot.site, rule), now = slot.now;
    // Slots of earlier steps keep their transitions only if this step cannot change their sites again.
    for (const Slot& other : slots_)
        if (other.step != slot.step && std::ranges::any_of(other.changes, [&](Values to) { return (to & old) != 0; }))
            return false;
    for (std::size_t v = 0; v < count_; ++v)
        if ((elsewhere_[v] & old) != 0) slot.changes[v] = now;
    slots_.push_back(std::move(slot));
    return true;
}

// Of an assignment to a set: the only member that may change, as `s := s | {site}` changes it. nullopt: it is another.
std::optional<Proof::Slot> Proof::changed_member(const ir::Effect& effect) {
    const Bound set = resolve({effect.value, scope_});
    if (!valid(set.expr)) return std::nullopt;
    const Op op = program_.exprs[set.expr].op;
    if (op != Op::Union && op != Op::Diff) return std::nullopt;
    const Bound all = resolve({program_.argument(set.expr, 0), set.scope}),
                one = resolve({program_.argument(set.expr, 1), set.scope});
    const auto is_own = [&](Bound e) {
        return valid(e.expr) && program_.exprs[e.expr].op == Op::StateGet &&
               static_cast<ir::StateId>(program_.exprs[e.expr].imm) == map_;
    };
    const auto single = [&](Bound e) { return valid(e.expr) && program_.exprs[e.expr].op == Op::Single; };
    const auto changed = [&](Bound e) {
        const Bound site{program_.argument(e.expr, 0), e.scope};
        return Slot{site, {}, Changes(count_), rules_.size() - 1, only(op == Op::Union ? 1 : 0)};
    };
    if (is_own(all) && single(one)) return changed(one);
    if (op == Op::Union && is_own(one) && single(all)) return changed(all);
    return std::nullopt;
}

// Adds transitions to every site: an effect that may apply to any of them.
void Proof::spread(Values from, Values to) {
    const auto change = [&](Changes& changes) {
        for (Values& now : changes)
            if ((now & from) != 0) now |= to;
    };
    change(elsewhere_);
    for (Slot& slot : slots_) {
        change(slot.changes);
        slot.stays = slot.stays && (slot.now & from) == 0;
    }
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

// Adds the parameter that this is. False: it is another expression, or known.
bool Proof::take(ExprId e, ReadOff& found) const {
    if (!valid(e) || program_.exprs[e].op != Op::Var) return false;
    const auto v = static_cast<VarId>(program_.exprs[e].imm);
    if (std::ranges::find(found.params, v) != found.params.end()) return false;
    found.params.push_back(v);
    return true;
}

// Notes the parameter that the site of a readable slot determines: the site itself, or the direction of a step to it
// from a known site. False: it determines no further one.
bool Proof::read_site(const Slot& slot, ReadOff& found) {
    const Bound site = resolve(slot.site);
    const ir::Expr& x = program_.exprs[site.expr];
    if (x.op == Op::Var) return take(site.expr, found);
    // The target of a step from a known site determines the direction.
    if (x.op != Op::The) return false;
    const ExprId image = program_.argument(site.expr, 0);
    if (program_.exprs[image].op != Op::Image) return false;
    const ExprId single = program_.argument(image, 0), step = program_.argument(image, 1);
    if (program_.exprs[single].op != Op::Single || program_.exprs[step].op != Op::Step) return false;
    const ExprId from = resolve({program_.argument(single, 0), site.scope}).expr, dir = program_.argument(step, 0);
    return valid(from) && program_.exprs[from].op == Op::Var &&
           std::ranges::find(found.params, static_cast<VarId>(program_.exprs[from].imm)) != found.params.end() &&
           directions_differ(program_.exprs[dir].type) && take(dir, found);
}

// The same of the value that a readable slot holds afterwards: a parameter, or a tuple of some.
bool Proof::read_value(const Slot& slot, ReadOff& found) {
    if (!slot.stays) return false;
    const Bound value = resolve(slot.value);
    if (!valid(value.expr) || program_.exprs[value.expr].op != Op::MakeTuple) return take(value.expr, found);
    return std::ranges::any_of(program_.arguments(value.expr), [&](ExprId part) {
        return take(resolve({part, value.scope}).expr, found);
    });
}

void Proof::done(ReadOff& found) {
    for (Slot& slot : slots_) {
        slot.readable = !meet(slot.changes, elsewhere_);
        for (std::size_t v = 0; v < count_; ++v) slot.readable = slot.readable && (slot.changes[v] & only(v)) == 0;
        for (const Slot& other : slots_)
            slot.readable = slot.readable && (&other == &slot || !meet(slot.changes, other.changes));
    }
    std::erase_if(slots_, [](const Slot& slot) { return !slot.readable; });
    while (std::ranges::any_of(slots_,
                               [&](const Slot& slot) { return read_site(slot, found) || read_value(slot, found); })) {
    }
    for (const Slot& slot : slots_) found.steps.push_back(slot.step);
}

} // namespace proof

using ir::ExprId;
using ir::Op;
using ir::TypeKind;
using proof::Proof;
using proof::ReadOff;

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

namespace {

// Whether the value depends on names and the board alone.
bool is_of_names(const ir::Program& program, ExprId e) {
    switch (program.exprs[e].op) {
    case Op::StateGet:
    case Op::MapGet:
    case Op::Call:
    case Op::Can:
    case Op::Stuck:
    case Op::Earlier: return false;
    default: return std::ranges::all_of(program.arguments(e), [&](ExprId part) { return is_of_names(program, part); });
    }
}

} // namespace

bool never_same(const FirstStepOf& first, ExprId a, ExprId b) {
    const ir::Program& program = first.program;
    if (!is_of_names(program, a) || !is_of_names(program, b)) return false;
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const auto map = static_cast<ir::StateId>(s);
        if (!is_small_map(program, map) || program.states[map].indices[0] != program.exprs[a].type ||
            program.states[map].indices[0] != program.exprs[b].type)
            continue;
        Proof proof(program, map, first.me);
        proof.suppose(first.rule);
        if (proof.never_same(first.rule, a, b) && !proof.from_initial_locals()) return true;
    }
    return false;
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

// A map or set of the state that a Proof can be about, and that the turn does not forget.
bool can_be_read(const ir::Program& program, ir::StateId id) {
    const ir::StateVariable& variable = program.states[id];
    const bool is_set = variable.indices.empty() && program.types.kind(variable.value) == TypeKind::Set;
    return !variable.local && variable.assigned && (is_set || is_small_map(program, id));
}

// What the values of the maps before and after a turn of this player tell.
ReadOff read_off(const ir::Program& program, const TurnSteps& steps, std::int64_t me, Distinct& result,
                 Passes& passes) {
    ReadOff found;
    // What one map tells may help to read another.
    for (std::size_t before = SIZE_MAX; before != found.params.size();) {
        before = found.params.size();
        for (std::size_t s = 0; s < program.states.size(); ++s) {
            if (!can_be_read(program, static_cast<ir::StateId>(s))) continue;
            ++passes[Pass::SiteTransitions].runs;
            Proof proof(program, static_cast<ir::StateId>(s), me);
            if (!std::ranges::all_of(steps.rules, [&](ir::RuleId id) { return proof.step(program.rules[id]); }))
                continue;
            passes.changed(Pass::SiteTransitions);
            if (!proof.end_of_turn()) continue;
            const std::size_t known = found.params.size() + found.steps.size();
            proof.done(found);
            if (found.params.size() + found.steps.size() != known)
                result.from_initial_locals = result.from_initial_locals || proof.from_initial_locals();
        }
    }
    return found;
}

// Whether the states before and after a turn determine its steps, whoever moves.
Distinct determines_steps(const ir::Program& program, const TurnSteps& steps, Passes& passes) {
    const Passes::Timer timer(passes, Pass::SiteTransitions);
    Distinct result{.proved = true};
    for (std::int64_t me = 0; me < std::int64_t{program.player_count()} && result.proved; ++me) {
        const ReadOff found = read_off(program, steps, me, result, passes);
        for (std::size_t r = 0; r < steps.rules.size() && result.proved; ++r) {
            const auto is_known = [&](ir::VarId v) { return std::ranges::find(found.params, v) != found.params.end(); };
            result.proved = std::ranges::all_of(program.rules[steps.rules[r]].params, is_known) &&
                            (steps.always[r] || std::ranges::find(found.steps, r) != found.steps.end());
        }
    }
    return result;
}

// For `--dump-after` of this analysis, and of the transitions that it uses.
void dump(const ir::Program& program, const TurnSteps& steps, Passes& passes) {
    if (!passes.dumps(Pass::MoveInjectivity) && !passes.dumps(Pass::SiteTransitions)) return;
    std::string text = "the states before and after a turn determine the steps";
    for (const ir::RuleId id : steps.rules) text += " `" + program.rules[id].name + "`";
    passes.dump(std::nullopt, text + "\n");
}

} // namespace

Distinct distinct_results(const ir::Program& program, const TurnSteps& steps, Passes& passes) {
    if (!passes.on(Pass::MoveInjectivity) || !passes.on(Pass::SiteTransitions)) return {};
    const Passes::Timer timer(passes, Pass::MoveInjectivity);
    ++passes[Pass::MoveInjectivity].runs;
    const Distinct result = determines_steps(program, steps, passes);
    if (!result.proved) return {};
    passes.changed(Pass::MoveInjectivity);
    dump(program, steps, passes);
    return result;
}

} // namespace zug::run
