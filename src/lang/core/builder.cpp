#include "lang/core/builder.hpp"

#include <algorithm>
#include <bit>

namespace zug::lang {

namespace {

using FreeNames = decltype(Facts::free);

void merge(FreeNames& into, const FreeNames& from) {
    for (VarId var : from) {
        auto it = std::lower_bound(into.begin(), into.end(), var);
        if (it == into.end() || *it != var) into.insert(it, var);
    }
}

void remove(FreeNames& names, VarId var) {
    auto it = std::lower_bound(names.begin(), names.end(), var);
    if (it != names.end() && *it == var) names.erase(it);
}

bool reads_game(Op op) {
    return op == Op::StateGet || op == Op::MapGet || op == Op::Stuck || op == Op::Earlier || op == Op::Can;
}

} // namespace

Builder::Builder(ir::Program& program) : program_(program), evaluator_(program, nullptr, &work_) {}

double Builder::cardinality(TypeId element) const { return static_cast<double>(types().cardinality(element)); }

double Builder::cost_of(const ir::Expr& expr, std::span<const ExprId> args) const {
    double sum = 1;
    for (auto arg : args) sum += facts_[arg].cost;
    if (ir::binds_variable(expr.op) && expr.op != Op::Let) {
        const double members = cardinality(types().inner(type(args[0])));
        return 1 + facts_[args[0]].cost + members * (1 + facts_[args[1]].cost);
    }
    const TypeKind kind = types().kind(expr.type);
    if (kind == TypeKind::Set) sum += cardinality(types().inner(expr.type)) / 8;
    if (kind != TypeKind::Path) return sum;
    // A path costs what following it once from a set of sites does: a step looks at every site.
    const auto sites =
        static_cast<double>(program_.boards[static_cast<ir::BoardId>(types()[expr.type].ref)].sites.size());
    const double step = sites / 8 + 1;
    switch (expr.op) {
    case Op::Step:
    case Op::Table: return sum + step;
    case Op::StepsOf: return sum + step * cardinality(types().inner(type(args[0])));
    case Op::Closure: return sum * (sites + 1);
    case Op::Power: { // beyond the number of sites by squaring the relation
        const double times = std::max(static_cast<double>(types()[type(args[2])].hi), 1.0);
        return sum * 2 * std::min(times, sites + 1) + (times > sites ? 64 * sites * (step + sites) : 0);
    }
    default: return sum + step;
    }
}

Facts Builder::facts_of(const ir::Expr& expr, std::span<const ExprId> args) const {
    Facts result;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const Facts& arg = facts_[args[i]];
        result.reads_state |= arg.reads_state;
        result.uses_me |= arg.uses_me;
        result.binds |= arg.binds;
        result.size = std::min(result.size + arg.size, std::uint32_t{1} << 30);
        result.height = std::max(result.height, arg.height + 1);
        if (ir::binds_variable(expr.op) && i == 1) {
            FreeNames body = arg.free;
            remove(body, static_cast<VarId>(expr.imm));
            merge(result.free, body);
        } else {
            merge(result.free, arg.free);
        }
    }
    result.cost = cost_of(expr, args);
    if (ir::binds_variable(expr.op)) result.binds = true;
    if (expr.op == Op::Var) result.free.push_back(static_cast<VarId>(expr.imm));
    if (expr.op == Op::Me) result.uses_me = true;
    if (expr.op == Op::Earlier)
        for (const ExprId part : program_.keys[static_cast<ir::KeyId>(expr.imm)].parts)
            result.uses_me |= facts_[part].uses_me;
    if (expr.op == Op::Call) {
        auto it = functions_.find(static_cast<ir::FunctionId>(expr.imm));
        result.reads_state |= it == functions_.end() || it->second.reads_state;
        result.uses_me |= it == functions_.end() || it->second.uses_me;
        result.cost += it == functions_.end() ? fold_cost : it->second.cost;
    } else if (reads_game(expr.op)) {
        const bool constant = (expr.op == Op::StateGet || expr.op == Op::MapGet) &&
                              static_cast<std::size_t>(expr.imm) < constant_states_.size() &&
                              constant_states_[static_cast<std::size_t>(expr.imm)];
        result.reads_state |= !constant;
    }
    return result;
}

ExprId Builder::push(Op op, TypeId type, std::span<const ExprId> args, std::int64_t imm, Span span) {
    if (program_.exprs.size() >= max_expressions || program_.args.size() >= 2 * max_expressions) throw Exhausted{};
    ir::Expr expr{.op = op,
                  .type = type,
                  .first_arg = static_cast<std::uint32_t>(program_.args.size()),
                  .arg_count = static_cast<std::uint32_t>(args.size()),
                  .imm = imm,
                  .span = span};
    Facts facts = facts_of(expr, args);
    if (facts.height > max_height || facts.size > max_expressions) throw Exhausted{};
    // `args` may point into program_.args.
    const boost::container::small_vector<ExprId, 4> copy(args.begin(), args.end());
    program_.args.insert(program_.args.end(), copy.begin(), copy.end());
    facts_.push(std::move(facts));
    return program_.exprs.push(expr);
}

ExprId Builder::make(Op op, TypeId type, std::span<const ExprId> args, std::int64_t imm, Span span) {
    if (op == Op::And) return conjunction({args.begin(), args.end()}, span);
    if (op == Op::Or) return disjunction({args.begin(), args.end()}, span);
    if (op == Op::Let && is_leaf(args[0])) return substitute(args[1], {{static_cast<VarId>(imm), args[0]}});
    if (auto simple = simplified(op, type, args, span)) return *simple;
    const ExprId id = push(op, type, args, imm, span);
    return foldable(id) ? folded(id) : id;
}

bool Builder::foldable(ExprId id) const {
    const ir::Expr& e = program_.exprs[id];
    if (e.op == Op::Const || e.op == Op::RealConst || e.op == Op::SetConst || e.op == Op::Universe ||
        e.op == Op::Wildcard || types().kind(e.type) == TypeKind::Path)
        return false;
    const Facts& f = facts_[id];
    return f.free.empty() && !f.reads_state && !f.uses_me && f.cost < fold_cost;
}

ExprId Builder::folded(ExprId id) {
    const ir::Expr e = program_.exprs[id];
    work_.left = 4 * static_cast<std::uint64_t>(fold_cost); // paths named by `let` may cost more than was estimated
    ir::Value value = evaluator_.value(id);
    const bool unfinished = work_.spent();
    work_ = {};
    if (unfinished) return id;
    switch (types().kind(e.type)) {
    case TypeKind::Real: return real(value.real, e.span);
    case TypeKind::Set: return set_constant(e.type, std::move(value.set), e.span);
    case TypeKind::Int: return integer(value.scalar, e.span);
    default: return constant(e.type, value.scalar, e.span);
    }
}

// Algebraic simplifications whose result is not a constant.
std::optional<ExprId> Builder::simplified(Op op, TypeId type, std::span<const ExprId> args, Span span) {
    switch (op) {
    case Op::Not:
        if ((*this)[args[0]].op == Op::Not) return program_.argument(args[0], 0);
        return {};
    case Op::If:
        if (auto condition = scalar(args[0])) return retyped(args[*condition != 0 ? 1 : 2], type);
        return {};
    case Op::IsNone:
        if (types().kind(this->type(args[0])) != TypeKind::Optional &&
            types().kind(this->type(args[0])) != TypeKind::None && !is_constant(args[0]))
            return truth(false, span);
        return {};
    case Op::Union:
    case Op::Inter:
    case Op::Diff: return simplified_set(op, args);
    case Op::Into:
        if ((*this)[args[1]].op == Op::Universe) return args[0];
        return {};
    default: return {};
    }
}

std::optional<ExprId> Builder::simplified_set(Op op, std::span<const ExprId> args) {
    const auto empty = [&](ExprId id) { return (*this)[id].op == Op::SetConst && !set(id)->any(); };
    const auto full = [&](ExprId id) { return (*this)[id].op == Op::Universe; };
    if (op == Op::Union && (empty(args[0]) || full(args[1]))) return args[1];
    if (op == Op::Union && (empty(args[1]) || full(args[0]))) return args[0];
    if (op == Op::Inter && (empty(args[0]) || full(args[1]))) return args[0];
    if (op == Op::Inter && (empty(args[1]) || full(args[0]))) return args[1];
    if (op == Op::Diff && (empty(args[0]) || empty(args[1]))) return args[0];
    return {};
}

VarId Builder::new_var(std::string name, TypeId type) { return program_.vars.push({std::move(name), type}); }

ExprId Builder::var(VarId var, Span span) {
    const TypeId type = program_.vars[var].type;
    const ir::Type& t = types()[type];
    if (t.kind == TypeKind::Int && t.lo == t.hi) return integer(t.lo, span);
    return make(Op::Var, type, {}, static_cast<std::int64_t>(index(var)), span);
}

ExprId Builder::constant(TypeId type, std::int64_t value, Span span) { return push(Op::Const, type, {}, value, span); }

ExprId Builder::real(double value, Span span) {
    return push(Op::RealConst, types().real(), {}, std::bit_cast<std::int64_t>(value), span);
}

ExprId Builder::set_constant(TypeId type, Bits bits, Span span) {
    const auto id = program_.set_consts.push(std::move(bits));
    return push(Op::SetConst, type, {}, static_cast<std::int64_t>(index(id)), span);
}

ExprId Builder::conjunction(std::vector<ExprId> parts, Span span) {
    std::vector<ExprId> flat;
    for (auto part : parts) {
        const ir::Expr& e = program_.exprs[part];
        if (auto value = scalar(part)) {
            if (*value == 0) return truth(false, span);
        } else if (e.op == Op::And) {
            for (auto inner : program_.arguments(part)) flat.push_back(inner);
        } else {
            flat.push_back(part);
        }
    }
    if (flat.empty()) return truth(true, span);
    if (flat.size() == 1) return flat.front();
    return push(Op::And, types().boolean(), flat, 0, span);
}

ExprId Builder::disjunction(std::vector<ExprId> parts, Span span) {
    std::vector<ExprId> flat;
    for (auto part : parts) {
        const ir::Expr& e = program_.exprs[part];
        if (auto value = scalar(part)) {
            if (*value != 0) return truth(true, span);
        } else if (e.op == Op::Or) {
            for (auto inner : program_.arguments(part)) flat.push_back(inner);
        } else {
            flat.push_back(part);
        }
    }
    if (flat.empty()) return truth(false, span);
    if (flat.size() == 1) return flat.front();
    return push(Op::Or, types().boolean(), flat, 0, span);
}

ExprId Builder::negation(ExprId expr, Span span) { return make(Op::Not, types().boolean(), {expr}, span); }

ExprId Builder::single(ExprId element, Span span) {
    TypeId type = this->type(element);
    if (types().kind(type) == TypeKind::Optional) type = types().inner(type);
    return make(Op::Single, types().set(type), {element}, span);
}

bool Builder::is_constant(ExprId id) const {
    const Op op = program_.exprs[id].op;
    return op == Op::Const || op == Op::RealConst || op == Op::SetConst;
}

std::optional<std::int64_t> Builder::scalar(ExprId id) const {
    if (program_.exprs[id].op != Op::Const) return {};
    return program_.exprs[id].imm;
}

std::optional<double> Builder::number(ExprId id) const {
    const ir::Expr& e = program_.exprs[id];
    if (e.op == Op::RealConst) return std::bit_cast<double>(e.imm);
    if (e.op == Op::Const) return static_cast<double>(e.imm);
    return {};
}

std::optional<Bits> Builder::set(ExprId id) const {
    const ir::Expr& e = program_.exprs[id];
    if (e.op == Op::SetConst) return program_.set_consts[static_cast<ir::SetConstId>(e.imm)];
    if (e.op == Op::Universe) return Bits::full(types().cardinality(types().inner(e.type)));
    return {};
}

bool Builder::is_leaf(ExprId id) const {
    const Op op = program_.exprs[id].op;
    return is_constant(id) || op == Op::Var || op == Op::Me || op == Op::Universe ||
           ((op == Op::NextPlayer || op == Op::PrevPlayer) && is_leaf(program_.argument(id, 0)));
}

bool Builder::same(ExprId a, ExprId b) const {
    Renaming none;
    return same(a, b, none);
}

// Two binders never share a variable, so those of `b` are renamed to those of `a`.
bool Builder::same(ExprId a, ExprId b, Renaming& renamed) const {
    if (a == b) return true;
    const ir::Expr& x = program_.exprs[a];
    const ir::Expr& y = program_.exprs[b];
    if (x.op != y.op || x.type != y.type || x.arg_count != y.arg_count) return false;
    if (x.op == Op::SetConst) return set(a) == set(b);
    if (x.op == Op::Var) {
        const auto found = renamed.find(y.imm);
        return x.imm == (found == renamed.end() ? y.imm : found->second);
    }
    if (ir::binds_variable(x.op))
        renamed[y.imm] = x.imm;
    else if (x.imm != y.imm)
        return false;
    for (std::size_t i = 0; i < x.arg_count; ++i)
        if (!same(program_.argument(a, i), program_.argument(b, i), renamed)) return false;
    return true;
}

ExprId Builder::retyped(ExprId id, TypeId type) {
    if (this->type(id) == type) return id;
    const TypeKind from = types().kind(this->type(id));
    const TypeKind to = types().kind(type);
    // The type of the inner expression is a tighter interval: keep it.
    if (from == TypeKind::Int && to == TypeKind::Int) return id;
    const ir::Expr e = program_.exprs[id];
    if (e.op == Op::Const && to != TypeKind::Real && types().ordinal(type, e.imm)) return constant(type, e.imm, e.span);
    return id;
}

ExprId Builder::substitute(ExprId id, const Substitution& replacement) {
    const bool touched = std::ranges::any_of(facts_[id].free, [&](VarId v) { return replacement.contains(v); });
    if (!touched && !facts_[id].binds) return id;
    const ir::Expr e = program_.exprs[id];
    if (e.op == Op::Var) return replacement.at(static_cast<VarId>(e.imm));
    const std::vector<ExprId> args(program_.arguments(id).begin(), program_.arguments(id).end());
    std::vector<ExprId> copies;
    std::int64_t imm = e.imm;
    if (ir::binds_variable(e.op)) {
        const auto old = static_cast<VarId>(e.imm);
        copies.push_back(substitute(args[0], replacement));
        const ir::Variable variable = program_.vars[old];
        const VarId fresh = new_var(variable.name, variable.type);
        Substitution inner = replacement;
        inner[old] = var(fresh, e.span);
        copies.push_back(substitute(args[1], inner));
        imm = static_cast<std::int64_t>(index(fresh));
    } else {
        for (auto arg : args) copies.push_back(substitute(arg, replacement));
    }
    return make(e.op, e.type, copies, imm, e.span);
}

void Builder::function_done(ir::FunctionId id) {
    Facts facts = facts_[program_.functions[id].body];
    facts.free.clear();
    functions_[id] = std::move(facts);
}

void Builder::constant_state(ir::StateId id) {
    if (constant_states_.size() <= index(id)) constant_states_.resize(index(id) + 1);
    constant_states_[index(id)] = true;
}

} // namespace zug::lang
