#pragma once
// Payoff expressions as terms in a normal form, for proofs about them: calls are inlined, names are replaced by their
// definitions, `me` and the players are constants, and bound variables are de Bruijn levels (the number of binders
// around theirs). Terms are hash-consed, so two expressions with the same normal form are the same term.

#include "ir/program.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace zug::game {

enum class TermId : std::uint32_t {};

struct Term {
    ir::Op op = ir::Op::Const;
    ir::TypeId type{};
    std::int64_t imm =
        0; // as of the expression; of a bound name (Var) and its binder: how many binders enclose that one
    std::vector<TermId> args;
};

class Terms {
public:
    explicit Terms(const ir::Program& program) : program_(program) {}

    // The term of an expression for a given `me`. Empty if inlining makes it too large.
    std::optional<TermId> of(ir::ExprId expr, std::int64_t me);
    const Term& operator[](TermId id) const { return terms_[id]; }
    const ir::Program& program() const { return program_; }

    // The integer or player that a constant term is.
    std::optional<std::int64_t> constant(TermId id) const;
    TermId make(Term term);

private:
    struct Environment {
        std::map<ir::VarId, TermId> names;
        std::int64_t binders = 0; // how many enclose the present expression
    };

    TermId convert(ir::ExprId expr, const Environment& env, std::uint32_t depth);
    TermId convert_children(ir::ExprId expr, const Environment& env, std::uint32_t depth);
    TermId convert_binder(ir::ExprId expr, const Environment& env, std::uint32_t depth);
    TermId convert_call(ir::ExprId expr, const Environment& env, std::uint32_t depth);
    TermId fold(Term term);
    std::optional<std::int64_t> folded(const Term& term) const;
    TermId scalar(ir::TypeId type, std::int64_t value);

    // How many terms inlining may make before it gives up; payoffs of real games have a few dozen.
    static constexpr std::size_t max_terms = 20'000;
    static constexpr std::uint32_t max_depth = 200;

    const ir::Program& program_;
    IdVector<TermId, Term> terms_;
    std::multimap<std::uint64_t, TermId> by_hash_;
    std::int64_t me_ = 0;
    bool too_large_ = false;
    std::size_t steps_ = 0;
};

} // namespace zug::game
