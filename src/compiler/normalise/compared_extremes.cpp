#include "compiler/normalise/compared_extremes.hpp"

#include "compiler/analysis/dependence.hpp"
#include "compiler/analysis/substitution.hpp"

#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;

// A comparison, and which of its arguments is the least or greatest of some numbers.
struct Comparison {
    ExprId expr;
    std::size_t extreme;
};

class ComparedExtremes : public ExpressionBuilder {
public:
    explicit ComparedExtremes(ir::Program& program) : ExpressionBuilder(program), on_(program) {}

    // Before any is replaced, since it is of the program as it is that dependences are found.
    std::vector<Comparison> find() {
        std::vector<Comparison> found;
        for (std::size_t n = 0; n < program_.exprs.size(); ++n) {
            const auto e = static_cast<ExprId>(n);
            if (program_.exprs[e].op != Op::Lt && program_.exprs[e].op != Op::Eq) continue;
            if (is_comparable(program_.argument(e, 0), program_.argument(e, 1)))
                found.push_back({e, 0});
            else if (is_comparable(program_.argument(e, 1), program_.argument(e, 0)))
                found.push_back({e, 1});
        }
        return found;
    }

    void replace(const Comparison& of) {
        const ExprId extreme = program_.argument(of.expr, of.extreme);
        const ExprId number = program_.argument(of.expr, 1 - of.extreme);
        const ExprId said =
            program_.exprs[of.expr].op == Op::Eq ? equals(extreme, number) : differs(extreme, number, of.extreme == 0);
        program_.exprs[of.expr] = program_.exprs[said];
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

    // That the extreme is less than the number, or greater: some member is, of a least one that is less and a greatest
    // one that is greater, else all are, and so is the extreme of nothing.
    ExprId differs(ExprId extreme, ExprId number, bool is_less) {
        const ir::Expr x = program_.exprs[extreme];
        const auto compared = [&](ExprId e) { return is_less ? less(e, number) : less(number, e); };
        const ExprId each = compared(program_.argument(extreme, 1)), none = compared(of_nothing(extreme));
        const bool some = (x.op == Op::MinOver) == is_less;
        return junction(some ? Op::Or : Op::And, {none, over(some ? Op::Exists : Op::ForAll, extreme, each)}, x.span);
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

    Dependences on_;
};

} // namespace

std::uint64_t compare_each(ir::Program& program) {
    ComparedExtremes extremes(program);
    const std::vector<Comparison> found = extremes.find();
    for (const Comparison& comparison : found) extremes.replace(comparison);
    return found.size();
}

} // namespace zug::run
