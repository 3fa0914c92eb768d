#pragma once
// Clauses of rules: what `let`, `when` and `is` add to a list of conditions and names. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Patterns;
class Expressions;

class Clauses : CheckerPart {
public:
    Clauses(Context& context, Patterns& patterns, Expressions& expressions)
        : CheckerPart(context), patterns_(patterns), expressions_(expressions) {}

    // Declares the names of `let`, with clauses for those that have to be evaluated.
    void add_lets(NodeId lets, std::vector<ir::Clause>& clauses);
    // The value that a name stands for: a variable, bound by a new clause if `value` is not constant.
    Operand named_value(const std::string& name, const Operand& value, std::vector<ir::Clause>& clauses);
    // Declares the name of a binder whose domain is wrong, so that its uses report nothing.
    void bind_poison_name(NodeId binder);
    // Appends conditions, one clause per conjunct, and declares the names that `is` binds.
    void add_conditions(std::span<const NodeId> ids, std::vector<ir::Clause>& clauses);
    void add_condition(NodeId id, std::vector<ir::Clause>& clauses);

private:
    void add_test(ExprId test, std::vector<ir::Clause>& clauses);
    void add_is(NodeId id, std::vector<ir::Clause>& clauses);

    Patterns& patterns_;
    Expressions& expressions_;
};

} // namespace zug::lang
