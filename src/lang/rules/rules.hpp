#pragma once
// Move and chance rules. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Conversions;
class Symbols;
class Types;
class Expressions;
class Clauses;
class Effects;

class Rules : CheckerPart {
public:
    struct Uses {
        Conversions& conversions;
        Symbols& symbols;
        Types& types;
        Expressions& expressions;
        Clauses& clauses;
        Effects& effects;
    };
    Rules(Context& context, const Uses& uses)
        : CheckerPart(context), conversions_(uses.conversions), symbols_(uses.symbols), types_(uses.types),
          expressions_(uses.expressions), clauses_(uses.clauses), effects_(uses.effects) {}

    // Works out the parameters of a rule. For all rules, before the first check_rule.
    void resolve_rule_parameters(ir::RuleId id);
    // Checks the body of a rule: conditions, weight, effects, `ensure`.
    void check_rule(ir::RuleId id);
    // The names that are known before the move: the parameters, and what `let` and the patterns of `when` give.
    std::vector<Local> names_before_move(ir::RuleId id);

private:
    // The clauses of a rule, or of what is added to it.
    struct RulePart {
        const syntax::Tree* tree;
        NodeId lets, when, then, ensure;
    };

    void rule_body(ir::RuleId id);
    void weight(ir::RuleId id, NodeId weight);
    TypeId parameter_values(TypeId given, Span at);
    ExprId chosen_set(VarId var, TypeId set, Span at);

    Conversions& conversions_;
    Symbols& symbols_;
    Types& types_;
    Expressions& expressions_;
    Clauses& clauses_;
    Effects& effects_;
};

} // namespace zug::lang
