#include "compiler/turns/asked_steps.hpp"

#include "compiler/turns/rule_copy.hpp"

#include <algorithm>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::VarId;

// The conditions of a rule about values for its parameters. Its names get new ones, since the rule of a step can have
// an answer among its own conditions.
class Answer {
public:
    Answer(ir::Program& program, ExprId question)
        : program_(program), builder_(program), copy_(program), question_(question),
          rule_(program.rules[static_cast<ir::RuleId>(program.exprs[question].imm)]) {}

    // none_id: it can't be expressed.
    ExprId conditions() {
        if (!rule_.ensure.empty() || program_.exprs[program_.argument(question_, 0)].op != Op::Me)
            return none_id<ExprId>;
        std::vector<VarId> params;
        for (const VarId param : rule_.params) params.push_back(copy_.renamed(param));
        std::vector<ir::Clause> when;
        if (!copy_.clauses(rule_.when, when)) return none_id<ExprId>;
        ExprId result = builder_.truth(true, rule_.span);
        for (std::size_t c = when.size(); c-- > 0;)
            result = valid(when[c].bind) ? let(when[c].bind, when[c].expr, result)
                                         : builder_.junction(Op::And, {when[c].expr, result}, rule_.span);
        for (std::size_t p = params.size(); p-- > 0 && valid(result);) result = with(params[p], given(p), result);
        return result;
    }

private:
    ExprId given(std::size_t param) const { return program_.argument(question_, param + 1); }

    ExprId let(VarId name, ExprId value, ExprId e) {
        return builder_.make(Op::Let, program_.types.boolean(), static_cast<std::int64_t>(index(name)), {value, e},
                             rule_.span);
    }

    // That the conditions hold for this value of the parameter, or for some.
    ExprId with(VarId param, ExprId value, ExprId conditions) {
        const ir::TypeId type = program_.vars[param].type, boolean = program_.types.boolean();
        const ExprId all = builder_.make(Op::Universe, program_.types.set(type), 0, {}, rule_.span);
        const ir::Expr of = program_.exprs[value];
        if (of.op == Op::Wildcard)
            return builder_.make(Op::Exists, boolean, static_cast<std::int64_t>(index(param)), {all, conditions},
                                 rule_.span);
        if (of.type == type) return let(param, value, conditions);
        // A value that the parameter can't have.
        const bool optional =
            program_.types.kind(of.type) == ir::TypeKind::Optional && program_.types.inner(of.type) == type;
        if (!optional) return none_id<ExprId>;
        const ExprId some = builder_.not_(builder_.make(Op::IsNone, boolean, 0, {value}, rule_.span));
        return builder_.junction(Op::And, {some, let(param, value, conditions)}, rule_.span);
    }

    ir::Program& program_;
    ExpressionBuilder builder_;
    RuleCopy copy_;
    ExprId question_;
    const ir::Rule rule_;
};

} // namespace

bool write_out_asked_steps(ir::Program& program) {
    std::vector<ExprId> open;
    for (std::size_t e = 0; e < program.exprs.size(); ++e)
        if (program.exprs[static_cast<ExprId>(e)].op == Op::Can) open.push_back(static_cast<ExprId>(e));
    // The conditions of some ask others, which are written out first.
    for (std::size_t before = open.size() + 1; !open.empty() && open.size() < before;) {
        before = open.size();
        std::erase_if(open, [&](ExprId question) {
            const ExprId answer = Answer(program, question).conditions();
            if (valid(answer)) program.exprs[question] = program.exprs[answer];
            return valid(answer);
        });
    }
    return open.empty();
}

} // namespace zug::run
