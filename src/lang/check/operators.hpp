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

    Operand make_tuple(std::vector<Operand> parts, Span span);
    Operand choose(ExprId condition, const Operand& yes, const Operand& no, Span span);
    Operand wrap_let(VarId var, ExprId value, const Operand& body);
    Operand arithmetic(std::string_view op, const Operand& a, const Operand& b, Span span);
    Operand negative(const Operand& a, Span span);
    Operand comparison(std::string_view op, const Operand& a, const Operand& b, Span span);
    Operand set_operator(std::string_view op, const Operand& a, const Operand& b, Span span);
    Operand join_operands(const Operand& a, const Operand& b, Span span);
    Operand converse(const Operand& path, Span span);
    Operand adjacency(ir::BoardId board, Span span);
    Operand edge_path(ir::BoardId board, Span span);
    Operand offset_path(ir::BoardId board, std::int64_t dx, std::int64_t dy, bool reflected, Span span);
    Operand fold_of_set(std::string_view word, const Operand& set, Span span);
    Operand accumulate(std::string_view word, VarId var, ExprId domain, const Operand& body,
                       Span span); // sum, min, max
    Operand union_over(VarId var, ExprId domain, const Operand& body, Span span);
    Operand count(ExprId set, Span span);
    Operand odd(const Operand& number, Span span);

private:
    Operand real_arithmetic(Op op, const Operand& a, const Operand& b, Span span);
    Operand equality(const Operand& a, const Operand& b, Span span);
    Operand less(const Operand& a, const Operand& b, Span span);
    Operand combine_sets(Op op, const Operand& a, const Operand& b, Span span);
    Operand image(const Operand& sites, const Operand& path, Span span);

    Conversions& conversions_;
    Boards& boards_;
};

} // namespace zug::lang
