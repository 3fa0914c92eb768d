#pragma once
// Makes expressions of the intermediate representation: flattens and simplifies them, and folds those that do not
// depend on the state to constants, so that equivalent expressions reach the executors in one form.
//
// For each expression the builder keeps facts (free variables, use of the state, size, estimated cost). Constants are
// folded by the reference evaluator, and only where the estimated cost is below `fold_cost`, so that no file can make
// the checker run for long. Internal to src/lang.

#include "ir/evaluate.hpp"
#include "ir/program.hpp"

#include <boost/container/small_vector.hpp>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace zug::lang {

using ir::ExprId;
using ir::Op;
using ir::TypeId;
using ir::TypeKind;
using ir::VarId;

// What a subexpression depends on, and how large it is. `size` does not include the bodies of called functions.
struct Facts {
    boost::container::small_vector<VarId, 3> free; // ascending
    bool reads_state = false;                      // the state, the history, or whether a move is legal
    bool uses_me = false;
    bool binds = false;     // contains a Let or a binder
    std::uint32_t size = 1; // as a tree
    std::uint32_t height = 1;
    double cost = 1; // of one evaluation, in the units of `fold_cost`
};

// A variable, the value of its Let or the set that its binder ranges over, and the expression in which it is known.
struct Scope {
    VarId var;
    ExprId first;
    ExprId body;
};

using Substitution = std::map<VarId, ExprId>;

// Thrown when the budget of expressions or of tree height is used up.
struct Exhausted {};

class Builder {
public:
    explicit Builder(ir::Program& program);

    static constexpr double fold_cost = 4e6;
    static constexpr std::size_t max_expressions = 2'000'000;
    static constexpr std::uint32_t max_height = 1500;

    // An expression with any operation, simplified if possible. Throws Exhausted.
    ExprId make(Op op, TypeId type, std::span<const ExprId> args, std::int64_t imm, Span span);
    ExprId make(Op op, TypeId type, std::initializer_list<ExprId> args, std::int64_t imm, Span span) {
        return make(op, type, std::span(args.begin(), args.size()), imm, span);
    }
    ExprId make(Op op, TypeId type, std::initializer_list<ExprId> args, Span span) {
        return make(op, type, std::span(args.begin(), args.size()), 0, span);
    }
    // An operation with a variable of its own: Let, or a binder over a set.
    ExprId bind(Op op, TypeId type, const Scope& scope, Span span) {
        return make(op, type, {scope.first, scope.body}, static_cast<std::int64_t>(index(scope.var)), span);
    }

    // ---- leaves
    VarId new_var(std::string name, TypeId type);
    ExprId var(VarId var, Span span); // a constant if the type has a single integer
    ExprId constant(TypeId type, std::int64_t value, Span span);
    ExprId truth(bool value, Span span) { return constant(types().boolean(), value ? 1 : 0, span); }
    ExprId integer(std::int64_t value, Span span) { return constant(types().integer(value, value), value, span); }
    ExprId real(double value, Span span);
    ExprId set_constant(TypeId type, Bits bits, Span span);
    ExprId universe(TypeId element, Span span) { return make(Op::Universe, types().set(element), {}, span); }

    // ---- common shapes
    ExprId conjunction(std::vector<ExprId> parts, Span span);
    ExprId disjunction(std::vector<ExprId> parts, Span span);
    ExprId negation(ExprId expr, Span span);
    ExprId equal(ExprId a, ExprId b, Span span) { return make(Op::Eq, types().boolean(), {a, b}, span); }
    ExprId is_none(ExprId a, Span span) { return make(Op::IsNone, types().boolean(), {a}, span); }
    ExprId any(ExprId set, Span span) { return make(Op::Any, types().boolean(), {set}, span); }
    ExprId single(ExprId element, Span span);
    ExprId choose(ExprId condition, ExprId yes, ExprId no, TypeId type, Span span) {
        return make(Op::If, type, {condition, yes, no}, span);
    }

    // ---- questions
    const ir::Expr& operator[](ExprId id) const { return program_.exprs[id]; }
    const Facts& facts(ExprId id) const { return facts_[id]; }
    TypeId type(ExprId id) const { return program_.exprs[id].type; }
    bool is_constant(ExprId id) const;
    std::optional<std::int64_t> scalar(ExprId id) const; // of Const
    std::optional<double> number(ExprId id) const;       // of Const and RealConst
    // A set that is the same in every state: SetConst, Universe.
    std::optional<Bits> set(ExprId id) const;
    // Constants, variables and `me`, which cost nothing to write more than once.
    bool is_leaf(ExprId id) const;
    // Whether an expression is cheap enough to be written more than once.
    bool is_simple(ExprId id) const { return !facts_[id].binds && facts_[id].size <= 4; }
    // But for the names of inner variables.
    bool same(ExprId a, ExprId b) const;

    // A copy with variables replaced and all inner binders renamed.
    ExprId substitute(ExprId id, const Substitution& replacement);
    // The same value with another type.
    ExprId retyped(ExprId id, TypeId type);

    // ---- functions and constant tables
    void function_done(ir::FunctionId id); // to be called when its body is set: facts of later calls depend on it
    void constant_state(ir::StateId id);   // its initial slots are set and it is never assigned: reads of it fold
    void read_initial(std::span<const std::uint32_t> slots) { evaluator_.read(slots); }
    ir::Value evaluate(ExprId id) { return evaluator_.value(id); }
    void bind_value(VarId var, ir::Value value) { evaluator_.bind(var, std::move(value)); }

    ir::TypeTable& types() { return program_.types; }
    const ir::TypeTable& types() const { return program_.types; }

private:
    using Renaming = std::map<std::int64_t, std::int64_t>; // of bound variables
    bool same(ExprId a, ExprId b, Renaming& renamed) const;
    ExprId push(Op op, TypeId type, std::span<const ExprId> args, std::int64_t imm, Span span);
    std::optional<ExprId> simplified(Op op, TypeId type, std::span<const ExprId> args, Span span);
    std::optional<ExprId> simplified_set(Op op, std::span<const ExprId> args);
    Facts facts_of(const ir::Expr& expr, std::span<const ExprId> args) const;
    double cost_of(const ir::Expr& expr, std::span<const ExprId> args) const;
    double cardinality(TypeId element) const;
    bool foldable(ExprId id) const;
    ExprId folded(ExprId id);

    ir::Program& program_;
    ir::Work work_; // without a limit but while a constant is folded
    ir::Evaluator evaluator_;
    IdVector<ExprId, Facts> facts_;
    std::map<ir::FunctionId, Facts> functions_;
    std::vector<bool> constant_states_;
};

} // namespace zug::lang
