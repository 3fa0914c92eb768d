#pragma once
// Fits operands to the types that their context wants: an element as a set, an integer as a real, a direction as a
// path, a tuple part by part. Works on operands alone; nothing here reads syntax. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Conversions : CheckerPart {
public:
    explicit Conversions(Context& context) : CheckerPart(context) {}

    std::optional<TypeId> unify(TypeId a, TypeId b);
    std::optional<TypeId> unify_elements(TypeId a, TypeId b);
    ExprId convert(const Operand& operand, TypeId to);     // none_id: reported
    ExprId try_convert(const Operand& operand, TypeId to); // none_id: no conversion
    ExprId convert_tuple(const Operand& operand, TypeId to);
    ExprId convert_to_set(const Operand& operand, TypeId to);
    ExprId as_set(const Operand& operand);           // of its own element type; none_id: it is no set
    TypeId element_of(const Operand& operand) const; // of as_set
    Operand as_element(const Operand& operand);      // implicit `the` of a set
    Operand as_integer(const Operand& operand);      // without `?`; poison: reported
    ExprId as_real(const Operand& operand);
    ExprId missing(TypeId type, Span span);
    bool is_site_like(const Operand& operand) const;
    Operand as_path(const Operand& operand); // poison: it is no path
    Operand path_expr(Op op, std::initializer_list<ExprId> args, ir::BoardId board, Span span);
    Operand part_of(ExprId value, TypeId tuple, std::size_t i, Span span);
    Operand as_scalar_value(const Operand& operand);
    bool is_simple(ExprId id) const; // cheap enough to be written more than once

private:
    bool always_fits(TypeId found, TypeId wanted) const;
};

} // namespace zug::lang
