#include "compiler/analysis/dependence.hpp"

#include <algorithm>

namespace zug::run {

using ir::Op;

void Dependence::add(const Dependence& other) {
    on_more = on_more || other.on_more;
    computes = computes || other.computes;
    for (const ir::VarId var : other.names) name(var);
}

void Dependence::name(ir::VarId var) {
    const auto at = std::ranges::lower_bound(names, var);
    if (at != names.end() && *at == var) return;
    names.insert(at, var);
    on_more = on_more || names.size() > most_names;
}

const Dependence& Dependences::of(ir::ExprId e) {
    std::optional<Dependence>& known = known_[index(e)];
    if (!known) {
        known = Dependence{.on_more = true}; // what a recursive function finds of itself
        known = find(e);
    }
    return *known;
}

Dependence Dependences::find(ir::ExprId e) {
    const ir::Expr& x = program_.exprs[e];
    Dependence result;
    switch (x.op) {
    case Op::Var: result.name(static_cast<ir::VarId>(x.imm)); return result;
    case Op::Me:
    case Op::StateGet:
    case Op::MapGet:
    case Op::Stuck:
    case Op::Earlier:
    case Op::Can:
    case Op::Wildcard: return {.on_more = true};
    case Op::Call: {
        const ir::Function& f = program_.functions[static_cast<ir::FunctionId>(x.imm)];
        const Dependence& body = of(f.body);
        result.on_more = body.on_more || f.recursive;
        result.computes = body.computes;
        break;
    }
    case Op::Lt:
    case Op::CoordX:
    case Op::CoordY:
    case Op::Number:
    case Op::SiteAt:
    case Op::SiteNumber:
    case Op::Exists:
    case Op::ForAll:
    case Op::Count: result.computes = true; break;
    default: result.computes = ir::is_arithmetic(x.op); break;
    }
    for (const ir::ExprId part : program_.arguments(e)) result.add(of(part));
    if (ir::binds_variable(x.op)) std::erase(result.names, static_cast<ir::VarId>(x.imm));
    return result;
}

} // namespace zug::run
