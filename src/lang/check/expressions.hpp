#pragma once
// Expressions: from a node to the function that reads it; literals, logic, `if`, `let`, indices, joins, and questions
// to the game. Internal to src/lang.

#include "lang/core/expression_reader.hpp"
#include "lang/core/part.hpp"

namespace zug::lang {

class Conversions;
class Symbols;
class Constants;
class States;
class Operators;
class NameValues;
class Patterns;
class Quantifiers;
class Calls;

class Expressions : public ExpressionReader, CheckerPart {
public:
    struct Uses {
        Conversions& conversions;
        Symbols& symbols;
        Constants& constants;
        States& states;
        Operators& operators;
        NameValues& name_values;
        Patterns& patterns;
        Quantifiers& quantifiers;
        Calls& calls;
    };
    Expressions(Context& context, const Uses& uses)
        : CheckerPart(context), conversions_(uses.conversions), symbols_(uses.symbols), constants_(uses.constants),
          states_(uses.states), operators_(uses.operators), name_values_(uses.name_values), patterns_(uses.patterns),
          quantifiers_(uses.quantifiers), calls_(uses.calls) {}

    bool is_known_value(std::string_view name) override;

    Operand expr(NodeId id) override;
    ExprId condition(NodeId id) override; // Bool; none_id: reported
    // A condition whose patterns give names to the scope at hand, for what is only asked where it holds. `bound`: to be
    // wrapped around what is read in it.
    ExprId naming_condition(NodeId id, std::vector<LetBinding>& bound);
    // Makes the names of a `let` known in the scope at hand; to be wrapped around what is read in it.
    std::vector<LetBinding> bind_names(NodeId let);
    // Reads the values and whole maps that a key consists of. False: an error has been reported.
    bool history_key(std::span<const NodeId> parts, ir::HistoryKey& key);

private:
    Operand expr_at(NodeId id);
    Operand number_literal(NodeId id);
    Operand unary(NodeId id);
    Operand binary(NodeId id);
    Operand conditions(NodeId id, std::span<const NodeId> parts);
    Operand compared(NodeId id, const Operand& left);
    Operand logic(NodeId id);
    Operand implication(NodeId id);
    Operand index_value(NodeId id);
    Operand tuple(NodeId id);
    Operand if_value(NodeId id);
    Operand let_value(NodeId id);
    Operand can_value(NodeId id);
    ExprId picked(ExprId set, TypeId truths, std::vector<LetBinding>& bound, Span at);
    Operand earlier_value(NodeId id);
    std::vector<ExprId> map_indices(ir::StateId map, NodeId id); // of an Index node; empty: reported
    Operand membership(NodeId id);
    bool has_wildcard(NodeId id) const;
    bool leads_to_several(ExprId path) const;
    bool holds_several(ExprId set) const;
    void report_pattern(NodeId id);
    Operand int_range(NodeId id);
    Operand set_literal(NodeId id);
    Operand join(NodeId id);
    Operand matching_sites(ir::StateId map, NodeId pattern, Span span);
    Operand power(NodeId id);

    Conversions& conversions_;
    Symbols& symbols_;
    Constants& constants_;
    States& states_;
    Operators& operators_;
    NameValues& name_values_;
    Patterns& patterns_;
    Quantifiers& quantifiers_;
    Calls& calls_;
    unsigned depth_ = 0;
};

} // namespace zug::lang
