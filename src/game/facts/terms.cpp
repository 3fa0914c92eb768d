#include "game/facts/terms.hpp"

#include "executor/hash.hpp"

#include <algorithm>

namespace zug::game {

using ir::Op;
using ir::TypeKind;

namespace {

// Whether the type says what the operation means. Elsewhere it is left out, since equal meanings may be typed apart.
bool type_matters(Op op) {
    switch (op) {
    case Op::Universe:
    case Op::Single:
    case Op::IntRange:
    case Op::Retype:
    case Op::MakeTuple:
    case Op::SiteAt:
    case Op::SiteNumber:
    case Op::MinOver:
    case Op::MaxOver:
    case Op::Table:
    case Op::Div:
    case Op::SetConst: return true;
    default: return false;
    }
}

std::uint64_t hash_of(const Term& term) {
    std::uint64_t hash = run::combine_hashes(static_cast<std::uint64_t>(term.op), static_cast<std::uint64_t>(term.imm));
    for (auto arg : term.args) hash = run::combine_hashes(hash, index(arg));
    return hash;
}

} // namespace

TermId Terms::make(Term term) {
    const std::uint64_t hash = hash_of(term);
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto it = first; it != last; ++it) {
        const Term& other = terms_[it->second];
        if (other.op == term.op && other.imm == term.imm && other.args == term.args &&
            (!type_matters(term.op) || other.type == term.type))
            return it->second;
    }
    const TermId id = terms_.push(std::move(term));
    by_hash_.emplace(hash, id);
    return id;
}

std::optional<TermId> Terms::of(ir::ExprId expr, std::int64_t me) {
    me_ = me;
    too_large_ = false;
    steps_ = 0;
    const TermId id = convert(expr, {}, 0);
    return too_large_ ? std::nullopt : std::optional(id);
}

std::optional<std::int64_t> Terms::constant(TermId id) const {
    if (terms_[id].op != Op::Const) return std::nullopt;
    return terms_[id].imm;
}

TermId Terms::scalar(ir::TypeId type, std::int64_t value) {
    return make({.op = Op::Const, .type = type, .imm = value, .args = {}});
}

TermId Terms::convert(ir::ExprId expr, const Environment& env, std::uint32_t depth) {
    const ir::Expr& e = program_.exprs[expr];
    if (++steps_ > max_terms || depth > max_depth) {
        too_large_ = true;
        return scalar(e.type, 0);
    }
    if (e.op == Op::Me) return scalar(e.type, me_);
    if (e.op == Op::Var) {
        const auto it = env.names.find(static_cast<ir::VarId>(e.imm));
        if (it != env.names.end()) return it->second;
        too_large_ = true; // a name from outside: payoffs have none
        return scalar(e.type, 0);
    }
    if (e.op == Op::Call) return convert_call(expr, env, depth);
    if (e.op == Op::Let) {
        Environment inner = env;
        inner.names[static_cast<ir::VarId>(e.imm)] = convert(program_.argument(expr, 0), env, depth + 1);
        return convert(program_.argument(expr, 1), inner, depth + 1);
    }
    return ir::binds_variable(e.op) ? convert_binder(expr, env, depth) : convert_children(expr, env, depth);
}

TermId Terms::convert_call(ir::ExprId expr, const Environment& env, std::uint32_t depth) {
    const ir::Expr& e = program_.exprs[expr];
    const ir::Function& function = program_.functions[static_cast<ir::FunctionId>(e.imm)];
    if (function.recursive) return convert_children(expr, env, depth);
    Environment inner{.names = {}, .binders = env.binders};
    for (std::size_t i = 0; i < e.arg_count; ++i)
        inner.names[function.params[i]] = convert(program_.argument(expr, i), env, depth + 1);
    return convert(function.body, inner, depth + 1);
}

TermId Terms::convert_binder(ir::ExprId expr, const Environment& env, std::uint32_t depth) {
    const ir::Expr& e = program_.exprs[expr];
    const auto var = static_cast<ir::VarId>(e.imm);
    const TermId domain = convert(program_.argument(expr, 0), env, depth + 1);
    Environment inner = env;
    ++inner.binders;
    inner.names[var] = make({.op = Op::Var, .type = program_.vars[var].type, .imm = env.binders, .args = {}});
    const TermId body = convert(program_.argument(expr, 1), inner, depth + 1);
    return make({.op = e.op, .type = e.type, .imm = env.binders, .args = {domain, body}});
}

TermId Terms::convert_children(ir::ExprId expr, const Environment& env, std::uint32_t depth) {
    const ir::Expr& e = program_.exprs[expr];
    Term term{.op = e.op, .type = e.type, .imm = e.imm, .args = {}};
    for (auto arg : program_.arguments(expr)) term.args.push_back(convert(arg, env, depth + 1));
    return fold(std::move(term));
}

// What a condition or a player comes to once `me` is known.
std::optional<std::int64_t> Terms::folded(const Term& term) const {
    auto at = [&](std::size_t i) { return constant(term.args[i]); };
    const auto players = static_cast<std::int64_t>(program_.player_count());
    switch (term.op) {
    case Op::Eq:
        if (term.args[0] == term.args[1]) return 1;
        if (at(0) && at(1)) return *at(0) == *at(1);
        return std::nullopt;
    case Op::Not: return at(0) ? std::optional<std::int64_t>(*at(0) == 0) : std::nullopt;
    case Op::NextPlayer: return at(0) ? std::optional((*at(0) + 1) % players) : std::nullopt;
    case Op::PrevPlayer: return at(0) ? std::optional((*at(0) + players - 1) % players) : std::nullopt;
    case Op::And:
        if (std::ranges::any_of(term.args, [&](auto arg) { return constant(arg) == 0; })) return 0;
        if (std::ranges::all_of(term.args, [&](auto arg) { return constant(arg) == 1; })) return 1;
        return std::nullopt;
    case Op::Or:
        if (std::ranges::any_of(term.args, [&](auto arg) { return constant(arg) == 1; })) return 1;
        if (std::ranges::all_of(term.args, [&](auto arg) { return constant(arg) == 0; })) return 0;
        return std::nullopt;
    default: return std::nullopt;
    }
}

TermId Terms::fold(Term term) {
    if (const auto value = folded(term)) return scalar(term.type, *value);
    if (term.op == Op::If) {
        if (const auto known = constant(term.args[0])) return term.args[*known != 0 ? 1 : 2];
        if (term.args[1] == term.args[2]) return term.args[1];
    }
    return make(std::move(term));
}

} // namespace zug::game
