#pragma once
// The meaning of expressions: the evaluator that everything else is tested against. It walks the tree, works on the
// canonical slots, and knows nothing clever. Also used to fold constants while a file is checked (with no state: then
// expressions that ask for one must not be evaluated).
//
// Cost: whatever the tree says; sets are copied freely. Recursive functions are computed as least fixpoints by iteration
// over the calls met (Kleene), which ends because sets and truths are finite and the checker admits monotone use only.

#include "base/bits.hpp"
#include "ir/program.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace zug::ir {

// Which field holds the value follows from the expression's type.
struct Value {
    std::int64_t scalar = 0;
    double real = 0;
    Bits set;

    friend bool operator==(const Value&, const Value&) = default;
};

// What an expression may ask of the game beyond its state. The reference executor answers.
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
    explicit Evaluator(const Program& program, const GameQuestions* questions = nullptr);

    // The state that expressions read (kept by reference), and the player that Me is.
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
    const Program& program_;
    const GameQuestions* questions_;
    std::span<const std::uint32_t> slots_;
    std::int64_t me_ = 0;
    std::vector<Value> vars_; // by VarId
    // (the author adds what the implementation needs)
};

} // namespace zug::ir
