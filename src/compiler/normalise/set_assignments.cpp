#include "compiler/normalise/set_assignments.hpp"

#include "compiler/analysis/substitution.hpp"

#include <algorithm>
#include <vector>

namespace zug::run {
namespace {

using ir::EffectKind;
using ir::Op;

class SetAssignments {
public:
    explicit SetAssignments(ir::Program& program) : program_(program) {}

    std::uint64_t replaced = 0;

    void replace(std::vector<ir::Block>& blocks) {
        for (ir::Block& block : blocks) replace(block.effects);
    }

private:
    void replace(std::vector<ir::EffectId>& list) {
        std::vector<ir::EffectId> result;
        for (const ir::EffectId id : list) {
            if (is_set_assignment(program_.effects[id])) {
                ++replaced;
                const ir::Effect loop = program_.effects[id];
                assign(loop.yes, loop.var, loop.value, result);
                continue;
            }
            // A copy, since the effects are moved when one is added.
            ir::Effect effect = program_.effects[id];
            replace(effect.yes);
            replace(effect.no);
            program_.effects[id] = std::move(effect);
            result.push_back(id);
        }
        list = std::move(result);
    }

    // A loop of such assignments, perhaps each under a condition.
    bool is_set_assignment(const ir::Effect& loop) const {
        return loop.kind == EffectKind::For && assigns_only(loop.yes, loop);
    }

    bool assigns_only(const std::vector<ir::EffectId>& list, const ir::Effect& loop) const {
        return std::ranges::all_of(list, [&](ir::EffectId id) {
            const ir::Effect& e = program_.effects[id];
            if (e.kind == EffectKind::If) return assigns_only(e.yes, loop) && assigns_only(e.no, loop);
            if (e.kind != EffectKind::Assign || e.indices.size() != 1) return false;
            return is_name(program_, e.indices[0], loop.var) && !names(program_, e.value, loop.var) &&
                   program_.states[e.state].indices[0] == program_.types.inner(program_.exprs[loop.value].type);
        });
    }

    // The assignments of the list, each to those members of `set` for which it is reached.
    void assign(const std::vector<ir::EffectId>& list, ir::VarId var, ir::ExprId set,
                std::vector<ir::EffectId>& result) {
        for (const ir::EffectId id : list) {
            ir::Effect effect = program_.effects[id];
            if (effect.kind == EffectKind::If) {
                if (!effect.yes.empty()) assign(effect.yes, var, those(var, set, effect.value), result);
                if (!effect.no.empty())
                    assign(effect.no, var, those(var, set, ExpressionBuilder(program_).not_(effect.value)), result);
                continue;
            }
            effect.kind = EffectKind::AssignSet;
            effect.indices = {set};
            result.push_back(program_.effects.push(std::move(effect)));
        }
    }

    ir::ExprId those(ir::VarId var, ir::ExprId set, ir::ExprId condition) {
        const ir::Expr from = program_.exprs[set];
        return ExpressionBuilder(program_).make(Op::SetOf, from.type, static_cast<std::int64_t>(index(var)),
                                                {set, condition}, from.span);
    }

    ir::Program& program_;
};

} // namespace

std::uint64_t assign_by_sets(ir::Program& program) {
    SetAssignments assignments(program);
    for (ir::Rule& rule : program.rules) assignments.replace(rule.then);
    if (program.turn) assignments.replace(program.turn->then);
    return assignments.replaced;
}

} // namespace zug::run
