#include "reference/instances.hpp"

#include <algorithm>
#include <map>

namespace zug::run {
namespace {

// By name: how many parameters must be bound before its value is known.
using Levels = std::map<ir::VarId, std::size_t>;

// How many parameters must be bound before the expression can be evaluated.
std::size_t level_of(const ir::Program& program, ir::ExprId id, const Levels& names) {
    const ir::Expr& e = program.exprs[id];
    std::size_t level = 0;
    if (e.op == ir::Op::Var)
        if (const auto name = names.find(static_cast<ir::VarId>(e.imm)); name != names.end()) level = name->second;
    for (const ir::ExprId argument : program.arguments(id)) level = std::max(level, level_of(program, argument, names));
    return level;
}

bool is_var(const ir::Expr& e, ir::VarId var) { return e.op == ir::Op::Var && static_cast<ir::VarId>(e.imm) == var; }

} // namespace

ConditionOrder condition_order(const ir::Program& program, const ir::Rule& rule) {
    ConditionOrder order;
    order.clauses.resize(rule.params.size() + 1);
    order.domains.resize(rule.params.size());
    Levels names;
    for (std::size_t i = 0; i < rule.params.size(); ++i) names[rule.params[i]] = i + 1;
    for (const ir::Clause& clause : rule.when) {
        const std::size_t level = level_of(program, clause.expr, names);
        order.clauses[level].push_back(clause);
        if (valid(clause.bind)) {
            names[clause.bind] = level;
            continue;
        }
        if (level == 0 || program.exprs[clause.expr].op != ir::Op::In) continue;
        const ir::ExprId set = program.argument(clause.expr, 1);
        const bool is_domain = is_var(program.exprs[program.argument(clause.expr, 0)], rule.params[level - 1]);
        if (is_domain && level_of(program, set, names) < level) order.domains[level - 1].push_back(set);
    }
    return order;
}

} // namespace zug::run
