#pragma once
// Fits operands to the types that their context wants: an element as a set, an integer as a real, a direction as a
// path, a tuple part by part. Works on operands alone; nothing here reads syntax. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Conversions : CheckerPart {
public:
    explicit Conversions(Context& context) : CheckerPart(context) {}

    // The least type that has all values of both types; nothing if there is none.
    std::optional<TypeId> unify(TypeId a, TypeId b);
    // The same for the element types of two sets.
    std::optional<TypeId> unify_elements(TypeId a, TypeId b);
    // The operand as a value of the type `to`. none_id: an error has been reported.
    ExprId convert(const Operand& operand, TypeId to, std::string fix = {});
    // The same without a report. none_id: there is no conversion.
    ExprId try_convert(const Operand& operand, TypeId to);
    // Reports a constant of the wider type that the sub-type `to` doesn't have. False: that isn't what is wrong.
    bool report_other(const Operand& operand, TypeId to);
    // The operand as a value of the sub-type `to`, or of one that may be none. No expression: there is no conversion.
    Subsets::Narrowed narrowed(const Operand& operand, TypeId to);
    ExprId convert_tuple(const Operand& operand, TypeId to);
    ExprId convert_to_set(const Operand& operand, TypeId to);
    // The operand as a set of its own element type. none_id: it can't be one; nothing is reported.
    ExprId as_set(const Operand& operand);
    // The element type of as_set().
    TypeId element_of(const Operand& operand) const;
    // A set as its only member, or none; any other operand unchanged.
    Operand as_element(const Operand& operand);
    // As an Int, with 0 for none. Poison: an error has been reported.
    Operand as_integer(const Operand& operand);
    // As a Real. none_id: an error has been reported.
    ExprId as_real(const Operand& operand);
    // The value that replaces an absent one of this type: the empty set, 0, false or none.
    ExprId missing(TypeId type, Span span);
    bool is_site_like(const Operand& operand) const;
    // A direction, a set of directions or a path as a path.
    Operand as_path(const Operand& operand);
    Operand path_expr(Op op, std::initializer_list<ExprId> args, ir::BoardId board, Span span);
    // The i-th part of a tuple.
    Operand part_of(ExprId value, TypeId tuple, std::size_t i, Span span);
    // The same as an expression of the part's own type, which may be a sub-type.
    ExprId project(ExprId value, TypeId tuple, std::size_t i, Span span);
    // The operand if it can be matched: any encoded value, not a path. Poison: an error has been reported.
    Operand as_scalar_value(const Operand& operand);

private:
    bool always_fits(TypeId found, TypeId wanted) const;
};

} // namespace zug::lang
