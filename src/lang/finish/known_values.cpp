#include "lang/finish/known_values.hpp"

#include <algorithm>

namespace zug::lang {

KnownValues::KnownValues(Builder& builder, const ir::Program& program, const ir::Rule& rule)
    : builder_(builder), program_(program) {
    for (const ir::Clause& clause : rule.when) {
        if (!valid(clause.bind)) {
            add(clause.expr, true);
            continue;
        }
        const ExprId name = builder_.var(clause.bind, rule.span);
        equal_.push_back({name, clause.expr});
        // Where it is none, so is what a map holds there.
        if (builder_[clause.expr].op == Op::The) add_member(name, program_.argument(clause.expr, 0));
    }
}

void KnownValues::add(ExprId condition, bool holds) {
    const ir::Expr x = builder_[condition];
    const std::vector<ExprId> args(program_.arguments(condition).begin(), program_.arguments(condition).end());
    switch (x.op) {
    case Op::Not: return add(args[0], !holds);
    case Op::And:
        if (holds)
            for (ExprId part : args) add(part, true);
        return;
    case Op::Eq:
        if (holds) equal_.push_back({args[0], args[1]});
        return;
    case Op::IsNone: return none_.push_back({args[0], holds});
    case Op::In:
        if (holds) add_member(args[0], args[1]);
        return;
    default: return;
    }
}

void KnownValues::add_member(ExprId member, ExprId set) {
    const ir::Expr x = builder_[set];
    const std::vector<ExprId> args(program_.arguments(set).begin(), program_.arguments(set).end());
    switch (x.op) {
    case Op::SetOf:
        add(builder_.substitute(args[1], {{static_cast<VarId>(x.imm), member}}), true);
        return add_member(member, args[0]);
    case Op::Inter: add_member(member, args[1]); [[fallthrough]];
    case Op::Diff: return add_member(member, args[0]);
    case Op::Image: return add_landing(member, args[1]);
    default: return;
    }
}

// A path ends at the place.
void KnownValues::add_landing(ExprId place, ExprId path) {
    const ir::Expr x = builder_[path];
    const std::vector<ExprId> args(program_.arguments(path).begin(), program_.arguments(path).end());
    if (x.op == Op::Seq || x.op == Op::PathOver) return add_landing(place, args[1]);
    if (x.op != Op::Into) return;
    add_member(place, args[1]);
    add_landing(place, args[0]);
}

bool KnownValues::are_equal(ExprId a, ExprId b) const {
    return builder_.same(a, b) || std::ranges::any_of(equal_, [&](const Equal& e) {
               return (builder_.same(a, e.a) && builder_.same(b, e.b)) ||
                      (builder_.same(a, e.b) && builder_.same(b, e.a));
           });
}

ExprId KnownValues::name_of(ExprId value) const {
    const auto named = std::ranges::find_if(
        equal_, [&](const Equal& e) { return builder_[e.a].op == Op::Var && builder_.same(e.b, value); });
    return named == equal_.end() ? value : named->a;
}

// `me`, `next(me)` and constants.
std::optional<std::int64_t> KnownValues::constant_of(ExprId e, std::size_t player) const {
    const auto count = static_cast<std::int64_t>(program_.player_count());
    if (builder_[e].op == Op::Me) return static_cast<std::int64_t>(player);
    if (builder_[e].op != Op::NextPlayer && builder_[e].op != Op::PrevPlayer) return builder_.scalar(e);
    const auto of = constant_of(program_.argument(e, 0), player);
    if (!of || *of == ir::none) return std::nullopt;
    return (*of + (builder_[e].op == Op::NextPlayer ? 1 : count - 1)) % count;
}

bool KnownValues::can_be_tuple(ExprId tuple, std::int64_t constant, std::size_t player) const {
    if (constant == ir::none) return false;
    TypeId type = builder_.type(tuple);
    if (program_.types.kind(type) == TypeKind::Optional) type = program_.types.inner(type);
    for (std::size_t i = 0; i < program_.types[type].parts.size(); ++i) {
        const auto part = constant_of(program_.argument(tuple, i), player);
        if (part && *part != program_.types.project(type, constant, i)) return false;
    }
    return true;
}

bool KnownValues::can_be(ExprId value, std::int64_t constant, std::size_t player) const {
    for (const None& fact : none_)
        if (builder_.same(fact.value, value) && fact.is_none != (constant == ir::none)) return false;
    const auto excludes = [&](ExprId of, ExprId equal) {
        if (builder_[equal].op == Op::MakeTuple && builder_.same(of, value))
            return !can_be_tuple(equal, constant, player);
        const auto known = constant_of(equal, player);
        if (!known) return false;
        if (builder_.same(of, value)) return *known != constant;
        if (builder_[of].op != Op::Project || constant == ir::none) return false;
        if (!builder_.same(program_.argument(of, 0), value)) return false;
        TypeId type = builder_.type(value);
        if (program_.types.kind(type) == TypeKind::Optional) type = program_.types.inner(type);
        return program_.types.project(type, constant, static_cast<std::size_t>(builder_[of].imm)) != *known;
    };
    return std::ranges::none_of(equal_, [&](const Equal& e) { return excludes(e.a, e.b) || excludes(e.b, e.a); });
}

} // namespace zug::lang
