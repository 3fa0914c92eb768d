#include "ir/verifier.hpp"

namespace zug::ir {

bool Verifier::scalar(TypeId id) const {
    const TypeKind k = kind(id);
    return k != TypeKind::Real && k != TypeKind::Set && k != TypeKind::Path;
}

bool Verifier::fits(TypeId a, TypeId b) const {
    a = stripped(a);
    b = stripped(b);
    if (a == b) return true;
    if (kind(a) == TypeKind::None) return scalar(b);
    if (kind(b) == TypeKind::None) return scalar(a);
    return kind(a) == TypeKind::Int && kind(b) == TypeKind::Int;
}

void Verifier::expect(ExprId id, std::size_t i, TypeKind wanted) {
    if (kind(stripped(type(arg(id, i)))) != wanted)
        fail("expr {} ({}): argument {} has type {}", index(id), op_text(program_.exprs[id].op), i,
             type_text(program_, type(arg(id, i))));
}

void Verifier::expect_fit(ExprId id, TypeId from, TypeId to) {
    if (!fits(from, to))
        fail("expr {} ({}): type {} does not fit {}", index(id), op_text(program_.exprs[id].op),
             type_text(program_, from), type_text(program_, to));
}

bool Verifier::good(ExprId id, std::string_view where, TypeKind wanted) {
    if (index(id) >= program_.exprs.size()) {
        fail("{}: no expression {}", where, index(id));
        return false;
    }
    if (kind(stripped(type(id))) == wanted) return true;
    fail("{}: type {}", where, type_text(program_, type(id)));
    return false;
}

// Whether the immediate, where it is an id, is in range.
bool Verifier::immediate(ExprId id) {
    const Expr& e = program_.exprs[id];
    auto below = [&](std::size_t size) { return e.imm >= 0 && static_cast<std::size_t>(e.imm) < size; };
    if (e.op == Op::Var || binds_variable(e.op)) return below(program_.vars.size());
    switch (e.op) {
    case Op::SetConst: return below(program_.set_consts.size());
    case Op::StateGet:
    case Op::MapGet: return below(program_.states.size());
    case Op::Earlier: return below(program_.keys.size());
    case Op::Call: return below(program_.functions.size());
    case Op::Can: return below(program_.rules.size());
    case Op::Table:
        return kind(id) == TypeKind::Path &&
               below(program_.boards[static_cast<BoardId>(program_.types[e.type].ref)].steps.size());
    default: return true;
    }
}

void Verifier::expr(ExprId id) {
    const Expr& e = program_.exprs[id];
    if (static_cast<std::size_t>(e.first_arg) + e.arg_count > program_.args.size()) {
        fail("expr {}: arguments out of range", index(id));
        return;
    }
    if (op_arity(e.op) >= 0 && e.arg_count != static_cast<std::uint32_t>(op_arity(e.op))) {
        fail("expr {} ({}): {} arguments", index(id), op_text(e.op), e.arg_count);
        return;
    }
    for (auto argument : program_.arguments(id)) {
        if (index(argument) < program_.exprs.size()) continue;
        fail("expr {} ({}): argument out of range", index(id), op_text(e.op));
        return;
    }
    if (!immediate(id)) {
        fail("expr {} ({}): immediate {} out of range", index(id), op_text(e.op), e.imm);
        return;
    }
    node(id);
}

void Verifier::node(ExprId id) {
    const Expr& e = program_.exprs[id];
    switch (e.op) {
    case Op::Const:
        if (!program_.types.ordinal(e.type, e.imm)) fail("expr {}: constant {} outside its type", index(id), e.imm);
        break;
    case Op::SetConst:
        if (kind(id) != TypeKind::Set || program_.set_consts[static_cast<SetConstId>(e.imm)].size() !=
                                             program_.types.cardinality(program_.types.inner(e.type)))
            fail("expr {}: set constant of another size", index(id));
        break;
    case Op::Var: expect_fit(id, program_.vars[static_cast<VarId>(e.imm)].type, e.type); break;
    case Op::MapGet: map_get(id); break;
    case Op::StateGet:
        if (!program_.states[static_cast<StateId>(e.imm)].indices.empty())
            fail("expr {}: map without index", index(id));
        break;
    case Op::Not: expect(id, 0, TypeKind::Bool); break;
    case Op::And:
    case Op::Or:
        for (std::size_t i = 0; i < e.arg_count; ++i) expect(id, i, TypeKind::Bool);
        break;
    case Op::If:
        expect(id, 0, TypeKind::Bool);
        expect_fit(id, type(arg(id, 1)), e.type);
        expect_fit(id, type(arg(id, 2)), e.type);
        break;
    case Op::Let:
        expect_fit(id, type(arg(id, 0)), program_.vars[static_cast<VarId>(e.imm)].type);
        expect_fit(id, type(arg(id, 1)), e.type);
        break;
    case Op::Call: call(id); break;
    case Op::Can: can(id); break;
    default: arithmetic(id); break;
    }
}

void Verifier::arithmetic(ExprId id) {
    const Expr& e = program_.exprs[id];
    switch (e.op) {
    case Op::Eq: expect_fit(id, type(arg(id, 0)), type(arg(id, 1))); break;
    case Op::Lt:
        expect_fit(id, type(arg(id, 0)), type(arg(id, 1)));
        if (kind(arg(id, 0)) != TypeKind::Real) expect(id, 0, TypeKind::Int);
        break;
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Mod:
    case Op::Min:
    case Op::Max: expect(id, 1, kind(e.type)); [[fallthrough]];
    case Op::Neg: expect(id, 0, kind(e.type)); break;
    case Op::ToReal: expect(id, 0, TypeKind::Int); break;
    default: scalars(id); break;
    }
}

void Verifier::scalars(ExprId id) {
    const Expr& e = program_.exprs[id];
    switch (e.op) {
    case Op::MakeTuple:
    case Op::Project: tuple(id); break;
    case Op::NextPlayer:
    case Op::PrevPlayer: expect(id, 0, TypeKind::Player); break;
    case Op::SiteAt: expect(id, 1, TypeKind::Int); [[fallthrough]];
    case Op::SiteNumber:
        expect(id, 0, TypeKind::Int);
        if (kind(stripped(e.type)) != TypeKind::Site) fail("expr {}: not a site", index(id));
        break;
    case Op::CoordX:
    case Op::CoordY:
    case Op::Number: expect(id, 0, TypeKind::Site); break;
    default: sets(id); break;
    }
}

void Verifier::tuple(ExprId id) {
    const Expr& e = program_.exprs[id];
    const TypeId tuple_type = stripped(e.op == Op::MakeTuple ? e.type : type(arg(id, 0)));
    if (kind(tuple_type) != TypeKind::Tuple) return fail("expr {}: not a tuple", index(id));
    const auto& parts = program_.types[tuple_type].parts;
    if (e.op == Op::Project) {
        if (e.imm < 0 || static_cast<std::size_t>(e.imm) >= parts.size())
            return fail("expr {}: no such part", index(id));
        return expect_fit(id, parts[static_cast<std::size_t>(e.imm)], e.type);
    }
    if (parts.size() != e.arg_count) return fail("expr {}: {} parts", index(id), e.arg_count);
    for (std::size_t i = 0; i < parts.size(); ++i) expect_fit(id, type(arg(id, i)), parts[i]);
}

void Verifier::map_get(ExprId id) {
    const Expr& e = program_.exprs[id];
    const StateVariable& state = program_.states[static_cast<StateId>(e.imm)];
    if (state.indices.size() != e.arg_count) return fail("expr {}: {} indices", index(id), e.arg_count);
    for (std::size_t i = 0; i < e.arg_count; ++i) expect_fit(id, type(arg(id, i)), state.indices[i]);
    expect_fit(id, state.value, e.type);
}

void Verifier::call(ExprId id) {
    const Expr& e = program_.exprs[id];
    const Function& function = program_.functions[static_cast<FunctionId>(e.imm)];
    if (function.params.size() != e.arg_count) return fail("expr {}: {} arguments", index(id), e.arg_count);
    for (std::size_t i = 0; i < e.arg_count; ++i)
        expect_fit(id, type(arg(id, i)), program_.vars[function.params[i]].type);
    if (index(function.body) >= program_.exprs.size()) return fail("function {}: no body", function.name);
    expect_fit(id, type(function.body), e.type);
}

void Verifier::can(ExprId id) {
    const Expr& e = program_.exprs[id];
    const Rule& rule = program_.rules[static_cast<RuleId>(e.imm)];
    if (rule.params.size() + 1 != e.arg_count) return fail("expr {}: {} arguments", index(id), e.arg_count);
    expect(id, 0, TypeKind::Player);
    for (std::size_t i = 1; i < e.arg_count; ++i) {
        if (program_.exprs[arg(id, i)].op == Op::Wildcard) continue;
        expect_fit(id, type(arg(id, i)), program_.vars[rule.params[i - 1]].type);
    }
}

void Verifier::sets(ExprId id) {
    const Expr& e = program_.exprs[id];
    switch (e.op) {
    case Op::In:
        expect(id, 1, TypeKind::Set);
        if (kind(arg(id, 1)) == TypeKind::Set) expect_fit(id, type(arg(id, 0)), program_.types.inner(type(arg(id, 1))));
        break;
    case Op::Universe:
    case Op::Single:
    case Op::IntRange:
        if (kind(id) != TypeKind::Set) fail("expr {} ({}): not a set", index(id), op_text(e.op));
        break;
    case Op::Union:
    case Op::Inter:
    case Op::Diff:
        for (std::size_t i = 0; i < 2; ++i)
            if (type(arg(id, i)) != e.type || kind(id) != TypeKind::Set) expect_fit(id, type(arg(id, i)), e.type);
        break;
    case Op::Image:
        expect(id, 0, TypeKind::Set);
        expect(id, 1, TypeKind::Path);
        break;
    case Op::Retype:
    case Op::Count:
    case Op::Any:
    case Op::The: expect(id, 0, TypeKind::Set); break;
    default: binder(id); break;
    }
}

void Verifier::binder(ExprId id) {
    const Expr& e = program_.exprs[id];
    switch (e.op) {
    case Op::SetOf:
    case Op::Exists:
    case Op::ForAll: expect(id, 1, TypeKind::Bool); break;
    case Op::UnionOver:
    case Op::SumOver:
    case Op::MinOver:
    case Op::MaxOver:
    case Op::PathOver: expect_fit(id, type(arg(id, 1)), e.type); break;
    default: return path(id);
    }
    if (kind(arg(id, 0)) != TypeKind::Set) return fail("expr {} ({}): domain is no set", index(id), op_text(e.op));
    const TypeId element = program_.types.inner(type(arg(id, 0)));
    expect_fit(id, element, program_.vars[static_cast<VarId>(e.imm)].type);
    if (e.op == Op::SetOf && type(arg(id, 0)) != e.type) fail("expr {}: domain of another type", index(id));
}

void Verifier::path(ExprId id) {
    const Expr& e = program_.exprs[id];
    switch (e.op) {
    case Op::Step: expect(id, 0, TypeKind::Dir); break;
    case Op::StepsOf: expect(id, 0, TypeKind::Set); break;
    case Op::Seq:
    case Op::Alt: expect(id, 1, TypeKind::Path); [[fallthrough]];
    case Op::Converse: expect(id, 0, TypeKind::Path); break;
    case Op::Into:
        expect(id, 0, TypeKind::Path);
        expect(id, 1, TypeKind::Set);
        break;
    case Op::Power: expect(id, 2, TypeKind::Int); [[fallthrough]];
    case Op::Closure:
        expect(id, 0, TypeKind::Path);
        expect(id, 1, TypeKind::Int);
        break;
    case Op::Table: break;
    default: return;
    }
    if (kind(id) != TypeKind::Path) fail("expr {} ({}): not typed as a path", index(id), op_text(e.op));
}

} // namespace zug::ir
