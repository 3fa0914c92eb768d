#pragma once
// some, all, no, count, sum, min, max, union, the, odd: of a set, or over bound names; comprehensions. Internal to
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

    // A word over a set: `some S`, `count S`.
    Operand quantified(NodeId id);
    // A word over bound names: `all x in S: ...`.
    Operand quantifier(NodeId id);
    // `{x in S | ...}`.
    Operand comprehension(NodeId id);
    // The set that a binder ranges over. none_id: an error has been reported.
    ExprId binder_domain(NodeId binder);
    // Declares the name of a binder as a local name and returns its variable.
    VarId push_binder(NodeId binder, ExprId domain, bool warn = true); // `warn`: if it is never used

private:
    void warn_of_body(NodeId id);
    Operand quantified_value(std::string_view word, const Operand& operand, Span span);
    Operand quantify(NodeId id, std::size_t binder);
    Operand quantify_over(NodeId id, std::size_t binder, VarId var, ExprId domain);

    Conversions& conversions_;
    Types& types_;
    Operators& operators_;
    Expressions& expressions_;
};

} // namespace zug::lang
