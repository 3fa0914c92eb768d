// Arithmetic, whose result types are intervals, and comparisons.

#include "lang/check/operators.hpp"
#include "lang/core/conversions.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace zug::lang {

namespace {

struct Interval {
    std::int64_t lo, hi;
};

std::int64_t clamped(double x) {
    return static_cast<std::int64_t>(std::clamp(x, static_cast<double>(ir::int_min), static_cast<double>(ir::int_max)));
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    const std::int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

// Bounds have magnitudes of at most 2^40, so doubles hold sums exactly and products precisely enough to clamp.
Interval hull_of_corners(Interval a, Interval b, auto&& f) {
    const std::int64_t corners[] = {f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)};
    return {std::ranges::min(corners), std::ranges::max(corners)};
}

bool has_zero(Interval a) { return a.lo <= 0 && a.hi >= 0; }

// The divisor is not zero, or there has been an error.
Interval quotient(Interval a, Interval b) {
    return hull_of_corners(a, b, [](std::int64_t x, std::int64_t y) { return y == 0 ? 0 : floor_div(x, y); });
}

// Of a number in a definition that calls itself, which is as large as its calls make it.
bool is_unbounded(Interval a) { return a.lo == ir::int_min && a.hi == ir::int_max; }

// The greatest magnitude that a result may have, whatever the bounds of whole numbers; 0 if it is not known.
double magnitude(Op op, Interval a, Interval b) {
    const auto of = [](Interval x) {
        return std::max(std::abs(static_cast<double>(x.lo)), std::abs(static_cast<double>(x.hi)));
    };
    if (is_unbounded(a) || is_unbounded(b)) return 0;
    if (op == Op::Mul) return of(a) * of(b);
    const Interval sum = op == Op::Add ? Interval{a.lo + b.lo, a.hi + b.hi} : Interval{a.lo - b.hi, a.hi - b.lo};
    return op == Op::Add || op == Op::Sub ? of(sum) : 0;
}

Interval bounds(Op op, Interval a, Interval b) {
    switch (op) {
    case Op::Add: return {clamped(static_cast<double>(a.lo + b.lo)), clamped(static_cast<double>(a.hi + b.hi))};
    case Op::Sub: return {clamped(static_cast<double>(a.lo - b.hi)), clamped(static_cast<double>(a.hi - b.lo))};
    case Op::Mul:
        return hull_of_corners(a, b, [](std::int64_t x, std::int64_t y) {
            const double product = static_cast<double>(x) * static_cast<double>(y);
            return std::abs(product) < 1e12 ? x * y : clamped(product);
        });
    case Op::Div: return quotient(a, b);
    case Op::Mod: {
        if (a.lo >= 0 && b.lo > a.hi) return a;
        return {std::min<std::int64_t>(0, b.lo + 1), std::max<std::int64_t>(0, b.hi - 1)};
    }
    case Op::Min: return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    case Op::Max: return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    default: return {ir::int_min, ir::int_max};
    }
}

Op operation(std::string_view op) {
    if (op == "+") return Op::Add;
    if (op == "-") return Op::Sub;
    if (op == "*") return Op::Mul;
    if (op == "/" || op == "div") return Op::Div;
    if (op == "mod") return Op::Mod;
    return op == "min" ? Op::Min : Op::Max;
}

} // namespace

Operand Operators::arithmetic(std::string_view op, const Operand& a, const Operand& b, Span at) {
    const auto is_set = [&](const Operand& x) { return kind(x.type) == TypeKind::Set; };
    const auto sets = [&](const Operand& x) { return is_set(x) && kind(types().inner(x.type)) != TypeKind::Int; };
    // One set of numbers may stand for its only member; of two, their union or difference is meant.
    if ((op == "+" || op == "-") && (sets(a) || sets(b) || (is_set(a) && is_set(b)))) {
        mismatch(is_set(a) ? a.span : b.span, is_set(a) ? a : b, "a number",
                 op == "+" ? "`|` joins two sets" : "`\\` takes a set from another");
        return poison(at);
    }
    const bool real = kind(bare(a.type)) == TypeKind::Real || kind(bare(b.type)) == TypeKind::Real;
    if (op == "/" || real) {
        if (op == "div" || op == "mod") {
            error(Message::WholeNumbersOnly, at, {std::string(op)}, op == "div" ? "`/` divides real numbers" : "");
            return poison(at);
        }
        return real_arithmetic(operation(op), a, b, at);
    }
    const Operand x = conversions_.as_integer(a), y = conversions_.as_integer(b);
    if (!x.ok() || !y.ok()) return poison(at);
    const Op operation = lang::operation(op);
    const ir::Type tx = types()[x.type], ty = types()[y.type];
    const Interval left{tx.lo, tx.hi}, right{ty.lo, ty.hi};
    if ((op == "div" || op == "mod") && has_zero(right)) {
        if (builder_.scalar(y.expr) == 0)
            error(Message::DivisionByZero, b.span);
        else
            error(Message::MaybeZero, b.span, {std::string(op), type_text(y.type)},
                  "`max(1, ...)` is never 0; `/` divides real numbers");
    }
    check_magnitude(magnitude(operation, left, right), at);
    const Interval range = bounds(operation, left, right);
    return value(builder_.make(operation, types().integer(range.lo, range.hi), {x.expr, y.expr}, at), at);
}

// Whole numbers that could leave their bounds are an error of the rules, so that none ever do.
void Operators::check_magnitude(double most, Span at) {
    if (most <= static_cast<double>(ir::int_max)) return;
    error(Message::NumberMayBeTooLarge, at, {fmt::format("{:.2g}", most), std::to_string(ir::int_max)},
          "bound it with `min` and `max`, or calculate with real numbers, as in `1.0 * n`");
}

Operand Operators::real_arithmetic(Op op, const Operand& a, const Operand& b, Span at) {
    const ExprId x = conversions_.as_real(a), y = conversions_.as_real(b);
    if (!valid(x) || !valid(y)) return poison(at);
    if (op == Op::Div && builder_.number(y) == 0.0) error(Message::DivisionByZero, b.span);
    return value(builder_.make(op, types().real(), {x, y}, at), at);
}

Operand Operators::negative(const Operand& a, Span at) {
    if (kind(a.type) == TypeKind::Real) return value(builder_.make(Op::Neg, types().real(), {a.expr}, at), at);
    const Operand x = conversions_.as_integer(a);
    if (!x.ok()) return poison(at);
    const ir::Type t = types()[x.type];
    return value(builder_.make(Op::Neg, types().integer(-t.hi, -t.lo), {x.expr}, at), at);
}

Operand Operators::comparison(std::string_view op, const Operand& a, const Operand& b, Span at) {
    if (op == "=") return equality(a, b, at);
    const auto negated = [&](const Operand& x) { return x.ok() ? value(builder_.negation(x.expr, at), at) : x; };
    if (op == "!=") return negated(equality(a, b, at));
    if (op == "<") return less(a, b, at);
    if (op == ">") return less(b, a, at);
    return negated(op == "<=" ? less(b, a, at) : less(a, b, at));
}

Operand Operators::less(const Operand& a, const Operand& b, Span at) {
    const bool real = kind(a.type) == TypeKind::Real || kind(b.type) == TypeKind::Real;
    if (real) {
        const ExprId x = conversions_.as_real(a), y = conversions_.as_real(b);
        return valid(x) && valid(y) ? value(builder_.make(Op::Lt, types().boolean(), {x, y}, at), at) : poison(at);
    }
    const Operand x = conversions_.as_integer(a), y = conversions_.as_integer(b);
    if (!x.ok() || !y.ok()) return poison(at);
    return value(builder_.make(Op::Lt, types().boolean(), {x.expr, y.expr}, at), at);
}

// A value is compared with a set as the set of it alone, though whether it is a member may have been meant. Sets that
// are the same in every state, such as groups of sites, and `c.d & s`, which has no other member, are meant.
void Operators::warn_of_set(const Operand& one, const Operand& set) {
    if (!one.ok() || !set.ok() || kind(set.type) != TypeKind::Set ||
        kind(bare(one.type)) != kind(types().inner(set.type)))
        return;
    const Op op = builder_[set.expr].op;
    const bool is_named = op == Op::SetOf || op == Op::MapGet || op == Op::StateGet;
    if (is_named && builder_.facts(set.expr).reads_state)
        warn(Message::ComparedWithSet, set.span, {type_text(one.type), type_text(set.type)},
             "`x in s` asks whether x is a member, and `{x} = s` is the same comparison without this warning");
}

Operand Operators::equality(const Operand& a, const Operand& b, Span at) {
    const bool a_none = kind(a.type) == TypeKind::None, b_none = kind(b.type) == TypeKind::None;
    if (a_none || b_none) {
        const Operand& other = a_none ? b : a;
        if (kind(other.type) == TypeKind::Set) return value(builder_.negation(builder_.any(other.expr, at), at), at);
        if (kind(other.type) == TypeKind::Optional) return value(builder_.is_none(other.expr, at), at);
        if (kind(other.type) != TypeKind::None) warn(Message::NeverNone, other.span, {type_text(other.type)});
        return value(builder_.truth(kind(other.type) == TypeKind::None, at), at);
    }
    warn_of_set(a, b);
    warn_of_set(b, a);
    const auto type = conversions_.unify(a.type, b.type);
    const bool comparable = type && kind(*type) != TypeKind::Path &&
                            (kind(*type) != TypeKind::Set || types().cardinality(types().inner(*type)) <= max_set);
    const ExprId x = comparable ? conversions_.try_convert(a, *type) : none_id<ExprId>;
    const ExprId y = comparable ? conversions_.try_convert(b, *type) : none_id<ExprId>;
    if (!valid(x) || !valid(y)) {
        error(Message::CannotCompare, at, {found_text(a), found_text(b)});
        return poison(at);
    }
    return value(builder_.equal(x, y, at), at);
}

} // namespace zug::lang
