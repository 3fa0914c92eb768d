#pragma once
// some, all, no, count, sum, min, max, union, the, odd: of a set, or over names that range; comprehensions. Internal to
// src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Conversions;
class Types;
class Operators;
class Expressions;

class Quantifiers : CheckerPart {
public:
    Quantifiers(Context& context, Conversions& conversions, Types& types, Operators& operators,
                Expressions& expressions)
        : CheckerPart(context), conversions_(conversions), types_(types), operators_(operators),
          expressions_(expressions) {}

    Operand quantified(NodeId id);
    Operand quantifier(NodeId id);
    Operand comprehension(NodeId id);
    ExprId binder_domain(NodeId binder); // none_id: reported
    VarId push_binder(NodeId binder, ExprId domain);

private:
    Operand quantified_value(std::string_view word, const Operand& operand, Span span);
    Operand quantify(NodeId id, std::size_t binder);
    Operand quantify_over(NodeId id, std::size_t binder, VarId var, ExprId domain);

    Conversions& conversions_;
    Types& types_;
    Operators& operators_;
    Expressions& expressions_;
};

} // namespace zug::lang
