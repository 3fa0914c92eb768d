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
        end_draw(span(id), clause);
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

// A payoff for each team, which is that of each of its members.
void Ends::give(ir::EndClause& clause, std::span<const ExprId> by_team) {
    for (std::uint32_t p = 0; p < program_.player_count(); ++p) clause.payoffs.push_back(by_team[program_.team_of(p)]);
}

std::vector<std::int64_t> Ends::members(std::uint32_t team) const {
    std::vector<std::int64_t> result;
    for (std::uint32_t p = 0; p < program_.player_count(); ++p)
        if (program_.team_of(p) == team) result.push_back(p);
    return result;
}

// Whether the player `who` is in the team.
ExprId Ends::in_team(ExprId who, std::uint32_t team, Span at) {
    std::vector<ExprId> ways;
    for (const std::int64_t player : members(team))
        ways.push_back(builder_.equal(who, builder_.constant(program_.player_type, player, at), at));
    return builder_.disjunction(std::move(ways), at);
}

void Ends::end_draw(Span at, ir::EndClause& clause) {
    std::vector<ExprId> nothing;
    for (std::uint32_t team = 0; team < program_.team_count(); ++team) nothing.push_back(builder_.real(0, at));
    give(clause, nothing);
}

// `p wins a`: the team of p receives a, which the other teams pay in equal parts.
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
    const std::uint32_t teams = program_.team_count();
    const ExprId negative = builder_.make(Op::Neg, real, {amount}, at);
    const ExprId own = loses ? negative : amount;
    ExprId other = loses ? amount : negative;
    if (teams > 2) other = builder_.make(Op::Div, real, {other, builder_.real(static_cast<double>(teams - 1), at)}, at);
    std::vector<ExprId> payoffs;
    for (std::uint32_t team = 0; team < teams; ++team)
        payoffs.push_back(teams == 1 ? own : builder_.choose(in_team(who, team, at), own, other, real, at));
    give(clause, payoffs);
}

void Ends::end_payoff(NodeId id, ir::EndClause& clause) {
    const NodeId everyone = read_payoffs(id);
    std::vector<ExprId> payoffs;
    for (std::uint32_t team = 0; team < program_.team_count(); ++team) {
        const auto own = calls_.payoffs().values.find(team);
        if (own != calls_.payoffs().values.end()) {
            calls_.payoffs().under_way = {team};
            payoffs.push_back(conversions_.as_real(expressions_.expr(own->second)));
            calls_.payoffs().under_way.clear();
        } else if (valid(everyone)) {
            payoffs.push_back(mean_payoff(everyone, team));
        } else {
            error(Message::PayoffMissing, span(id), {program_.players[static_cast<std::size_t>(members(team)[0])]});
            break;
        }
    }
    calls_.payoffs().values.clear();
    if (payoffs.size() == program_.team_count()) give(clause, payoffs);
}

// Notes the payoffs of certain teams. Returns that of all others: the one with a new name.
NodeId Ends::read_payoffs(NodeId id) {
    calls_.payoffs().values.clear();
    NodeId everyone = none_id<NodeId>;
    for (NodeId item : children(id).subspan(1)) {
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
        } else if (const auto p = static_cast<std::uint32_t>(*number);
                   !calls_.payoffs().values.emplace(program_.team_of(p), child(item, 1)).second) {
            const bool alone = members(program_.team_of(p)).size() == 1;
            error(Message::PayoffTwice, span(item), {program_.players[p]},
                  alone ? "" : "what one member of a team gets, all its members get");
        }
    }
    return everyone;
}

// What is written for each player, a team shares in equal parts.
ExprId Ends::mean_payoff(NodeId everyone, std::uint32_t team) {
    const NodeId name = child(everyone, 0);
    const Span at = span(everyone);
    std::vector<ExprId> payoffs;
    for (const std::int64_t player : members(team))
        payoffs.push_back(for_player(node(name).text, span(name), child(everyone, 1), player));
    if (!std::ranges::all_of(payoffs, [](ExprId payoff) { return valid(payoff); })) return none_id<ExprId>;
    if (std::ranges::all_of(payoffs, [&](ExprId payoff) { return builder_.same(payoff, payoffs.front()); }))
        return payoffs.front();
    ExprId sum = payoffs.front();
    for (const ExprId payoff : std::span(payoffs).subspan(1))
        sum = builder_.make(Op::Add, types().real(), {sum, payoff}, at);
    const ExprId share = builder_.real(1 / static_cast<double>(payoffs.size()), at);
    return builder_.make(Op::Mul, types().real(), {sum, share}, at);
}

// The expression `body` with `name` bound to a player. It need not be used: all players may get the same.
ExprId Ends::for_player(const std::string& name, Span at, NodeId body, std::int64_t player) {
    const Names scope(context_);
    const ExprId constant = builder_.constant(program_.player_type, player, at);
    push_local({.name = name, .span = at, .value = value(constant, at), .warn = false});
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
