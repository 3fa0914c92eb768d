#include "compiler/normalise/compared_extremes.hpp"

#include "compiler/analysis/dependence.hpp"
#include "compiler/analysis/substitution.hpp"

#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;

class ComparedExtremes : public ExpressionBuilder {
public:
    explicit ComparedExtremes(ir::Program& program) : ExpressionBuilder(program), given_(program), on_(given_) {}

    bool replace(ExprId e) {
        const ir::Expr comparison = program_.exprs[e];
        if (comparison.op != Op::Lt && comparison.op != Op::Eq) return false;
        for (std::size_t i = 0; i < 2; ++i) {
            const ExprId extreme = program_.argument(e, i), number = program_.argument(e, 1 - i);
            if (!is_comparable(extreme, number)) continue;
            const ExprId said = comparison.op == Op::Eq ? equals(extreme, number)
                                : i == 0                ? extreme_is_less(extreme, number)
                                                        : extreme_is_greater(extreme, number);
            program_.exprs[e] = program_.exprs[said];
            return true;
        }
        return false;
    }

private:
    // Whether the set alone depends on more than names.
    bool is_comparable(ExprId extreme, ExprId number) {
        const ir::Expr& x = program_.exprs[extreme];
        if (x.op != Op::MinOver && x.op != Op::MaxOver) return false;
        const auto is_whole = [&](ExprId e) {
            return program_.types.kind(program_.exprs[e].type) == ir::TypeKind::Int;
        };
        // Of the members themselves there is an instruction.
        if (is_name(program_, program_.argument(extreme, 1), static_cast<ir::VarId>(x.imm))) return false;
        return is_whole(extreme) && is_whole(number) && on_.of(program_.argument(extreme, 0)).on_more &&
               !on_.of(program_.argument(extreme, 1)).on_more && !on_.of(number).on_more &&
               !names(program_, number, static_cast<ir::VarId>(x.imm));
    }

    // The extreme of nothing: the greatest number of the type of a least one, and the other way round.
    ExprId of_nothing(ExprId extreme) {
        const ir::Expr x = program_.exprs[extreme];
        const ir::Type& type = program_.types[x.type];
        return constant(x.type, x.op == Op::MinOver ? type.hi : type.lo, x.span);
    }
    ExprId less(ExprId a, ExprId b) {
        return make(Op::Lt, program_.types.boolean(), 0, {a, b}, program_.exprs[a].span);
    }
    // A quantifier over the set of the extreme.
    ExprId over(Op quantifier, ExprId extreme, ExprId condition) {
        const ir::Expr x = program_.exprs[extreme];
        return make(quantifier, program_.types.boolean(), x.imm, {program_.argument(extreme, 0), condition}, x.span);
    }

    ExprId extreme_is_less(ExprId extreme, ExprId number) {
        const ir::Expr x = program_.exprs[extreme];
        const ExprId each = less(program_.argument(extreme, 1), number), none = less(of_nothing(extreme), number);
        return x.op == Op::MinOver ? junction(Op::Or, {none, over(Op::Exists, extreme, each)}, x.span)
                                   : junction(Op::And, {none, over(Op::ForAll, extreme, each)}, x.span);
    }
    ExprId extreme_is_greater(ExprId extreme, ExprId number) {
        const ir::Expr x = program_.exprs[extreme];
        const ExprId each = less(number, program_.argument(extreme, 1)), none = less(number, of_nothing(extreme));
        return x.op == Op::MinOver ? junction(Op::And, {none, over(Op::ForAll, extreme, each)}, x.span)
                                   : junction(Op::Or, {none, over(Op::Exists, extreme, each)}, x.span);
    }
    ExprId equals(ExprId extreme, ExprId number) {
        const ir::Expr x = program_.exprs[extreme];
        const auto equal = [&](ExprId e) {
            return make(Op::Eq, program_.types.boolean(), 0, {e, number}, program_.exprs[e].span);
        };
        const ExprId each = program_.argument(extreme, 1);
        const ExprId beyond = x.op == Op::MinOver ? less(each, number) : less(number, each);
        const ExprId met =
            junction(Op::Or, {equal(of_nothing(extreme)), over(Op::Exists, extreme, equal(each))}, x.span);
        return junction(Op::And, {not_(over(Op::Exists, extreme, beyond)), met}, x.span);
    }

    const ir::Program given_; // as it was: what an expression depends on stays the same
    Dependences on_;
};

} // namespace

std::uint64_t compare_each(ir::Program& program) {
    ComparedExtremes extremes(program);
    return replace_each(program, [&](ExprId e) { return extremes.replace(e); });
}

} // namespace zug::run
