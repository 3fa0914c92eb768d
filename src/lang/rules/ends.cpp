// End clauses with their payoffs, and bounds.

#include "lang/rules/ends.hpp"

#include "lang/check/calls.hpp"
#include "lang/check/expressions.hpp"
#include "lang/check/name_values.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"

#include <algorithm>
#include <limits>

namespace zug::lang {

void Ends::check_end(NodeId id) {
    const bool stuck = std::exchange(context_.stuck_allowed, true);
    const NodeId given_node = child(id, 0);
    ExprId given = none_id<ExprId>;
    if (valid(given_node)) given = expressions_.condition(given_node);
    for (NodeId clause : children(id).subspan(1))
        if (valid(clause)) end_clause(clause, given);
    if (children(id).size() == 1) error(Message::EndWithoutResult, span(id));
    has_end_ = true;
    context_.stuck_allowed = stuck;
}

void Ends::end_clause(NodeId id, ExprId given) {
    ir::EndClause clause;
    clause.span = span(id);
    switch (node(id).kind) {
    case Kind::EndWins:
        clause.condition = end_condition(child(id, 2), given, span(id));
        end_wins(id, clause);
        break;
    case Kind::EndDraw:
        clause.condition = end_condition(child(id, 0), given, span(id));
        for (std::size_t i = 0; i < program_.players.size(); ++i) clause.payoffs.push_back(builder_.real(0, span(id)));
        break;
    case Kind::EndPayoff:
        clause.condition = end_condition(child(id, 0), given, span(id));
        end_payoff(id, clause);
        break;
    default: return;
    }
    program_.ends.push_back(std::move(clause));
}

// The conjunction of the conditions of the block and of the clause. A clause with neither always holds.
ExprId Ends::end_condition(NodeId id, ExprId given, Span at) {
    std::vector<ExprId> parts;
    if (valid(given)) parts.push_back(given);
    if (valid(id)) {
        const ExprId own = expressions_.condition(id);
        if (valid(own)) parts.push_back(own);
    }
    return builder_.conjunction(parts, at);
}

// `p wins a`: p receives a, which the other players pay in equal parts.
void Ends::end_wins(NodeId id, ir::EndClause& clause) {
    const Span at = span(id);
    const ExprId who =
        conversions_.convert(conversions_.as_element(expressions_.expr(child(id, 0))), program_.player_type);
    const NodeId amount_node = child(id, 1);
    const ExprId amount =
        valid(amount_node) ? conversions_.as_real(expressions_.expr(amount_node)) : builder_.real(1, at);
    if (!valid(who) || !valid(amount)) return;
    const auto real = types().real();
    const bool loses = node(id).text == "loses";
    const auto players = program_.players.size();
    const ExprId negative = builder_.make(Op::Neg, real, {amount}, at);
    const ExprId own = loses ? negative : amount;
    ExprId other = loses ? amount : negative;
    if (players > 2)
        other = builder_.make(Op::Div, real, {other, builder_.real(static_cast<double>(players - 1), at)}, at);
    for (std::size_t i = 0; i < players; ++i) {
        const ExprId player = builder_.constant(program_.player_type, static_cast<std::int64_t>(i), at);
        clause.payoffs.push_back(players == 1 ? own
                                              : builder_.choose(builder_.equal(who, player, at), own, other, real, at));
    }
}

void Ends::end_payoff(NodeId id, ir::EndClause& clause) {
    const auto items = children(id).subspan(1);
    const Span at = span(id);
    calls_.payoffs().values.clear();
    NodeId everyone = none_id<NodeId>;
    for (NodeId item : items) {
        if (!valid(item)) continue;
        const NodeId who = child(item, 0);
        if (!valid(who)) continue;
        const bool fresh = node(who).kind == Kind::Name && !name_values_.is_known_value(node(who).text);
        if (fresh) {
            everyone = item;
            continue;
        }
        const Operand found = expressions_.expr(who);
        const ExprId player = conversions_.convert(found, program_.player_type);
        if (!valid(player)) continue;
        const auto number = builder_.scalar(player);
        if (!number) {
            error(Message::NotConstant, span(who));
        } else if (!calls_.payoffs().values.emplace(*number, child(item, 1)).second) {
            error(Message::PayoffTwice, span(item), {program_.players[static_cast<std::size_t>(*number)]});
        }
    }
    for (std::size_t i = 0; i < program_.players.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        const auto own = calls_.payoffs().values.find(number);
        ExprId payoff = none_id<ExprId>;
        if (own != calls_.payoffs().values.end()) {
            calls_.payoffs().under_way = {number};
            payoff = conversions_.as_real(expressions_.expr(own->second));
            calls_.payoffs().under_way.clear();
        } else if (valid(everyone)) {
            const NodeId name = child(everyone, 0);
            payoff = for_player(node(name).text, span(name), child(everyone, 1), number);
        } else {
            error(Message::PayoffMissing, at, {program_.players[i]});
            break;
        }
        clause.payoffs.push_back(payoff);
    }
    calls_.payoffs().values.clear();
}

// The expression `body` with `name` bound to a player.
ExprId Ends::for_player(const std::string& name, Span at, NodeId body, std::int64_t player) {
    const Names scope(context_);
    const ExprId constant = builder_.constant(program_.player_type, player, at);
    push_local({.name = name, .span = at, .value = value(constant, at), .warn = player == 0});
    return conversions_.as_real(expressions_.expr(body));
}

// What is not bounded gets the bound that says nothing.
void Ends::check_bound(NodeId id) {
    if (program_.bound) {
        error(Message::DeclaredTwice, span(id), {"bound"});
        return;
    }
    if (program_.players.size() != 1)
        error(Message::BoundHere, span(id), {std::to_string(program_.players.size()) + " players"});
    if (std::ranges::any_of(program_.rules, [](const ir::Rule& rule) { return rule.chance; }))
        error(Message::BoundHere, span(id), {"chance"});
    ir::Bound& bound = program_.bound.emplace();
    for (NodeId item : children(id)) {
        if (!valid(item)) continue;
        const bool moves = node(item).text == "moves";
        ExprId& into = moves ? bound.moves : bound.payoff;
        if (valid(into)) error(Message::DeclaredTwice, span(item), {moves ? "moves >=" : "payoff <="});
        into = conversions_.as_real(expressions_.expr(child(item, 0)));
    }
    if (!valid(bound.moves)) bound.moves = builder_.real(0, span(id));
    if (!valid(bound.payoff)) bound.payoff = builder_.real(std::numeric_limits<double>::infinity(), span(id));
}

} // namespace zug::lang
