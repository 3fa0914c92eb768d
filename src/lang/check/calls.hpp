#pragma once
// Calls of definitions and of what is built in: arguments fitted to parameters, sets passed where an element is wanted,
// values that may be none. Internal to src/lang.

#include "lang/core/part.hpp"

#include <functional>
#include <map>
#include <set>

namespace zug::lang {

class Conversions;
class Symbols;
class Constants;
class Boards;
class Types;
class States;
class Operators;
class Instances;
class Expressions;

class Calls : CheckerPart {
public:
    struct Uses {
        Conversions& conversions;
        Symbols& symbols;
        Constants& constants;
        Boards& boards;
        Types& types;
        States& states;
        Operators& operators;
        Instances& instances;
        Expressions& expressions;
    };
    Calls(Context& context, const Uses& uses)
        : CheckerPart(context), conversions_(uses.conversions), symbols_(uses.symbols), constants_(uses.constants),
          boards_(uses.boards), types_(uses.types), states_(uses.states), operators_(uses.operators),
          instances_(uses.instances), expressions_(uses.expressions) {}

    // The payoff clause that is being checked, for `payoff(Black)` in it.
    struct PayoffClause {
        std::map<std::uint32_t, NodeId> values; // by team
        std::set<std::uint32_t> under_way;
    };
    PayoffClause& payoffs() { return payoffs_; }

    // A Call node: of a definition, a board or a built-in function.
    Operand call_value(NodeId id);
    // The arguments of a Call node. Whole maps and `_` are allowed; whoever uses them checks that they fit.
    std::vector<Operand> arguments(NodeId id);
    std::string coordinates_hint(const std::vector<Operand>& args) const;
    Operand argument(NodeId id);
    // The value of a definition for given arguments, used at `span`.
    Operand apply(Declaration& definition, std::vector<Operand> args, Span span);
    // An argument as a value of the type of its parameter. none_id: an error has been reported.
    ExprId fitted(const Declaration& definition, const Operand& argument, TypeId wanted);
    // The type of a parameter, given its argument. none_id: an error has been reported.
    TypeId wanted_type(const Declaration& definition, NodeId parameter, const Operand& argument, Span use);

private:
    enum class Fit { Right, Each, UnlessNone, Whole, Wrong };

    Operand apply_to_each(Declaration& definition, std::vector<Operand> args, std::size_t i, TypeId element, Span span);
    Operand apply_unless_none(Declaration& definition, std::vector<Operand> args, std::size_t i, Span span);
    Operand expand(Declaration& definition, const std::vector<Operand>& args, const std::vector<TypeId>& wanted,
                   Span span);
    std::optional<Local> expanded_argument(const Declaration& definition, NodeId parameter, const Operand& argument,
                                           TypeId wanted);
    Fit fit_argument(const Declaration& definition, NodeId parameter, Operand& argument, TypeId& wanted, Span span);
    Operand site_call(Declaration& board, const std::vector<Operand>& args, Span span);
    std::optional<Operand> builtin_call(const std::string& name, NodeId id);
    bool expect_arguments(NodeId id, std::size_t count);
    Operand offsets_call(NodeId id);
    Operand extreme_call(bool least, NodeId id);
    Operand coordinate_call(Op op, NodeId id);
    Operand coordinate_of(Op op, const Operand& site, Span span);
    Operand number_call(NodeId id);
    Operand tip_call(NodeId id);
    Operand one_of_values(const Operand& found, Span span, const std::function<Operand(std::int64_t)>& f);
    Operand player_call(Op op, NodeId id);
    Operand team_call(NodeId id);
    Operand absolute_call(NodeId id);
    Operand payoff_call(NodeId id);

    Conversions& conversions_;
    Symbols& symbols_;
    Constants& constants_;
    Boards& boards_;
    Types& types_;
    States& states_;
    Operators& operators_;
    Instances& instances_;
    Expressions& expressions_;
    PayoffClause payoffs_;
};

} // namespace zug::lang
