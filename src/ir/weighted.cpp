#include "ir/weighted.hpp"

#include <bit>
#include <initializer_list>
#include <ranges>

namespace zug::ir {

namespace {

class Sum {
public:
    explicit Sum(Program& program) : program_(program) {}

    void add(const EvalTerm::Part& part, double weight) {
        ExprId term = program_.types.kind(program_.exprs[part.expr].type) == TypeKind::Real
                          ? part.expr
                          : make(Op::ToReal, {part.expr}, 0);
        if (weight != 1) term = make(Op::Mul, {number(weight), term}, 0);
        for (const auto& [var, value] : std::views::reverse(part.lets))
            term = make(Op::Let, {value, term}, static_cast<std::int64_t>(index(var)));
        sum_ = valid(sum_) ? make(Op::Add, {sum_, term}, 0) : term;
    }
    ExprId done() { return valid(sum_) ? sum_ : number(0); }

private:
    ExprId number(double value) { return make(Op::RealConst, {}, std::bit_cast<std::int64_t>(value)); }
    ExprId make(Op op, std::initializer_list<ExprId> args, std::int64_t imm) {
        Expr expr;
        expr.op = op;
        expr.type = program_.types.real();
        expr.imm = imm;
        expr.first_arg = static_cast<std::uint32_t>(program_.args.size());
        expr.arg_count = static_cast<std::uint32_t>(args.size());
        program_.args.insert(program_.args.end(), args.begin(), args.end());
        return program_.exprs.push(expr);
    }

    Program& program_;
    ExprId sum_ = none_id<ExprId>;
};

} // namespace

Program with_weights(const Program& program, std::span<const double> weights) {
    Program changed = program;
    for (std::size_t p = 0; p < changed.evals.size(); ++p) {
        Sum sum(changed);
        for (std::size_t t = 0; t < program.terms.size(); ++t)
            if (weights[t] != 0) sum.add(program.terms[t].by_player[p], weights[t]);
        changed.evals[p] = sum.done();
    }
    return changed;
}

} // namespace zug::ir
