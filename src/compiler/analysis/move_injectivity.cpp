#include "compiler/analysis/move_injectivity.hpp"

#include "compiler/analysis/site_transitions.hpp"

#include <algorithm>
#include <memory>

namespace zug::run {
namespace proof {

using ir::EffectKind;
using ir::ExprId;
using ir::Op;
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
// False: it changes the map in a way that is not followed.
bool Proof::step(const ir::Rule& rule) {
    const std::size_t number = rules_.size();
    step_scopes_.push_back(scope_ = names_.enter(rule));
    rules_.push_back(&rule);
    if (!slots_.empty() || has_spread_) unchanged_.clear();
    const Scope* scope = scope_;
    for (std::size_t b = 0; b < rule.then.size(); ++b) {
        if (b > 0) scope = names_.bind_lets(rule.then[b].lets, scope);
        for (ir::EffectId id : rule.then[b].effects) {
            const ir::Effect& effect = program_.effects[id];
            if (!touches(effect)) continue;
            const bool done = b == 0 && effect.kind == EffectKind::Assign
                                  ? assign(rule, effect)
                                  : spread({id}, scope, b == 0 ? &rule : nullptr, b == 0);
            if (!done) return false;
        }
    }
    for (const ir::Block& block : rule.then) note_assigned(block.effects);
    unchanged_.push_back({&rule, scope_});
    names_.bind_assigned(rule, scope_, is_made_with_rest(turn_->steps, number));
    return true;
}

bool Proof::assign(const ir::Rule& rule, const ir::Effect& effect) {
    Slot slot{{}, {effect.value, scope_}, Changes(count_), rules_.size() - 1, 0, 0};
    if (is_set_) {
        const auto changed = changed_member(effect);
        if (!changed) return false;
        slot = *changed;
    } else {
        slot.site = {effect.indices[0], scope_};
        slot.now = can_be(slot.value, &rule);
    }
    slot.certain = never_none(slot.site, rule) || turn_->trials.fits(names_of(slot.step), slot.site, index_type());
    const Values old = can_hold(slot.site, rule);
    for (std::size_t v = 0; v < count_; ++v)
        if ((elsewhere_[v] & old) != 0) slot.changes[v] = slot.now;
    if (!meets_earlier(slot, old)) return false;
    slot.number = slots_.empty() || slots_.back().step != slot.step ? 0 : slots_.back().number + 1;
    slots_.push_back(std::move(slot));
    return true;
}

// Whether an earlier step has assigned to the same site depends on the case, where it can have been: what it has left
// there can be what this one finds. False: that cannot be told.
bool Proof::meets_earlier(Slot& slot, Values old) {
    for (auto other = slots_.begin(); other != slots_.end();) {
        const bool can_meet =
            other->step != slot.step && std::ranges::any_of(other->changes, [&](Values to) { return (to & old) != 0; });
        if (can_meet && (!slot.certain || !other->certain || other->earlier)) return false;
        if (!can_meet || slot.earlier || !turn_->cases.same_site()) {
            ++other;
            continue;
        }
        for (std::size_t v = 0; v < count_; ++v) slot.changes[v] = (other->changes[v] & old) != 0 ? slot.now : 0;
        slot.earlier = Slot::Earlier{other->site, other->step};
        other = slots_.erase(other);
    }
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
        return Slot{site, {}, Changes(count_), rules_.size() - 1, 0, only(op == Op::Union ? 1 : 0)};
    };
    if (is_own(all) && single(one)) return changed(one);
    if (op == Op::Union && is_own(one) && single(all)) return changed(all);
    return std::nullopt;
}

// Adds transitions to every site: an effect that may apply to any of them.
void Proof::spread(Values from, Values to) {
    has_spread_ = true;
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

// The values of the map at this site under which no condition of an `if` around the effect is known to fail.
Values Proof::meets_guards(Bound site) {
    Values result = 0;
    site_ = &site;
    for (ordinal_ = 0; ordinal_ < count_; ++ordinal_)
        if (std::ranges::none_of(guards_,
                                 [&](const Guard& guard) { return holds(guard.condition) == truth(!guard.holds); }))
            result |= only(ordinal_);
    site_ = nullptr;
    return result;
}

// The same for effects that may happen. `rule`: they are of its first block. `now`: names in them stand for what they
// stand for on the state that the effects read.
bool Proof::spread(const std::vector<ir::EffectId>& list, const Scope* scope, const ir::Rule* rule, bool now) {
    for (ir::EffectId id : list) {
        const ir::Effect& effect = program_.effects[id];
        if (!touches(effect)) continue;
        switch (effect.kind) {
        case EffectKind::If:
        case EffectKind::For:
        case EffectKind::Let: {
            const auto under = [&](const std::vector<ir::EffectId>& branch, bool holds) {
                if (effect.kind == EffectKind::If) guards_.push_back({{effect.value, scope}, holds});
                const bool done = spread(branch, scope, rule, now);
                if (effect.kind == EffectKind::If) guards_.pop_back();
                return done;
            };
            if (!under(effect.yes, true) || !under(effect.no, false)) return false;
            break;
        }
        case EffectKind::Assign: {
            const bool at_site = rule != nullptr && !is_set_;
            spread(at_site ? can_hold({effect.indices[0], scope}, *rule) & meets_guards({effect.indices[0], scope})
                           : ~Values{0},
                   can_be({effect.value, scope}, rule));
            break;
        }
        case EffectKind::AssignSet: {
            Values from = now ? 0 : ~Values{0};
            for (ordinal_ = 0; ordinal_ < count_ && now; ++ordinal_)
                if (member({effect.indices[0], scope}) != Truth::No) from |= only(ordinal_);
            spread(from, can_be({effect.value, scope}, rule));
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
        scope = names_.bind_lets(block.lets, scope);
        if (!spread(block.effects, scope, nullptr, true)) return false;
        note_assigned(block.effects);
    }
    return true;
}

} // namespace proof

using ir::ExprId;
using ir::Op;
using ir::TypeKind;
using proof::contains;
using proof::Proof;
using proof::ReadOff;

static bool has_few_values(const ir::Program& program, ir::TypeId type) {
    const TypeKind kind = program.types.kind(type);
    return kind != TypeKind::Set && kind != TypeKind::Real && program.types.cardinality(type) <= proof::most_values;
}

// Whether the map fits a Proof.
static bool is_small_map(const ir::Program& program, ir::StateId map) {
    const ir::StateVariable& variable = program.states[map];
    return variable.indices.size() == 1 && has_few_values(program, variable.value);
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
        const auto state = static_cast<ir::StateId>(s);
        if (!has_few_values(first.program, first.program.states[state].value)) continue;
        Proof proof(first.program, state, first.me); // of whatever map, since none is asked about
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

// What the values of the maps before and after a turn of one player tell.
class TurnReader {
public:
    TurnReader(const ir::Program& program, const TurnSteps& steps, std::int64_t me, Passes& passes)
        : program_(program), steps_(steps), me_(me), passes_(passes), names_(program, steps),
          trials_(program, steps, me) {}

    // What one map tells may help to read another.
    const ReadOff& read() {
        for (std::size_t before = SIZE_MAX; before != found.params.size();) {
            before = found.params.size();
            for (std::size_t s = 0; s < program_.states.size(); ++s) {
                const auto state = static_cast<ir::StateId>(s);
                const ir::StateVariable& variable = program_.states[state];
                if (variable.indices.empty() && !variable.local) proof::read_variable(program_, steps_, state, found);
                if (!variable.local) proof::read_sole_change({program_, steps_, state, names_, trials_}, found);
                if (can_be_read(program_, state)) read_map(state);
            }
        }
        return found;
    }

    ReadOff found;
    bool from_initial_locals = false;

private:
    // Adds what one map tells in all cases.
    void read_map(ir::StateId map) {
        constexpr std::size_t most_cases = 8;
        proof::Cases cases;
        const proof::ProofOfTurn turn{steps_, cases, trials_};
        std::vector<std::unique_ptr<Proof>> proofs;
        std::vector<ReadOff> told;
        do {
            if (proofs.size() == most_cases) return;
            ++passes_[Pass::SiteTransitions].runs;
            Proof& proof = *proofs.emplace_back(std::make_unique<Proof>(program_, map, me_, &turn));
            if (!std::ranges::all_of(steps_.rules, [&](ir::RuleId id) { return proof.step(program_.rules[id]); }))
                return;
            passes_.changed(Pass::SiteTransitions);
            if (!proof.end_of_turn()) return;
            proof.done(told.emplace_back(found));
        } while (cases.next());
        for (std::size_t i = 0; i < proofs.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                if (!proofs[i]->differs_from(*proofs[k])) return;
        const auto in_all = [&](auto member, auto one) {
            return std::ranges::all_of(told, [&](const ReadOff& read) {
                return std::ranges::find(read.*member, one) != (read.*member).end();
            });
        };
        const std::size_t known = found.params.size() + found.steps.size();
        for (const ir::VarId param : told[0].params)
            if (!contains(found.params, param) && in_all(&ReadOff::params, param)) found.params.push_back(param);
        for (const std::size_t step : told[0].steps)
            if (in_all(&ReadOff::steps, step)) found.steps.push_back(step);
        if (found.params.size() + found.steps.size() == known) return;
        for (const auto& proof : proofs) from_initial_locals = from_initial_locals || proof->from_initial_locals();
    }

    const ir::Program& program_;
    const TurnSteps& steps_;
    std::int64_t me_;
    Passes& passes_;
    proof::TurnNames names_;
    proof::ValueTrials trials_;
};

// Whether it is seen if a turn has the step: every turn has it, or it leaves a mark, or one does that comes with it.
bool is_seen(const TurnSteps& steps, std::size_t step, const ReadOff& found) {
    return steps.always[step] || std::ranges::any_of(found.steps, [&](std::size_t seen) {
               return seen == step || (!steps.kinds.empty() && steps.kinds[seen] == steps.kinds[step]);
           });
}

// Whether the states before and after a turn determine its steps, whoever moves.
Distinct determines_steps(const ir::Program& program, const TurnSteps& steps, Passes& passes) {
    const Passes::Timer timer(passes, Pass::SiteTransitions);
    Distinct result{.proved = true};
    for (std::int64_t me = 0; me < std::int64_t{program.player_count()} && result.proved; ++me) {
        TurnReader reader(program, steps, me, passes);
        const ReadOff& found = reader.read();
        result.from_initial_locals = result.from_initial_locals || reader.from_initial_locals;
        for (std::size_t r = 0; r < steps.rules.size() && result.proved; ++r) {
            const auto is_known = [&](ir::VarId v) { return contains(found.params, v); };
            result.proved =
                std::ranges::all_of(program.rules[steps.rules[r]].params, is_known) && is_seen(steps, r, found);
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
