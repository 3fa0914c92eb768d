#include "compiler/analysis/block_effects.hpp"

#include <algorithm>

namespace zug::run {

using ir::EffectKind;
using ir::ExprId;
using ir::Op;

std::pair<std::int64_t, std::int64_t> range_by_type(const ir::Program& program, ExprId e) {
    const ir::Expr& x = program.exprs[e];
    if (x.op == Op::Const) return {x.imm, x.imm};
    const ir::Type& type = program.types[x.type];
    return {type.lo, type.hi};
}

bool assigns_state(const ir::Effect& effect) {
    return effect.kind == EffectKind::Assign || effect.kind == EffectKind::Add ||
           effect.kind == EffectKind::AssignSet || effect.kind == EffectKind::AssignAll;
}

std::vector<ir::StateId> assigned_by(const ir::Program& program, const ir::Block& block) {
    std::vector<ir::StateId> states;
    for_each_effect(program, block.effects, [&](const ir::Effect& effect) {
        if (assigns_state(effect)) states.push_back(effect.state);
    });
    return states;
}

bool Reads::operator()(ExprId e) {
    const ir::Expr& x = program_.exprs[e];
    if (x.op == Op::Stuck || x.op == Op::Earlier || x.op == Op::Can) return true;
    if ((x.op == Op::StateGet || x.op == Op::MapGet) &&
        std::ranges::find(states_, static_cast<ir::StateId>(x.imm)) != states_.end())
        return true;
    if (const auto f = static_cast<ir::FunctionId>(x.imm);
        x.op == Op::Call && std::ranges::find(seen_, f) == seen_.end()) {
        seen_.push_back(f);
        if ((*this)(program_.functions[f].body)) return true;
    }
    return std::ranges::any_of(program_.arguments(e), [&](ExprId a) { return (*this)(a); });
}

bool Reads::operator()(const ir::Block& block) {
    bool any = false;
    for_each_expression(program_, block, [&](ExprId e) { any = any || (*this)(e); });
    return any;
}

} // namespace zug::run
