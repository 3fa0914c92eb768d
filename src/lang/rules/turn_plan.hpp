#pragma once
// `turn`: how steps make up a turn. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Conversions;
class Symbols;
class Expressions;
class Effects;

class TurnPlan : CheckerPart {
public:
    TurnPlan(Context& context, Conversions& conversions, Symbols& symbols, Expressions& expressions, Effects& effects)
        : CheckerPart(context), conversions_(conversions), symbols_(symbols), expressions_(expressions),
          effects_(effects) {}

    void check_turn(NodeId id);

private:
    std::uint32_t plan_chain(NodeId id);
    void plan_step(NodeId id, ir::PlanChain& chain, std::vector<ir::RuleId>& rules);
    void plan_most(NodeId id, const std::vector<ir::RuleId>& rules, ir::PlanChain& chain);

    Conversions& conversions_;
    Symbols& symbols_;
    Expressions& expressions_;
    Effects& effects_;
};

} // namespace zug::lang
