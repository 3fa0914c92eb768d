// When the game ends, what each player then gets, and static evaluations.

#include "lang/checker.hpp"

namespace zug::lang {

void Checker::check_end(NodeId id) {
    const bool stuck = std::exchange(stuck_allowed_, true);
    const NodeId given_node = child(id, 0);
    ExprId given = none_id<ExprId>;
    if (valid(given_node)) given = condition(given_node);
    for (NodeId clause : children(id).subspan(1))
        if (valid(clause)) end_clause(clause, given);
    if (children(id).size() == 1) error(Message::EndWithoutResult, span(id));
    has_end_ = true;
    stuck_allowed_ = stuck;
}

void Checker::end_clause(NodeId id, ExprId given) {
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

// The block's condition and the clause's own. A clause with neither always holds.
ExprId Checker::end_condition(NodeId id, ExprId given, Span at) {
    std::vector<ExprId> parts;
    if (valid(given)) parts.push_back(given);
    if (valid(id)) {
        const ExprId own = condition(id);
        if (valid(own)) parts.push_back(own);
    }
    return builder_.conjunction(parts, at);
}

// `p wins a`: a to p, and the rest of the table pays it in equal parts.
void Checker::end_wins(NodeId id, ir::EndClause& clause) {
    const Span at = span(id);
    const ExprId who = convert(as_element(expr(child(id, 0))), program_.player_type);
    const NodeId amount_node = child(id, 1);
    const ExprId amount = valid(amount_node) ? as_real(expr(amount_node)) : builder_.real(1, at);
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

void Checker::end_payoff(NodeId id, ir::EndClause& clause) {
    const auto items = children(id).subspan(1);
    const Span at = span(id);
    payoff_values_.clear();
    NodeId everyone = none_id<NodeId>;
    for (NodeId item : items) {
        if (!valid(item)) continue;
        const NodeId who = child(item, 0);
        if (!valid(who)) continue;
        const bool fresh = node(who).kind == Kind::Name && !is_known_value(node(who).text);
        if (fresh) {
            everyone = item;
            continue;
        }
        const Operand found = expr(who);
        const ExprId player = convert(found, program_.player_type);
        if (!valid(player)) continue;
        const auto number = builder_.scalar(player);
        if (!number) {
            error(Message::NotConstant, span(who));
        } else if (!payoff_values_.emplace(*number, child(item, 1)).second) {
            error(Message::PayoffTwice, span(item), {program_.players[static_cast<std::size_t>(*number)]});
        }
    }
    for (std::size_t i = 0; i < program_.players.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        const auto own = payoff_values_.find(number);
        ExprId payoff = none_id<ExprId>;
        if (own != payoff_values_.end()) {
            payoffs_under_way_ = {number};
            payoff = as_real(expr(own->second));
            payoffs_under_way_.clear();
        } else if (valid(everyone)) {
            const NodeId name = child(everyone, 0);
            payoff = for_player(node(name).text, span(name), child(everyone, 1), number);
        } else {
            error(Message::PayoffMissing, at, {program_.players[i]});
            break;
        }
        clause.payoffs.push_back(payoff);
    }
    payoff_values_.clear();
}

// An expression in which a name is each player in turn.
ExprId Checker::for_player(const std::string& name, Span at, NodeId body, std::int64_t player) {
    const Names scope(*this);
    const ExprId constant = builder_.constant(program_.player_type, player, at);
    push_local({.name = name, .span = at, .value = value(constant, at), .warn = player == 0});
    return as_real(expr(body));
}

void Checker::check_eval(NodeId id) {
    if (!program_.evals.empty()) {
        error(Message::DeclaredTwice, span(id), {"eval"});
        return;
    }
    const bool stuck = std::exchange(stuck_allowed_, true);
    for (std::size_t i = 0; i < program_.players.size(); ++i)
        program_.evals.push_back(for_player(node(id).text, name_span(id), child(id, 0), static_cast<std::int64_t>(i)));
    stuck_allowed_ = stuck;
}

} // namespace zug::lang
