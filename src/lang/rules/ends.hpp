#pragma once
// End clauses with their payoffs, and bounds. Internal to src/lang.

#include "lang/core/part.hpp"

#include <span>
#include <vector>

namespace zug::lang {

class Conversions;
class NameValues;
class Calls;
class Expressions;

class Ends : CheckerPart {
public:
    Ends(Context& context, Conversions& conversions, NameValues& name_values, Calls& calls, Expressions& expressions)
        : CheckerPart(context), conversions_(conversions), name_values_(name_values), calls_(calls),
          expressions_(expressions) {}

    bool has_end() const { return has_end_; } // an `end` has been checked, right or wrong

    void check_end(NodeId id);
    void check_bound(NodeId id);

private:
    void end_clause(NodeId id, ExprId given);
    void end_wins(NodeId id, ir::EndClause& clause);
    void end_draw(Span at, ir::EndClause& clause);
    void end_payoff(NodeId id, ir::EndClause& clause);
    NodeId read_payoffs(NodeId id);
    ExprId mean_payoff(NodeId everyone, std::uint32_t team);
    void give(ir::EndClause& clause, std::span<const ExprId> by_team);
    std::vector<std::int64_t> members(std::uint32_t team) const;
    ExprId in_team(ExprId who, std::uint32_t team, Span at);
    ExprId end_condition(NodeId id, ExprId given, Span span);
    ExprId for_player(const std::string& name, Span span, NodeId body, std::int64_t player);

    Conversions& conversions_;
    NameValues& name_values_;
    Calls& calls_;
    Expressions& expressions_;
    bool has_end_ = false;
};

} // namespace zug::lang
