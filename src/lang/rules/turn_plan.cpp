// `turn`: how steps make up a turn.

#include "lang/rules/turn_plan.hpp"

#include "lang/check/expressions.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/symbols.hpp"
#include "lang/rules/effects.hpp"

#include <algorithm>

namespace zug::lang {

void TurnPlan::check_turn(NodeId id) {
    const auto parts = children(id);
    if (parts.size() < 2) return;
    program_.turn.emplace();
    std::vector<std::uint32_t> alternatives;
    for (NodeId chain : parts.first(parts.size() - 2))
        if (valid(chain) && node(chain).kind == Kind::Chain) alternatives.push_back(plan_chain(chain));
    program_.turn->alternatives = std::move(alternatives);
    if (const NodeId by = parts[parts.size() - 2]; valid(by) && node(by).kind == Kind::By) {
        program_.turn->by_steps = !node(by).text.empty();
        if (ir::HistoryKey key; !program_.turn->by_steps && expressions_.history_key(children(by), key))
            program_.turn->by = std::move(key);
    }
    if (valid(parts.back()) && node(parts.back()).kind == Kind::Then)
        program_.turn->then = effects_.blocks(children(parts.back()));
    for (std::uint32_t i = 0; i < symbols_.rules().size(); ++i) {
        const auto rule = static_cast<ir::RuleId>(i);
        if (!symbols_.rules()[rule].planned && !program_.rules[rule].chance)
            warn(Message::RuleNeverUsed, program_.rules[rule].span, {program_.rules[rule].name});
    }
}

std::uint32_t TurnPlan::plan_chain(NodeId id) {
    ir::PlanChain chain;
    std::vector<ir::RuleId> rules;
    for (NodeId step : children(id).subspan(1))
        if (valid(step) && (node(step).kind == Kind::Step || node(step).kind == Kind::MayStep))
            plan_step(step, chain, rules);
    if (const NodeId most = child(id, 0); valid(most)) plan_most(most, rules, chain);
    program_.turn->chains.push_back(std::move(chain));
    return static_cast<std::uint32_t>(program_.turn->chains.size() - 1);
}

void TurnPlan::plan_step(NodeId id, ir::PlanChain& chain, std::vector<ir::RuleId>& rules) {
    using Repeat = ir::PlanStep::Repeat;
    const std::string& sign = node(id).text;
    ir::PlanStep step;
    step.may = node(id).kind == Kind::MayStep;
    step.repeat = sign == "?" || (step.may && sign.empty()) ? Repeat::Optional
                  : sign == "*"                             ? Repeat::Star
                  : sign == "+"                             ? Repeat::Plus
                                                            : Repeat::One;
    const NodeId what = child(id, 0);
    if (!valid(what)) return;
    if (node(what).kind == Kind::ChainGroup) {
        for (NodeId inner : children(what))
            if (valid(inner) && node(inner).kind == Kind::Chain) step.group.push_back(plan_chain(inner));
        chain.steps.push_back(std::move(step));
        return;
    }
    const auto rule = symbols_.find_rule(node(what).text);
    if (!rule) {
        symbols_.none_of(Message::UnknownRule, node(what).text, span(what), {symbols_.rule_names(), "rules"});
        return;
    }
    note_use(what, program_.rules[*rule].span);
    if (program_.rules[*rule].chance) {
        error(Message::ChanceInTurn, span(what), {node(what).text});
        return;
    }
    symbols_.rules()[*rule].planned = true;
    rules.push_back(*rule);
    step.rule = *rule;
    chain.steps.push_back(std::move(step));
}

// `most count taken` is evaluated on the state after the chain. `most sum d`, where d is a parameter of the chain's
// rules, is summed over its steps.
void TurnPlan::plan_most(NodeId id, const std::vector<ir::RuleId>& rules, ir::PlanChain& chain) {
    const bool sum = node(id).kind == Kind::Quantified && node(id).text == "sum";
    const NodeId summand = sum ? child(id, 0) : none_id<NodeId>;
    const bool parameter =
        valid(summand) && node(summand).kind == Kind::Name && std::ranges::any_of(rules, [&](ir::RuleId rule) {
            return std::ranges::any_of(symbols_.rules()[rule].names,
                                       [&](const Local& local) { return local.name == node(summand).text; });
        });
    if (!parameter) {
        const Operand found = expressions_.expr(id);
        const bool real = found.ok() && kind(found.type) == TypeKind::Real;
        chain.most = real ? found.expr : conversions_.as_integer(found).expr;
        return;
    }
    chain.most_sum.assign(program_.rules.size(), none_id<ExprId>);
    for (ir::RuleId rule : rules) {
        const Names scope(context_);
        const auto& names = symbols_.rules()[rule].names;
        const auto local = std::ranges::find(names, node(summand).text, &Local::name);
        if (local == names.end()) continue;
        note_use(summand, local_name(*local));
        const Operand found = conversions_.as_integer(
            local->value.ok() ? Operand{.expr = local->value.expr, .type = local->value.type, .span = span(summand)}
                              : poison(span(summand)));
        chain.most_sum[index(rule)] = found.expr;
    }
}

} // namespace zug::lang
