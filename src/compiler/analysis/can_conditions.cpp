#include "compiler/analysis/can_conditions.hpp"

#include "compiler/analysis/substitution.hpp"

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;

ExprId conditions(ir::Program& program, const ir::Rule& rule) {
    ExpressionBuilder builder(program);
    ExprId result = builder.truth(true, rule.span);
    for (std::size_t c = rule.when.size(); c-- > 0;) {
        const ir::Clause& clause = rule.when[c];
        if (valid(clause.bind))
            result = builder.make(Op::Let, program.types.boolean(), static_cast<std::int64_t>(index(clause.bind)),
                                  {clause.expr, result}, rule.span);
        else
            result = builder.junction(Op::And, {clause.expr, result}, rule.span);
    }
    return result;
}

} // namespace

CanConditions can_conditions(ir::Program& program) {
    CanConditions found;
    ExpressionBuilder builder(program);
    const std::size_t exprs = program.exprs.size();
    for (std::size_t e = 0; e < exprs; ++e) {
        const ir::Expr can = program.exprs[static_cast<ExprId>(e)];
        if (can.op != Op::Can) continue;
        const ir::Rule& rule = program.rules[static_cast<ir::RuleId>(can.imm)];
        ExprId body = conditions(program, rule);
        for (std::size_t p = rule.params.size(); p-- > 0;) {
            if (program.exprs[program.argument(static_cast<ExprId>(e), p + 1)].op != Op::Wildcard) continue;
            const ir::TypeId set = program.types.set(program.vars[rule.params[p]].type);
            const ExprId domain = builder.make(Op::Universe, set, 0, {}, can.span);
            body = builder.make(Op::Exists, program.types.boolean(), static_cast<std::int64_t>(index(rule.params[p])),
                                {domain, body}, can.span);
        }
        found.emplace(e, body);
    }
    return found;
}

} // namespace zug::run
