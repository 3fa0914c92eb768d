#pragma once
// Operators on operands whose parts have been read: arithmetic, comparisons, sets, paths, folds, choices. Nothing here
// reads syntax. A result is poison if an error has been reported. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Conversions;
class Boards;

class Operators : CheckerPart {
public:
    Operators(Context& context, Conversions& conversions, Boards& boards)
        : CheckerPart(context), conversions_(conversions), boards_(boards) {}

    // A tuple of the parts; none if one of them is none.
    Operand make_tuple(std::vector<Operand> parts, Span span);
    // `if`: the branches are converted to a common type.
    Operand choose(ExprId condition, const Operand& yes, const Operand& no, Span span);
    // `body` with `var` bound to `value`; `body` itself if it does not use the variable.
    Operand wrap_let(VarId var, ExprId value, const Operand& body);
    // The same for several variables, of which each may use those before it.
    Operand wrap_lets(std::span<const LetBinding> bound, Operand body);
    // `op` is one of + - * / div mod min max.
    Operand arithmetic(std::string_view op, const Operand& a, const Operand& b, Span span);
    Operand negative(const Operand& a, Span span);
    // The number multiplied by itself, as often as the exponent says.
    Operand number_power(const Operand& base, const Operand& exponent, Span span);
    // `op` is one of = != < <= > >=.
    Operand comparison(std::string_view op, const Operand& a, const Operand& b, Span span);
    // `op` is one of | & \, over sets or paths.
    Operand set_operator(std::string_view op, const Operand& a, const Operand& b, Span span);
    // `a.b`: where the sites of `a` lead along `b`, or the path `a` followed by `b`.
    Operand join_operands(const Operand& a, const Operand& b, Span span);
    // The path walked backwards.
    Operand converse(const Operand& path, Span span);
    // `adj`: the steps to neighbouring sites.
    Operand adjacency(ir::BoardId board, Span span);
    // `out`: the edges of a graph.
    Operand edge_path(ir::BoardId board, Span span);
    // The step by (dx, dy); if `reflected`, by all its rotations and reflections as well.
    Operand offset_path(ir::BoardId board, std::int64_t dx, std::int64_t dy, bool reflected, Span span);
    // sum, min or max of a set of integers.
    Operand fold_of_set(std::string_view word, const Operand& set, Span span);
    // sum, min or max of `body` over the members of `domain`.
    Operand accumulate(std::string_view word, VarId var, ExprId domain, const Operand& body, Span span);
    // The union of `body` over the members of `domain`: of sets, elements or paths.
    Operand union_over(VarId var, ExprId domain, const Operand& body, Span span);
    Operand count(ExprId set, Span span);
    // Whether an integer is odd.
    Operand odd(const Operand& number, Span span);

private:
    ExprId product(const std::vector<Operand>& parts, TypeId tuple, Span span);
    void check_magnitude(double most, Span at);
    Operand real_arithmetic(Op op, const Operand& a, const Operand& b, Span span);
    Operand equality(const Operand& a, const Operand& b, Span span);
    void warn_of_set(const Operand& one, const Operand& set);
    Operand less(const Operand& a, const Operand& b, Span span);
    Operand combine_sets(Op op, const Operand& a, const Operand& b, Span span);
    Operand image(const Operand& sites, const Operand& path, Span span);
    Operand power_between(const Operand& base, ExprId exponent, std::pair<std::int64_t, std::int64_t> range, Span span);
    Operand product_of(const Operand& base, std::int64_t times, Span span);

    Conversions& conversions_;
    Boards& boards_;
};

} // namespace zug::lang
