#pragma once
// The semantics of expressions: the evaluator that all others are tested against. It walks the tree on the canonical
// slots, without optimisations. The checker also folds constants with it, without a state: expressions that read one
// must then not be evaluated.
//
// Cost: proportional to the size of the tree as unfolded by calls and binders; sets are copied freely. A limit can be
// set: once it is reached, every value is false, {} or the first of its type, so that evaluation soon ends. Recursive
// functions are computed as least fixpoints by Kleene iteration over the calls that occur, which terminates because the
// lattices (Bool, sets) are finite and the checker admits monotone recursion only.

#include "base/bits.hpp"
#include "ir/program.hpp"
#include "ir/work.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace zug::ir {

// Which field holds the value follows from the expression's type.
struct Value {
    std::int64_t scalar = 0;
    double real = 0;
    Bits set;

    friend bool operator==(const Value&, const Value&) = default;
};

Value scalar_value(std::int64_t scalar);
Value real_value(double real);
Value set_value(Bits set);

// An operation on two whole numbers, of those that is_arithmetic() names.
std::int64_t arithmetic(Op op, std::int64_t a, std::int64_t b);

// Questions of an expression to the game beyond its state, answered by the reference executor.
class GameQuestions {
public:
    virtual ~GameQuestions() = default;
    virtual bool stuck(std::span<const std::uint32_t> slots) const = 0;
    virtual std::int64_t earlier(KeyId key, std::span<const std::uint32_t> slots, std::int64_t me) const = 0;
    // Whether some instance of the rule is legal for `me`. pattern: one entry a parameter; no value: any.
    virtual bool can(RuleId rule, std::span<const std::optional<std::int64_t>> pattern,
                     std::span<const std::uint32_t> slots, std::int64_t me) const = 0;
};

class Evaluator {
public:
    // `work`: what may be done by this evaluator and others that share it; null: no limit. It must outlive the
    // evaluator.
    explicit Evaluator(const Program& program, const GameQuestions* questions = nullptr, Work* work = nullptr);

    // The state that expressions read, which must outlive the evaluations, and the player that `me` stands for.
    void read(std::span<const std::uint32_t> slots) { slots_ = slots; }
    void set_me(std::int64_t player) { me_ = player; }
    void bind(VarId var, Value value);
    const Value& bound(VarId var) const;

    Value value(ExprId expr);
    bool truth(ExprId expr) { return value(expr).scalar != 0; }
    std::int64_t scalar(ExprId expr) { return value(expr).scalar; }
    double real(ExprId expr) { return value(expr).real; }
    Bits set(ExprId expr) { return value(expr).set; }
    // Where `sources` lead along a path.
    Bits image(const Bits& sources, ExprId path);

private:
    struct Fixpoint;

    // evaluate.cpp
    Value& slot_of(VarId var);
    TypeKind kind(ExprId id) const;
    TypeId element(TypeId set) const;
    BoardId board_of(TypeId type) const;
    Bits empty_set(TypeId type) const;
    Value missing(TypeId type) const;
    Value read_entry(StateId id, std::uint64_t entry) const;
    Value map_get(ExprId id);
    Value let(ExprId id);
    void name_path(VarId var, ExprId path);
    bool equal(ExprId a, ExprId b);
    bool truth_of(ExprId id);
    bool is_in(std::int64_t value, ExprId set_expr);
    Value calculate(ExprId id);
    Value fold(ExprId id);
    std::int64_t structure(ExprId id);
    std::int64_t make_tuple(ExprId id);
    std::int64_t project(ExprId id, std::int64_t tuple) const;
    std::int64_t site_at(BoardId board, std::int64_t x, std::int64_t y) const;
    Bits set_of(ExprId id);
    Bits int_range(TypeId type, std::int64_t low, std::int64_t high) const;
    Bits retype(TypeId type, ExprId from);

    // evaluate_path.cpp
    Bits follow(const Bits& sources, ExprId path, bool back);
    Bits follow_into(const Bits& sources, ExprId path, bool back);
    Bits follow_map(const Bits& sources, TypeId path, StepId step, bool back) const;
    Bits repeat(Bits sources, ExprId path, std::int64_t times, bool back);
    Bits spread(Bits sources, ExprId path, std::int64_t times, bool back);

    // evaluate_call.cpp
    Value call(ExprId id);
    Value least_fixpoint(FunctionId function, std::vector<Value> args);
    Value run_body(FunctionId id, const std::vector<Value>& args);
    bool same_cycle(FunctionId a, FunctionId b);
    bool reaches(FunctionId from, FunctionId to) const;
    bool can(ExprId id);

    // f() with `var` bound to `value`; its previous binding is restored afterwards.
    template <class F>
    auto with(VarId var, Value value, F&& f) {
        Value saved = std::exchange(slot_of(var), std::move(value));
        auto result = f();
        slot_of(var) = std::move(saved);
        return result;
    }
    // Whether f() holds with `var` bound to some member of the set; tries them in ascending order until one does.
    template <class F>
    bool any_member(VarId var, ExprId domain, F&& f) {
        const Bits members = set(domain);
        const TypeId type = element(program_.exprs[domain].type);
        return with(var, {}, [&] {
            for (std::size_t i = members.first(); i < members.size(); i = members.next(i + 1)) {
                slot_of(var).scalar = program_.types.value(type, i);
                if (f()) return true;
            }
            return false;
        });
    }

    bool step(std::uint64_t steps) { return work_ == nullptr || work_->take(steps); }
    bool out_of_work() const { return work_ != nullptr && work_->spent(); }

    const Program& program_;
    const GameQuestions* questions_;
    Work* work_;
    std::span<const std::uint32_t> slots_;
    std::int64_t me_ = 0;
    std::vector<Value> vars_;                                  // by VarId
    std::vector<ExprId> paths_;                                // by VarId: the path that a Let of a path names
    Fixpoint* fixpoint_ = nullptr;                             // the innermost one being computed
    std::map<std::pair<FunctionId, FunctionId>, bool> cycles_; // answers of same_cycle
};

} // namespace zug::ir
