#include "game/facts/bounds.hpp"

#include "executor/executor.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>

namespace zug::game {

using ir::Op;
using ir::TypeKind;

Interval hull(const Interval& a, const Interval& b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

namespace {

Interval meet(const Interval& a, const Interval& b) {
    const Interval both{std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
    return both.lo <= both.hi ? both : a;
}

// Of what an operation gives at the ends of its operands, where it is greatest and least. Where it is not a number at
// one of them (0 times what may be infinite), nothing is known of it.
Interval span_of(std::initializer_list<double> ends) {
    if (std::ranges::any_of(ends, [](double end) { return std::isnan(end); })) return unbounded;
    const auto [lo, hi] = std::minmax(ends);
    return {lo, hi};
}

Interval product(const Interval& a, const Interval& b) {
    return span_of({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
}

// Of a divisor that is never 0. Divided as values are, since a product with the reciprocal is rounded otherwise.
Interval quotient(const Interval& a, const Interval& b) {
    return span_of({a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi});
}

// The sum of at most so many equal numbers, rounded at each step as a sum of numbers is.
double repeated_sum(double number, double times) {
    double sum = 0;
    for (double i = 0; i < times && std::isfinite(sum); ++i) sum += number;
    return sum;
}

class Bounder {
public:
    explicit Bounder(const Terms& terms) : terms_(terms), program_(terms.program()) {}

    Interval of(TermId id) const {
        const Term& term = terms_[id];
        return meet(from_type(term.type), from_parts(term));
    }

private:
    Interval from_type(ir::TypeId id) const {
        const ir::Type& type = program_.types[id];
        if (type.kind == TypeKind::Optional) return from_type(type.parts.front());
        if (type.kind != TypeKind::Int) return unbounded;
        return {static_cast<double>(type.lo), static_cast<double>(type.hi)};
    }

    // An upper bound on the number of members of a set.
    double size(TermId set) const {
        const ir::TypeId type = terms_[set].type;
        if (program_.types.kind(type) != TypeKind::Set) return unbounded.hi;
        return static_cast<double>(program_.types.cardinality(program_.types.inner(type)));
    }

    Interval division(const Term& term) const {
        const Interval above = of(term.args[0]);
        const Interval below = of(term.args[1]);
        if (below.lo > 0 || below.hi < 0) return rounded(term, quotient(above, below));
        if (program_.types.kind(term.type) == TypeKind::Real) return unbounded; // the divisor may be tiny
        const double most = std::max(std::abs(above.lo), std::abs(above.hi));
        return {-most, most};
    }

    Interval rounded(const Term& term, const Interval& exact) const {
        if (program_.types.kind(term.type) == TypeKind::Real) return exact;
        return {std::floor(exact.lo), std::floor(exact.hi)};
    }

    Interval sum(const Term& term) const {
        const double most = size(term.args[0]);
        const Interval each = of(term.args[1]);
        const bool by_steps = program_.types.kind(term.type) == TypeKind::Real && std::isfinite(most);
        return hull({0, 0}, by_steps ? Interval{repeated_sum(each.lo, most), repeated_sum(each.hi, most)}
                                     : product({0, most}, each));
    }

    Interval from_parts(const Term& term) const {
        auto arg = [&](std::size_t i) { return of(term.args[i]); };
        switch (term.op) {
        case Op::Const: return {static_cast<double>(term.imm), static_cast<double>(term.imm)};
        case Op::RealConst: return {std::bit_cast<double>(term.imm), std::bit_cast<double>(term.imm)};
        case Op::ToReal: return arg(0);
        case Op::Neg: return {-arg(0).hi, -arg(0).lo};
        case Op::Add: return span_of({arg(0).lo + arg(1).lo, arg(0).hi + arg(1).hi});
        case Op::Sub: return span_of({arg(0).lo - arg(1).hi, arg(0).hi - arg(1).lo});
        case Op::Mul: return product(arg(0), arg(1));
        case Op::Div: return division(term);
        case Op::Min: return {std::min(arg(0).lo, arg(1).lo), std::min(arg(0).hi, arg(1).hi)};
        case Op::Max: return {std::max(arg(0).lo, arg(1).lo), std::max(arg(0).hi, arg(1).hi)};
        case Op::If: return hull(arg(1), arg(2));
        case Op::Count: return {0, size(term.args[0])};
        case Op::SumOver: return sum(term);
        case Op::MinOver:
        case Op::MaxOver: return extreme(term);
        default: return unbounded;
        }
    }

    // Over an empty set the value is an end of the type's range, or 0 for reals.
    Interval extreme(const Term& term) const {
        const Interval body = of(term.args[1]);
        if (program_.types.kind(term.type) == TypeKind::Real) return hull({0, 0}, body);
        const ir::Type& type = program_.types[term.type];
        const auto empty = static_cast<double>(term.op == Op::MinOver ? type.hi : type.lo);
        return hull({empty, empty}, body);
    }

    const Terms& terms_;
    const ir::Program& program_;
};

} // namespace

Interval bounds(const Terms& terms, TermId id) { return Bounder(terms).of(id); }

Interval payoff_bounds(const Terms& terms, std::optional<TermId> payoff) {
    const Interval all = payoff ? bounds(terms, *payoff) : unbounded;
    return {std::clamp(all.lo, -run::max_payoff, run::max_payoff),
            std::clamp(all.hi, -run::max_payoff, run::max_payoff)};
}

} // namespace zug::game
