#include "compiler/normalise/asked_instances.hpp"

#include "compiler/analysis/substitution.hpp"

#include <algorithm>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;

class AskedInstances : public ExpressionBuilder {
public:
    using ExpressionBuilder::ExpressionBuilder;

    // Of a quantifier over all values of a parameter which asks whether a move with that value is legal, whether any
    // is: `some c: cell: can jump(c)` is `can jump`. none_id: it asks something else.
    ExprId any_instance(ExprId e) {
        const ir::Expr binder = program_.exprs[e];
        if (binder.op != Op::Exists && binder.op != Op::ForAll) return none_id<ExprId>;
        const auto var = static_cast<ir::VarId>(binder.imm);
        ExprId asked = program_.argument(e, 1);
        const bool all = binder.op == Op::ForAll;
        if (program_.exprs[program_.argument(e, 0)].op != Op::Universe) return none_id<ExprId>;
        if (all && program_.exprs[asked].op != Op::Not) return none_id<ExprId>;
        if (all) asked = program_.argument(asked, 0);
        const ir::Expr can = program_.exprs[asked];
        if (can.op != Op::Can) return none_id<ExprId>;
        const auto given = program_.arguments(asked);
        std::vector<ExprId> args(given.begin(), given.end());
        const auto at = std::ranges::find_if(args, [&](ExprId a) { return names(program_, a, var); });
        if (at == args.begin() || at == args.end() || !is_name(program_, *at, var) ||
            std::any_of(at + 1, args.end(), [&](ExprId a) { return names(program_, a, var); }))
            return none_id<ExprId>;
        const ir::Rule& rule = program_.rules[static_cast<ir::RuleId>(can.imm)];
        const ir::TypeId type = program_.vars[rule.params[static_cast<std::size_t>(at - args.begin()) - 1]].type;
        if (type != program_.vars[var].type) return none_id<ExprId>;
        *at = make(Op::Wildcard, type, 0, {}, program_.exprs[*at].span);
        const ExprId any = make(Op::Can, can.type, can.imm, args, can.span);
        return all ? not_(any) : any;
    }
};

} // namespace

std::uint64_t ask_for_any_instance(ir::Program& program) {
    AskedInstances instances(program);
    return replace_each(program, [&](ExprId e) {
        const ExprId any = instances.any_instance(e);
        if (valid(any)) program.exprs[e] = program.exprs[any];
        return valid(any);
    });
}

} // namespace zug::run
