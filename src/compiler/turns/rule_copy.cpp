#include "compiler/turns/rule_copy.hpp"

#include <utility>

namespace zug::run {

using ir::ExprId;
using ir::Op;
using ir::VarId;

ExprId RuleCopy::variable(VarId var) {
    return make(Op::Var, program_.vars[var].type, static_cast<std::int64_t>(index(var)), {}, {});
}

VarId RuleCopy::renamed(VarId var) {
    if (keep_) return var;
    const VarId now = program_.vars.push(ir::Variable(program_.vars[var]));
    name(var, variable(now));
    return now;
}

bool RuleCopy::clauses(const std::vector<ir::Clause>& list, std::vector<ir::Clause>& out) {
    for (const ir::Clause& clause : list) {
        const ExprId e = (*this)(clause.expr);
        if (!valid(e)) return false;
        out.push_back({e, valid(clause.bind) ? renamed(clause.bind) : clause.bind});
    }
    return true;
}

bool RuleCopy::block(const ir::Block& block, ir::Block& out) {
    return clauses(block.lets, out.lets) && effects(block.effects, out.effects);
}

bool RuleCopy::effects(const std::vector<ir::EffectId>& list, std::vector<ir::EffectId>& out) {
    for (const ir::EffectId id : list) {
        ir::Effect effect = program_.effects[id];
        for (ExprId& i : effect.indices)
            if (i = (*this)(i); !valid(i)) return false;
        if (valid(effect.value))
            if (effect.value = (*this)(effect.value); !valid(effect.value)) return false;
        std::vector<ir::EffectId> yes, no;
        if (!effects(effect.yes, yes) || !effects(effect.no, no)) return false;
        effect.yes = std::move(yes);
        effect.no = std::move(no);
        out.push_back(program_.effects.push(std::move(effect)));
    }
    return true;
}

} // namespace zug::run
