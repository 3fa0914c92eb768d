#pragma once
// Site transitions: for one map of the state, which values a site can hold before a step of a turn and which after it,
// derived from the rules alone. The proof of injectivity (move_injectivity.hpp) is built on them.
//
// Conditions are evaluated in three-valued logic under the hypothesis that one site holds one value: a condition that
// is not known to be false may hold, so the sets of values are supersets of the possible ones.
//
// Cost: a walk of the rule's conditions for each value of the map, of which there are at most 64. Functions and names
// are expanded where they are used, so that a walk takes time in proportion to the expanded expressions.

#include "compiler/analysis/turn_names.hpp"
#include "compiler/analysis/value_trials.hpp"
#include "ir/program.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace zug::run::proof {

// A set of values of the map, as bits by ordinal.
using Values = std::uint64_t;
constexpr std::uint64_t most_values = 64;
constexpr Values only(std::uint64_t ordinal) { return Values{1} << ordinal; }

// The transitions of a site: for each value before, by ordinal, the possible values after.
using Changes = std::vector<Values>;

// Whether the two have a transition in common.
inline bool meet(const Changes& a, const Changes& b) {
    for (std::size_t v = 0; v < a.size(); ++v)
        if ((a[v] & b[v]) != 0) return true;
    return false;
}

enum class Truth : std::uint8_t { No, Yes, Unknown };
inline Truth truth(bool b) { return b ? Truth::Yes : Truth::No; }
inline Truth opposite(Truth t) { return t == Truth::Unknown ? t : truth(t == Truth::No); }
inline Truth both(Truth a, Truth b) {
    if (a == Truth::No || b == Truth::No) return Truth::No;
    return a == Truth::Yes && b == Truth::Yes ? Truth::Yes : Truth::Unknown;
}
inline Truth either(Truth a, Truth b) { return opposite(both(opposite(a), opposite(b))); }

// In which cases of a turn a Proof is about: where a step may assign to the site of an earlier one, whether it does.
// The first case is that it never does; next() goes on to another until there is none.
class Cases {
public:
    // Whether the step does, in this case. Asked for the same steps in the same order in each.
    bool same_site() {
        if (asked_ == answers_.size()) answers_.push_back(false);
        return answers_[asked_++];
    }
    bool next() {
        answers_.resize(asked_);
        asked_ = 0;
        while (!answers_.empty() && answers_.back()) answers_.pop_back();
        if (answers_.empty()) return false;
        answers_.back() = true;
        return true;
    }

private:
    std::vector<bool> answers_;
    std::size_t asked_ = 0;
};

// What the proofs about the maps of one turn have in common.
struct ProofOfTurn {
    const TurnSteps& steps;
    Cases& cases;
    ValueTrials& trials;
};

// The transitions of one map over one turn of player `me`. The map has one index and at most 64 values; or it is a set
// without index, as a map to truths. Call step() for each step in order, then end_of_turn(), then done(); a false
// result of any means that nothing is proved.
class Proof {
public:
    // `turn`: null only where step() is not called.
    Proof(const ir::Program& program, ir::StateId map, std::int64_t me, const ProofOfTurn* turn = nullptr)
        : program_(program), map_(map), me_(me), turn_(turn), names_(program),
          is_set_(program.types.kind(program.states[map].value) == ir::TypeKind::Set),
          type_(is_set_ ? program.types.boolean() : program.states[map].value),
          count_(program.types.cardinality(type_)), elsewhere_(count_) {
        for (std::uint64_t v = 0; v < count_; ++v) elsewhere_[v] = only(v);
    }

    bool step(const ir::Rule& rule);
    bool end_of_turn();
    // Adds what can be read off this map, given what is known from others.
    void done(ReadOff& found);
    // After done(): whether states before and after a turn tell this case from the other.
    bool differs_from(const Proof& other) const { return is_told_from(other) || other.is_told_from(*this); }
    // Whether the facts so far rest on the assumption that a turn begins with the initial values of local variables.
    bool from_initial_locals() const { return from_initial_locals_; }
    // Instead of step(): binds the names of the rule, for the two questions about a first step that follow. They are
    // explained in move_injectivity.hpp.
    void suppose(const ir::Rule& rule);
    bool keeps_truth(const ir::Rule& rule, const ir::Effect& assignment, ir::ExprId condition, ir::ExprId site);
    bool never_none(ir::ExprId site, const ir::Rule& rule) { return never_none(Bound{site, scope_}, rule); }
    bool never_same(const ir::Rule& rule, ir::ExprId a, ir::ExprId b) {
        return (can_hold({a, scope_}, rule) & can_hold({b, scope_}, rule)) == 0 ||
               leads_away({a, scope_}, {b, scope_}) || leads_away({b, scope_}, {a, scope_});
    }

private:
    // A site that a step assigns to.
    struct Slot {
        Bound site;
        Bound value; // no expression: not known
        Changes changes;
        std::size_t step;      // its index in rules_
        std::size_t number;    // of the slot among those of the step
        Values now;            // that are assigned
        bool readable = false; // no other effect of the turn makes these transitions, so the site can be found by them
        bool stays = true;     // what was assigned is not changed again
        bool certain = true;   // the site is never none, in which case nothing is assigned
        // The site of an earlier step, if it is the same: what the two change is one change.
        struct Earlier {
            Bound site;
            std::size_t step;
        };
        std::optional<Earlier> earlier = std::nullopt;
    };

    Bound resolve(Bound e) { return names_.resolve(e); }
    bool same(Bound a, Bound b) { return names_.same(a, b); }
    bool is_site(Bound e) { return !valid(e.expr) || (site_ != nullptr && same(e, *site_)); }
    Truth holds(ir::ExprId e, const Scope* scope) { return holds(Bound{e, scope}); }
    Truth holds(Bound e);
    Truth member(Bound set);
    Truth ends_in(Bound path);
    // A site or set that is reached from one site by a fixed number of steps: that site, and for each step its
    // direction and the sets that it must end in.
    struct Walk {
        Bound from;
        struct Step {
            Bound dir;
            std::vector<Bound> into;
        };
        std::vector<Step> steps;
    };
    std::optional<Walk> walk(Bound set);
    bool add_path(Bound path, std::vector<Walk::Step>& steps);
    bool leads_past(const Walk& longer, const Walk& shorter);
    bool leads_away(Bound site, Bound from);
    Truth leads_on(Bound set);
    std::optional<std::int64_t> number(Bound e);
    std::optional<std::int64_t> read(Bound e);
    bool is_initial(ir::StateId state);
    bool may_hold(const std::vector<ir::Clause>& when, const Scope* scope);
    Values can_hold(Bound site, const ir::Rule& rule);
    bool never_none(Bound site, const ir::Rule& rule);
    bool needs_some(Bound condition, Bound value, const std::optional<Walk>& there);
    Values can_be(Bound value, const ir::Rule* rule);
    Values can_be_tuple(Bound tuple);
    void note_assigned(const std::vector<ir::EffectId>& list);
    bool touches(const ir::Effect& effect) const;
    bool touches(const std::vector<ir::EffectId>& list) const;
    bool assign(const ir::Rule& rule, const ir::Effect& effect);
    std::optional<Slot> changed_member(const ir::Effect& effect);
    bool spread(const std::vector<ir::EffectId>& list, const Scope* scope, const ir::Rule* rule, bool now);
    void spread(Values from, Values to);
    Values meets_guards(Bound site);
    bool is_made_with(std::size_t step, ir::VarId param) const;
    bool take(ir::ExprId e, std::size_t step, ReadOff& found) const;
    bool meets_earlier(Slot& slot, Values old);
    bool is_told_from(const Proof& other) const;
    bool read_site(const Slot& slot, ReadOff& found);
    bool read_site(Bound site, std::size_t step, ReadOff& found);
    bool read_value(const Slot& slot, ReadOff& found);
    bool read_step(const Slot& slot, ReadOff& found);
    ir::TypeId index_type() const {
        const ir::StateVariable& variable = program_.states[map_];
        return is_set_ ? program_.types.inner(variable.value) : variable.indices[0];
    }
    StepNames names_of(std::size_t step) { return {names_, step_scopes_[step], step}; }

    const ir::Program& program_;
    ir::StateId map_;
    std::int64_t me_;
    const ProofOfTurn* turn_;
    Names names_;
    bool is_set_;
    ir::TypeId type_;
    std::uint64_t count_;
    const Scope* scope_ = nullptr; // of the current step
    std::vector<const Scope*> step_scopes_;
    // The hypothesis: the site `site_` holds the value with this ordinal. No hypothesis while it is null.
    const Bound* site_ = nullptr;
    std::uint64_t ordinal_ = 0;
    std::vector<Slot> slots_;
    std::vector<Slot> all_slots_; // after done(), which leaves only those that are readable in slots_
    struct Guard {                // the condition of an `if`, or its opposite
        Bound condition;
        bool holds;
    };
    std::vector<Guard> guards_; // around the effect at hand
    bool has_spread_ = false;   // some effect may apply to any site
    Changes elsewhere_;         // the transitions of sites that no slot is about
    std::vector<const ir::Rule*> rules_;
    struct Step {
        const ir::Rule* rule;
        const Scope* scope;
    };
    std::vector<Step> unchanged_;       // earlier steps since which no effect has changed the map
    std::vector<ir::StateId> assigned_; // by the steps so far
    bool from_initial_locals_ = false;
};

// Adds the parameter that a variable without index holds after the turn: the last effect on it is an assignment of a
// step that every turn has.
void read_variable(const ir::Program& program, const TurnSteps& steps, ir::StateId state, ReadOff& found);

// The names of all steps of a turn.
class TurnNames {
public:
    TurnNames(const ir::Program& program, const TurnSteps& steps);
    StepNames names_of(std::size_t step) { return {names_, scopes_[step], step}; }

private:
    Names names_;
    std::vector<const Scope*> scopes_;
};

struct SoleChangeOf {
    const ir::Program& program;
    const TurnSteps& steps;
    ir::StateId state;
    TurnNames& names;
    ValueTrials& trials;
};
// Adds the parameters that a variable tells which one effect of all steps changes, of a step that every turn has: where
// its indices are known, the value that is assigned; where the entry always has another value afterwards, as by
// `n[k] -= 1` or by `hand[me] := hand[me] \ k` of a `k in hand[me]`, the indices, too, and the member.
void read_sole_change(const SoleChangeOf& change, ReadOff& found);

} // namespace zug::run::proof
