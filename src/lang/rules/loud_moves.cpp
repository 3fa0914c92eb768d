// Loud moves.

#include "lang/rules/loud_moves.hpp"

#include "lang/core/scopes.hpp"
#include "lang/resolve/symbols.hpp"
#include "lang/rules/clauses.hpp"
#include "lang/rules/rules.hpp"

#include <ranges>

namespace zug::lang {

void LoudMoves::check_loud(NodeId id) {
    const NodeId name = child(id, 0), when = child(id, 1);
    if (!valid(name)) return;
    const std::string& wanted = node(name).text;
    const auto rule = symbols_.find_rule(wanted);
    if (!rule) {
        symbols_.none_of(Message::UnknownRule, wanted, span(name), {symbols_.rule_names(), "rules"});
        return;
    }
    note_use(name, program_.rules[*rule].span);
    if (program_.rules[*rule].chance)
        return error(Message::WrongKind, span(name), {wanted, "a chance rule", "a move rule"});
    program_.loud.resize(program_.rules.size(), none_id<ExprId>);
    ExprId& loud = program_.loud[index(*rule)];
    const bool all = !valid(when) ? all_.insert(*rule).second : all_.contains(*rule);
    if (valid(loud) && (all || !valid(when)))
        error(Message::DeclaredTwice, span(id), {"loud " + wanted}, "without `when` all moves of the rule are loud");
    const ExprId more = loud_when(when, *rule);
    loud = valid(loud) ? builder_.disjunction({loud, more}, span(id)) : more;
}

// The conditions as one expression, in which the names of the rule are known.
ExprId LoudMoves::loud_when(NodeId when, ir::RuleId rule) {
    const Span at = valid(when) ? span(when) : program_.rules[rule].span;
    ExprId all = builder_.truth(true, at);
    if (!valid(when)) return all;
    const InTree scope(context_, context_.tree);
    const Names names(context_);
    for (const Local& local : rules_.names_before_move(rule)) push_local(local);
    std::vector<ir::Clause> clauses;
    clauses_.add_conditions(children(when), clauses);
    for (const ir::Clause& clause : clauses | std::views::reverse)
        all = valid(clause.bind) ? builder_.bind(Op::Let, types().boolean(), {clause.bind, clause.expr, all}, at)
                                 : builder_.conjunction({clause.expr, all}, at);
    return all;
}

} // namespace zug::lang
