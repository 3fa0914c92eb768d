// Conditions about the value at one place of a map: true for some values, false for the others. Worked out value by
// value when the code is made, so that at run time such a condition is a union of planes, however it was written.

#include "compiler/lower/lowering.hpp"

#include <algorithm>

namespace zug::run {

using ir::Op;

// The condition at `e` for each value, by ordinal. `about`: a term of the place; empty until the first is met, and all
// others must be of the same place. False: it isn't of this kind.
bool Lowering::truth_by_value(ir::ExprId e, const Context& in, const Lift& lift, std::optional<Term>& about,
                              std::vector<bool>& truth) {
    const Scoped r = resolve(e, in);
    const ir::Expr& x = expr(r.expr);
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    // A term: its value for each value of the map. Constants have one for all, once it is known how many there are.
    const auto term = [&](ir::ExprId a, Term& out) {
        if (program_.types.kind(expr(a).type) == ir::TypeKind::Set || !lift_term(a, r.in, lift, out)) return false;
        if (out.kind == Term::Kind::Table && !depends(a, r.in)) return true;
        if (out.kind != Term::Kind::Map) return false;
        if (about) return about->state == out.state && about->table == out.table;
        about = out;
        return true;
    };
    const auto values = [&](const Term& t) {
        return t.kind == Term::Kind::Map ? t.values : std::vector(about->values.size(), t.table.front());
    };
    const auto known = [&](bool value) {
        if (!about) return false;
        truth.assign(about->values.size(), value);
        return true;
    };
    switch (x.op) {
    case Op::Not:
        if (!truth_by_value(arg(0), r.in, lift, about, truth)) return false;
        truth.flip();
        return true;
    case Op::And:
    case Op::Or: {
        std::vector<bool> joined;
        for (ir::ExprId a : program_.arguments(r.expr)) {
            if (!truth_by_value(a, r.in, lift, about, truth)) return false;
            if (joined.empty()) joined = truth;
            for (std::size_t o = 0; o < truth.size(); ++o)
                joined[o] = x.op == Op::And ? joined[o] && truth[o] : joined[o] || truth[o];
        }
        truth = std::move(joined);
        return !truth.empty();
    }
    case Op::Const: return known(x.imm != 0);
    case Op::IsNone:
    case Op::Eq: {
        Term a, b;
        if (x.op == Op::Eq && program_.types.kind(expr(arg(0)).type) == ir::TypeKind::Real) return false;
        if (!term(arg(0), a) || (x.op == Op::Eq && !term(arg(1), b)) || !about) return false;
        const auto left = values(a), right = x.op == Op::Eq ? values(b) : std::vector(left.size(), ir::none);
        truth.resize(left.size());
        for (std::size_t o = 0; o < left.size(); ++o) truth[o] = left[o] == right[o];
        return true;
    }
    default: return false;
    }
}

// The condition as a set; no_node: it isn't about the value at one place.
NodeRef Lowering::lift_by_value(ir::ExprId e, const Context& in, const Lift& lift) {
    std::optional<Term> about;
    std::vector<bool> truth;
    if (!truth_by_value(e, in, lift, about, truth)) return no_node;
    if (std::ranges::count(truth, true) == 0) return empty(lift.shape.words);
    // Where it holds for the value of ordinal 0, which has no plane, it is simpler to say where it doesn't.
    const bool inverse = truth[0] && std::ranges::count(truth, true) > 1;
    for (std::size_t o = 0; o < truth.size(); ++o) about->values[o] = truth[o] != inverse ? 1 : 0;
    const NodeRef places = map_equals(*about, 1, in, lift);
    return places == no_node || !inverse ? places : graph_.and_not(lift.universe, places);
}

} // namespace zug::run
