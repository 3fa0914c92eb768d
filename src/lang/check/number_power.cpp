// Powers of numbers. There is no operation for them: a power is a product, chosen by the exponent where that varies.

#include "lang/check/operators.hpp"
#include "lang/core/conversions.hpp"

namespace zug::lang {

Operand Operators::number_power(const Operand& base, const Operand& exponent, Span at) {
    constexpr std::int64_t most = 63;
    const Operand times = conversions_.as_integer(exponent);
    const Operand number = kind(bare(base.type)) == TypeKind::Real ? base : conversions_.as_integer(base);
    if (!times.ok() || !number.ok()) return poison(at);
    const ir::Type range = types()[times.type];
    if (range.lo < 0 || range.hi > most) {
        error(Message::ExponentOutOfRange, exponent.span, {type_text(times.type)}, "`min` and `max` bound a number");
        return poison(at);
    }
    const VarId factor = builder_.new_var("base", number.type), count = builder_.new_var("exponent", times.type);
    const Operand power =
        power_between(value(builder_.var(factor, at), at), builder_.var(count, at), {range.lo, range.hi}, at);
    if (!power.ok()) return poison(at);
    return wrap_let(factor, number.expr, wrap_let(count, times.expr, power));
}

// Of an exponent from range.first to range.second; halves are told apart, so that a choice among n takes log n steps.
Operand Operators::power_between(const Operand& base, ExprId exponent, std::pair<std::int64_t, std::int64_t> range,
                                 Span at) {
    const auto [low, high] = range;
    if (low == high) return product_of(base, low, at);
    const std::int64_t middle = low + (high - low + 1) / 2;
    const ExprId below = builder_.make(Op::Lt, types().boolean(), {exponent, builder_.integer(middle, at)}, at);
    const Operand less = power_between(base, exponent, {low, middle - 1}, at);
    const Operand more = power_between(base, exponent, {middle, high}, at);
    return less.ok() && more.ok() ? choose(below, less, more, at) : poison(at);
}

Operand Operators::product_of(const Operand& base, std::int64_t times, Span at) {
    if (times == 0) return value(builder_.integer(1, at), at);
    const Operand half = product_of(base, times / 2, at);
    if (!half.ok()) return half;
    const Operand square = times < 2 ? half : arithmetic("*", half, half, at);
    return times % 2 == 0 || !square.ok() ? square : arithmetic("*", square, base, at);
}

} // namespace zug::lang
