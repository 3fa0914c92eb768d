#include "compiler/analysis/value_trials.hpp"

#include "compiler/analysis/block_effects.hpp"
#include "compiler/analysis/move_injectivity.hpp"
#include "compiler/analysis/substitution.hpp"
#include "ir/evaluate.hpp"

#include <algorithm>

namespace zug::run::proof {

using ir::ExprId;
using ir::Op;
using ir::TypeId;
using ir::TypeKind;
using ir::VarId;

// Of all trials about one turn: a tenth of a second.
constexpr std::uint64_t most_work = 5'000'000;

// An expression of a step as one of names alone: with a name for each entry of the state that it reads.
class ValueTrials::Closed : public ExpressionBuilder {
public:
    // `found`: what is known of parameters. Null: it is not asked.
    Closed(ValueTrials& trials, const StepNames& here, const ReadOff* found)
        : ExpressionBuilder(trials.scratch()), trials_(trials), here_(here), found_(found) {}

    // none_id: it depends on more.
    ExprId operator()(Bound e) {
        e = here_.names.resolve(e);
        if (!valid(e.expr) || ++visits_ > most_visits) return none_id<ExprId>;
        const ir::Expr x = program_.exprs[e.expr];
        switch (x.op) {
        case Op::Var: return name(static_cast<VarId>(x.imm), e.expr);
        case Op::StateGet:
        case Op::MapGet:
            if (!program_.states[static_cast<ir::StateId>(x.imm)].assigned) break;
            return entry(static_cast<ir::StateId>(x.imm), program_.arguments(e.expr), e.scope);
        case Op::Call: // of a recursive function
        case Op::Can:
        case Op::Stuck:
        case Op::Earlier: return none_id<ExprId>;
        default: break;
        }
        const std::size_t outer = bound_.size();
        std::vector<ExprId> args;
        for (const ExprId part : arguments(e.expr)) {
            args.push_back((*this)({part, e.scope}));
            if (!valid(args.back())) break;
            if (ir::binds_variable(x.op)) bound_.push_back(static_cast<VarId>(x.imm));
        }
        bound_.resize(outer);
        if (!args.empty() && !valid(args.back())) return none_id<ExprId>;
        return make(x.op, x.type, x.imm, args, x.span);
    }

    // The name for an entry of the state.
    template <class Indices>
    ExprId entry(ir::StateId state, const Indices& indices, const Scope* scope) {
        std::vector<Bound> of;
        for (const ExprId index : indices) of.push_back({index, scope});
        const auto same = [&](Bound a, Bound b) { return here_.names.same(a, b); };
        const auto at = std::ranges::find_if(
            entries_, [&](const Entry& one) { return one.state == state && std::ranges::equal(one.of, of, same); });
        if (at != entries_.end()) return variable(at->var);
        const TypeId type = program_.states[state].value;
        const TypeKind kind = program_.types.kind(type);
        // In a binder it can be one of several entries.
        if (std::ranges::any_of(of, [&](Bound index) { return names_bound(index); })) return none_id<ExprId>;
        if (complete_ || kind == TypeKind::Set || kind == TypeKind::Real) return none_id<ExprId>;
        const bool known = found_ != nullptr && is_readable(state) && std::ranges::all_of(of, [&](Bound index) {
                               return trials_.is_known(here_, index, *found_);
                           });
        const VarId var = program_.vars.push({"", type});
        entries_.push_back({state, std::move(of), var});
        (known ? known_ : unknown_).push_back(var);
        return variable(var);
    }

    // Once all expressions are there: adds what the step's conditions say of the same names.
    void add_conditions() {
        complete_ = true;
        for (const ir::Clause& clause : rule().when)
            if (!valid(clause.bind)) add_condition({clause.expr, here_.scope}, true);
    }

    const std::vector<VarId>& known() const { return known_; }
    const std::vector<VarId>& own() const { return own_; } // parameters of the step that are not known
    const std::vector<VarId>& unknown() const { return unknown_; }
    const std::vector<ExprId>& conditions() const { return conditions_; }
    const ir::Program& program() const { return program_; }

private:
    static constexpr std::size_t most_visits = 10'000;
    struct Entry {
        ir::StateId state;
        std::vector<Bound> of;
        VarId var;
    };

    const ir::Rule& rule() const { return trials_.program_.rules[trials_.steps_.rules[here_.step]]; }
    ExprId variable(VarId var) {
        return make(Op::Var, program_.vars[var].type, static_cast<std::int64_t>(index(var)), {}, {});
    }

    ExprId name(VarId var, ExprId e) {
        if (contains(bound_, var) || contains(known_, var) || contains(own_, var) || contains(unknown_, var)) return e;
        if (complete_) return none_id<ExprId>;
        const auto& rules = trials_.steps_.rules;
        const auto owner = std::ranges::find_if(
            rules, [&](ir::RuleId id) { return contains(trials_.program_.rules[id].params, var); });
        if (owner == rules.end()) return none_id<ExprId>;
        const auto step = static_cast<std::size_t>(owner - rules.begin());
        const bool known =
            found_ != nullptr && contains(found_->params, var) && is_made_with(trials_.steps_, here_.step, step);
        (known ? known_ : step == here_.step ? own_ : unknown_).push_back(var);
        return e;
    }

    bool names_bound(Bound e) {
        if (bound_.empty()) return false;
        e = here_.names.resolve(e);
        const ir::Expr& x = program_.exprs[e.expr];
        return (x.op == Op::Var && contains(bound_, static_cast<VarId>(x.imm))) ||
               std::ranges::any_of(program_.arguments(e.expr), [&](ExprId part) {
                   return names_bound({part, e.scope});
               });
    }

    // Whether the state before the turn, or the one after it, has what the step finds there.
    bool is_readable(ir::StateId state) const {
        const auto assigned = [&](const std::vector<ir::Block>& blocks) {
            return std::ranges::any_of(blocks, [&](const ir::Block& block) {
                return std::ranges::count(assigned_by(program_, block), state) > 0;
            });
        };
        bool before = false, after = program_.states[state].local || assigned(program_.turn->then);
        for (std::size_t k = 0; k < trials_.steps_.rules.size(); ++k)
            if (assigned(trials_.program_.rules[trials_.steps_.rules[k]].then))
                (k < here_.step ? before : after) = true;
        return !before || !after;
    }

    // -- conditions

    void keep(ExprId e, bool holds) {
        if (valid(e)) conditions_.push_back(holds ? e : not_(e));
    }

    void add_condition(Bound e, bool holds) {
        e = here_.names.resolve(e);
        if (!valid(e.expr)) return;
        const ir::Expr x = program_.exprs[e.expr];
        if (x.op == Op::Not) return add_condition({program_.argument(e.expr, 0), e.scope}, !holds);
        if (x.op == (holds ? Op::And : Op::Or)) {
            for (const ExprId part : arguments(e.expr)) add_condition({part, e.scope}, holds);
        } else if (holds && x.op == Op::If && ExpressionBuilder::known(program_.argument(e.expr, 1)) == false) {
            add_condition({program_.argument(e.expr, 0), e.scope}, false);
            add_condition({program_.argument(e.expr, 2), e.scope}, true);
        } else if (holds && x.op == Op::In) {
            const ExprId item = (*this)({program_.argument(e.expr, 0), e.scope});
            if (valid(item))
                keep(make(Op::In, x.type, 0, {item, superset({program_.argument(e.expr, 1), e.scope})}, x.span), true);
        } else if (holds && x.op == Op::Any) {
            keep(make(Op::Any, x.type, 0, {superset({program_.argument(e.expr, 0), e.scope})}, x.span), true);
        } else {
            keep((*this)(e), holds);
        }
    }

    // A set that has all members of this one.
    ExprId superset(Bound set) {
        set = here_.names.resolve(set);
        const ir::Expr x = program_.exprs[set.expr];
        const auto arg = [&](std::size_t i) { return Bound{program_.argument(set.expr, i), set.scope}; };
        if (x.op == Op::Inter) return make(x.op, x.type, 0, {superset(arg(0)), superset(arg(1))}, x.span);
        if (const ExprId e = (*this)(set); valid(e)) return e;
        if (x.op == Op::Diff) return superset(arg(0));
        if (x.op == Op::Image)
            if (const ExprId path = longer_path(arg(1)); valid(path))
                return make(x.op, x.type, 0, {superset(arg(0)), path}, x.span);
        return make(Op::Universe, x.type, 0, {}, x.span);
    }

    // A path that leads wherever this one does; none_id: none is known.
    ExprId longer_path(Bound path) {
        path = here_.names.resolve(path);
        if (!valid(path.expr)) return path.expr;
        const ir::Expr x = program_.exprs[path.expr];
        const auto arg = [&](std::size_t i) { return Bound{program_.argument(path.expr, i), path.scope}; };
        if (x.op == Op::Into) return longer_path(arg(0));
        if (x.op != Op::Seq) return (*this)(path);
        const ExprId first = longer_path(arg(0)), then = longer_path(arg(1));
        return valid(first) && valid(then) ? make(x.op, x.type, 0, {first, then}, x.span) : none_id<ExprId>;
    }

    ValueTrials& trials_;
    const StepNames& here_;
    const ReadOff* found_;
    std::size_t visits_ = 0;
    bool complete_ = false;
    std::vector<VarId> bound_; // by binders around the expression
    std::vector<VarId> known_, own_, unknown_;
    std::vector<Entry> entries_;
    std::vector<ExprId> conditions_;
};

ValueTrials::ValueTrials(const ir::Program& program, const TurnSteps& steps, std::int64_t me)
    : program_(program), steps_(steps), me_(me), work_{most_work} {}

ir::Program& ValueTrials::scratch() {
    if (scratch_) return *scratch_;
    for (const ir::StateVariable& variable : program_.states) {
        slots_.resize(std::max(slots_.size(), variable.first_slot + variable.initial.size()));
        std::ranges::copy(variable.initial, slots_.begin() + static_cast<std::ptrdiff_t>(variable.first_slot));
    }
    return scratch_.emplace(program_);
}

namespace {

// The values of some names, in the order of their ordinals; those of the last count fastest.
class Combinations {
public:
    // False: there are too many.
    Combinations(const ir::Program& program, const std::vector<VarId>& vars)
        : program_(program), vars_(vars), at_(vars.size()) {
        for (const VarId var : vars) {
            const std::uint64_t values = program.types.cardinality(program.vars[var].type);
            too_many_ = too_many_ || values > most / count_;
            if (!too_many_) count_ *= values;
        }
    }

    bool too_many() const { return too_many_; }
    void bind(ir::Evaluator& evaluator) const {
        for (std::size_t i = 0; i < vars_.size(); ++i)
            evaluator.bind(vars_[i], ir::scalar_value(program_.types.value(program_.vars[vars_[i]].type, at_[i])));
    }
    bool next() {
        for (std::size_t i = vars_.size(); i-- > 0;) {
            if (++at_[i] < program_.types.cardinality(program_.vars[vars_[i]].type)) return true;
            at_[i] = 0;
        }
        return false;
    }

private:
    static constexpr std::uint64_t most = std::uint64_t{1} << 16;
    const ir::Program& program_;
    const std::vector<VarId>& vars_;
    std::vector<std::uint64_t> at_;
    std::uint64_t count_ = 1;
    bool too_many_ = false;
};

std::vector<VarId> joined(std::vector<VarId> a, const std::vector<VarId>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

} // namespace

// Whether f(evaluator) is true for all values of the names for which the conditions hold.
template <class F>
bool ValueTrials::all(const Closed& closed, const std::vector<VarId>& vars, F&& f) {
    const ir::Program& program = closed.program();
    Combinations combinations(program, vars);
    if (combinations.too_many()) return false;
    ir::Evaluator evaluator(program, nullptr, &work_);
    evaluator.read(slots_);
    evaluator.set_me(me_);
    do {
        combinations.bind(evaluator);
        const bool possible =
            std::ranges::all_of(closed.conditions(), [&](ExprId condition) { return evaluator.truth(condition); });
        if (work_.spent() || (possible && !f(evaluator))) return false;
    } while (combinations.next());
    return true;
}

bool ValueTrials::fits(const StepNames& here, Bound value, TypeId type) {
    Closed closed(*this, here, nullptr);
    const ExprId e = closed(value);
    if (!valid(e)) return false;
    closed.add_conditions();
    return all(closed, joined(closed.unknown(), closed.own()), [&](ir::Evaluator& evaluator) {
        return program_.types.ordinal(type, evaluator.scalar(e)).has_value() && !work_.spent();
    });
}

bool ValueTrials::is_known(const StepNames& here, Bound value, const ReadOff& found) {
    Closed closed(*this, here, &found);
    return valid(closed(value)) && closed.own().empty() && closed.unknown().empty();
}

bool ValueTrials::read(const StepNames& here, Bound value, TypeId type, ReadOff& found) {
    Closed closed(*this, here, &found);
    const ExprId e = closed(value);
    if (!valid(e) || closed.own().empty() || !closed.unknown().empty()) return false;
    closed.add_conditions();
    // Values of the parameters count fastest, so that those of one state of the rest come one after the other.
    std::vector<std::int64_t> rest, seen;
    const bool told = all(closed, joined(closed.known(), closed.own()), [&](ir::Evaluator& evaluator) {
        std::vector<std::int64_t> now;
        for (const VarId var : closed.known()) now.push_back(evaluator.bound(var).scalar);
        if (now != rest) seen.clear(), rest = now;
        const std::int64_t result = evaluator.scalar(e);
        if (work_.spent() || !program_.types.ordinal(type, result) || std::ranges::count(seen, result) > 0)
            return false;
        seen.push_back(result);
        return true;
    });
    if (told) found.params.insert(found.params.end(), closed.own().begin(), closed.own().end());
    return told;
}

bool ValueTrials::changes(const StepNames& here, const ir::Effect& assignment) {
    Closed closed(*this, here, nullptr);
    const ExprId now = closed({assignment.value, here.scope});
    const ExprId before = closed.entry(assignment.state, assignment.indices, here.scope);
    if (!valid(now) || !valid(before)) return false;
    closed.add_conditions();
    const TypeId type = program_.states[assignment.state].value;
    return all(closed, joined(closed.unknown(), closed.own()), [&](ir::Evaluator& evaluator) {
        const std::int64_t value = evaluator.scalar(now);
        return !work_.spent() && program_.types.ordinal(type, value) && value != evaluator.scalar(before);
    });
}

} // namespace zug::run::proof
