#pragma once
// Substitution in expressions of the finite core: of values for names, and of assigned values for reads of the state.
// It turns a condition on the state after some effects into one on the state before them (the assignment axiom: C. A.
// R. Hoare, An Axiomatic Basis for Computer Programming, 1969).
//
// Cost: at most 200,000 visits of expressions, calls expanded; then a Substitution gives up.

#include "compiler/analysis/move_injectivity.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

namespace zug::run {

// Whether two expressions are equal as trees, names included.
bool alike(const ir::Program& program, ir::ExprId a, ir::ExprId b);
// Whether `a`, with the variable `of_b` for `of_a`, is `b`.
bool alike_renamed(const ir::Program& program, ir::ExprId a, ir::VarId of_a, ir::ExprId b, ir::VarId of_b);
// Whether an image or a path leads from one site to one site at most, as single steps do.
bool leads_to_one(const ir::Program& program, ir::ExprId e);
// Of `let v = x in if v is none: a else b`: a and b. Nothing: it is another expression.
struct NoneCase {
    ir::ExprId none, some;
};
std::optional<NoneCase> none_case(const ir::Program& program, ir::ExprId let);
// Whether the variable occurs in the expression.
bool names(const ir::Program& program, ir::ExprId e, ir::VarId var);
// Whether the expression is the variable and nothing else.
inline bool is_name(const ir::Program& program, ir::ExprId e, ir::VarId var) {
    const ir::Expr& x = program.exprs[e];
    return x.op == ir::Op::Var && static_cast<ir::VarId>(x.imm) == var;
}
// Whether it is a call of the function of the parameters that the function itself was given.
bool calls_alike(const ir::Program& program, ir::ExprId e, ir::FunctionId id);
// The parts of a conjunction (And) or disjunction (Or); of anything else, itself.
inline std::vector<ir::ExprId> parts(const ir::Program& program, ir::ExprId e, ir::Op joined) {
    if (program.exprs[e].op != joined) return {e};
    const auto args = program.arguments(e);
    return {args.begin(), args.end()};
}

// The sets of an intersection; of anything else, itself.
std::vector<ir::ExprId> intersected(const ir::Program& program, ir::ExprId set);

// Calls replace(e) for each expression that the program has now, those inside others first. Returns how often it was
// true.
template <class F>
std::uint64_t replace_each(const ir::Program& program, F&& replace) {
    std::uint64_t replaced = 0;
    const std::size_t exprs = program.exprs.size();
    for (std::size_t e = 0; e < exprs; ++e) replaced += replace(static_cast<ir::ExprId>(e)) ? 1 : 0;
    return replaced;
}

// Adds expressions to a program. Truths are simplified where operands are constants.
class ExpressionBuilder {
public:
    explicit ExpressionBuilder(ir::Program& program) : program_(program) {}

    ir::ExprId make(ir::Op op, ir::TypeId type, std::int64_t imm, const std::vector<ir::ExprId>& args, Span span) {
        ir::Expr e;
        e.op = op;
        e.type = type;
        e.first_arg = static_cast<std::uint32_t>(program_.args.size());
        e.arg_count = static_cast<std::uint32_t>(args.size());
        e.imm = imm;
        e.span = span;
        program_.args.insert(program_.args.end(), args.begin(), args.end());
        return program_.exprs.push(e);
    }
    ir::ExprId constant(ir::TypeId type, std::int64_t value, Span span) {
        return make(ir::Op::Const, type, value, {}, span);
    }
    ir::ExprId truth(bool value, Span span) { return constant(program_.types.boolean(), value ? 1 : 0, span); }
    // The truth of a constant.
    std::optional<bool> known(ir::ExprId e) const {
        const ir::Expr& x = program_.exprs[e];
        return x.op == ir::Op::Const ? std::optional(x.imm != 0) : std::nullopt;
    }
    ir::ExprId not_(ir::ExprId e) {
        const Span span = program_.exprs[e].span;
        if (const auto k = known(e)) return truth(!*k, span);
        return make(ir::Op::Not, program_.types.boolean(), 0, {e}, span);
    }
    // And or Or of any number of truths.
    ir::ExprId junction(ir::Op op, const std::vector<ir::ExprId>& parts, Span span) {
        std::vector<ir::ExprId> left;
        for (const ir::ExprId part : parts) {
            const auto k = known(part);
            if (!k) left.push_back(part);
            if (k && *k == (op == ir::Op::Or)) return part;
        }
        if (left.empty()) return truth(op == ir::Op::And, span);
        return left.size() == 1 ? left[0] : make(op, program_.types.boolean(), 0, left, span);
    }
    // `yes` where the condition holds, else `no`.
    ir::ExprId choose(ir::ExprId condition, ir::ExprId yes, ir::ExprId no, ir::TypeId type) {
        if (const auto k = known(condition)) return *k ? yes : no;
        if (type == program_.types.boolean()) {
            const Span span = program_.exprs[condition].span;
            if (const auto k = known(yes))
                return *k ? junction(ir::Op::Or, {condition, no}, span)
                          : junction(ir::Op::And, {not_(condition), no}, span);
            if (const auto k = known(no))
                return *k ? junction(ir::Op::Or, {not_(condition), yes}, span)
                          : junction(ir::Op::And, {condition, yes}, span);
        }
        return make(ir::Op::If, type, 0, {condition, yes, no}, program_.exprs[yes].span);
    }

protected:
    std::vector<ir::ExprId> arguments(ir::ExprId e) const {
        const auto args = program_.arguments(e);
        return {args.begin(), args.end()};
    }
    // The operation of `e` on other arguments, simplified where they are constants.
    ir::ExprId remake(ir::ExprId e, const std::vector<ir::ExprId>& args) {
        const ir::Expr x = program_.exprs[e];
        switch (x.op) {
        case ir::Op::Not: return not_(args[0]);
        case ir::Op::And:
        case ir::Op::Or: return junction(x.op, args, x.span);
        case ir::Op::If: return choose(args[0], args[1], args[2], x.type);
        case ir::Op::IsNone:
            if (const ir::Expr& of = program_.exprs[args[0]]; of.op == ir::Op::Const)
                return truth(of.imm == ir::none, x.span);
            if (program_.types.kind(program_.exprs[args[0]].type) != ir::TypeKind::Optional)
                return truth(false, x.span);
            break;
        case ir::Op::In:
            if (const ir::Expr& of = program_.exprs[args[0]]; of.op == ir::Op::Const && of.imm == ir::none)
                return truth(false, x.span);
            if (program_.exprs[args[1]].op == ir::Op::Single && alike(program_, args[0], program_.argument(args[1], 0)))
                return not_(make(ir::Op::IsNone, x.type, 0, {args[0]}, x.span));
            break;
        default: break;
        }
        return make(x.op, x.type, x.imm, args, x.span);
    }

    ir::Program& program_;
};

// Substitutes values for names and for reads of the state. `local_start`: local variables have their initial values.
class Substitution : public ExpressionBuilder {
public:
    Substitution(ir::Program& program, bool local_start);

    void name(ir::VarId var, ir::ExprId value) { names_.insert_or_assign(index(var), value); }
    ir::ExprId value_of(ir::VarId var) const { return names_.at(index(var)); }
    // From now on reads of the state give the values after these effects of the step. The expressions in the effects
    // must be about the state before them, that is, already be results of this substitution.
    void apply(const std::vector<ir::Effect>& effects);
    // The same of effects as they are in the step: their expressions are substituted in first.
    void apply(const std::vector<ir::EffectId>& effects);
    // To be called before: what is known of the step, of whatever player it may be.
    void suppose(const FirstStepOf& first) { suppositions_.push_back(first); }
    // From now on this variable is read as it is.
    void release(ir::StateId state) { changes_[index(state)] = {}; }
    // The expression after substitution; none_id: it reads something whose value after the effects is not known, or it
    // is too large.
    ir::ExprId operator()(ir::ExprId e);
    // Whether one of the variables occurs in the expression.
    bool names_any(ir::ExprId e, const std::vector<ir::VarId>& vars);
    // Whether it depends on more than the state: on the history, on legal moves, or on a recursive function.
    bool reads_beyond_state(ir::ExprId e);
    // Whether it is never none.
    bool is_some(ir::ExprId e) const {
        return program_.types.kind(program_.exprs[e].type) != ir::TypeKind::Optional ||
               (!suppositions_.empty() &&
                std::ranges::all_of(suppositions_, [&](const FirstStepOf& first) { return never_none(first, e); }));
    }

private:
    // An effect that happens where a condition on the state before it holds. none_id: always.
    struct GuardedEffect {
        ir::Effect effect;
        ir::ExprId when = none_id<ir::ExprId>;
    };
    // What the effects do to a state variable.
    struct Change {
        bool changed = false;
        bool unknown = false;                   // it has a value that cannot be expressed
        ir::ExprId value = none_id<ir::ExprId>; // of a variable without indices
        std::vector<GuardedEffect> at_slots;    // of a map: the assignments to its slots
    };
    Change& change_of(ir::ExprId read) { return changes_[static_cast<std::size_t>(program_.exprs[read].imm)]; }

    // Whether `wanted` holds for the expression, a part of it or of a function that it calls; true if it is too large.
    template <class F>
    bool any_part(ir::ExprId e, F&& wanted);
    bool is_affected(ir::ExprId e);
    bool reads_changed(ir::ExprId e, std::vector<ir::FunctionId>& seen);
    void collect(const std::vector<ir::EffectId>& list, ir::ExprId when, std::vector<GuardedEffect>& all);
    bool collect_each(const ir::Effect& loop, ir::ExprId when, std::vector<GuardedEffect>& all);
    void apply(const GuardedEffect& guarded);
    bool assigns(const GuardedEffect& guarded);
    void forget(const ir::Effect& effect);
    ir::ExprId with_name(ir::VarId var, ir::ExprId value, ir::ExprId e);
    ir::ExprId call(ir::ExprId e);
    ir::ExprId member(ir::ExprId e);
    ir::ExprId read_map(ir::ExprId e, const std::vector<ir::ExprId>& indices);
    // The truth that an effect assigns to the slot with these indices.
    ir::ExprId same_slot(const std::vector<ir::ExprId>& indices, const GuardedEffect& guarded);
    // Of the operands of `in`: x and {x}.
    bool is_own_singleton(const std::vector<ir::ExprId>& args) const {
        return program_.exprs[args[1]].op == ir::Op::Single && is_some(args[0]) &&
               alike(program_, args[0], program_.argument(args[1], 0));
    }
    std::optional<ir::ExprId> single_changed_read(ir::ExprId condition);
    ir::ExprId by_slot(ir::ExprId condition, ir::ExprId read);

    static constexpr std::size_t most_steps = 200'000;
    std::vector<Change> changes_;
    std::unordered_map<std::size_t, ir::ExprId> names_;
    std::vector<FirstStepOf> suppositions_;       // one of them holds; none: nothing is known
    ir::ExprId value_read_ = none_id<ir::ExprId>; // the result for the changed read of the condition in by_slot()
    std::size_t steps_ = 0;
};

} // namespace zug::run
