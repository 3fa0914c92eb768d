// Lowering of scalars, truths and calls.

#include "compiler/lower/lowering.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

// Whether the expression may have this value, as far as its constants tell.
bool may_be(const ir::Program& program, ir::ExprId id, std::int64_t value) {
    const ir::Expr& x = program.exprs[id];
    if (x.op == Op::Const) return x.imm == value;
    if (x.op != Op::MakeTuple || value == ir::none) return true;
    for (std::size_t part = 0; part < program.arguments(id).size(); ++part) {
        const ir::TypeId tuple =
            program.types.kind(x.type) == TypeKind::Optional ? program.types.inner(x.type) : x.type;
        if (!may_be(program, program.argument(id, part), program.types.project(tuple, value, part))) return false;
    }
    return true;
}

// How many places an effect list may give a value of the map, less those that it empties. Loops and sets: any number.
std::int64_t places_gained(const ir::Program& program, const std::vector<ir::EffectId>& list, ir::StateId map,
                           std::int64_t value) {
    constexpr std::int64_t any_number = 4096;
    std::int64_t gained = 0;
    for (ir::EffectId id : list) {
        const ir::Effect& e = program.effects[id];
        if (e.kind == ir::EffectKind::For) {
            gained += any_number * std::max<std::int64_t>(0, places_gained(program, e.yes, map, value));
        } else {
            gained += places_gained(program, e.yes, map, value) + places_gained(program, e.no, map, value);
        }
        const bool writes = e.kind == ir::EffectKind::Assign || e.kind == ir::EffectKind::AssignSet ||
                            e.kind == ir::EffectKind::AssignAll;
        if (!writes || e.state != map) continue;
        const bool gives = may_be(program, e.value, value);
        if (e.kind == ir::EffectKind::Assign)
            gained += gives ? 1 : -1;
        else
            gained += gives ? any_number : 0;
    }
    return gained;
}

// Whether some move or event may leave more places with the value than there were.
bool may_grow(const ir::Program& program, ir::StateId map, std::int64_t value) {
    return std::ranges::any_of(program.rules, [&](const ir::Rule& rule) {
        std::int64_t gained = 0;
        for (const ir::Block& block : rule.then) gained += places_gained(program, block.effects, map, value);
        return gained > 0;
    });
}

} // namespace

Lowering::Lowering(const ir::Program& program, const StateLayout& layout, Bytecode& code, ValueGraph& graph)
    : program_(program), layout_(layout), code_(code), graph_(graph), free_(program.exprs.size()) {
    for (auto& memo : asks_) memo.resize(program.exprs.size());
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const VariableLayout& at = layout.variable(static_cast<ir::StateId>(s));
        if (at.storage != Storage::Planes) continue;
        const auto& initial = program.states[static_cast<ir::StateId>(s)].initial;
        for (std::uint32_t p = 0; p < at.planes; ++p)
            if (const auto size = std::ranges::count(initial, p + 1);
                size > 0 && !may_grow(program, static_cast<ir::StateId>(s),
                                      program.types.value(program.states[static_cast<ir::StateId>(s)].value, p + 1)))
                plane_sizes_.push_back(
                    {static_cast<Reg>(at.reg + p * at.set_words), at.set_words, static_cast<std::uint64_t>(size)});
    }
}

NodeRef Lowering::fail() {
    if (DebugInfo* debug_info = graph_.debug_info(); debug_info != nullptr && !failed_)
        debug_info->failed = graph_.origin().span;
    failed_ = true;
    return graph_.word(0);
}

void Lowering::record_refusal() {
    if (DebugInfo* debug_info = graph_.debug_info())
        debug_info->refusals.push_back({graph_.origin().span, failure_reason_.expr, failure_reason_.too_large});
}

void Lowering::record_too_many() {
    failure_reason_.too_large = failure_reason_.too_large || !valid(failure_reason_.expr);
    record_refusal();
}

// -- variables

const std::vector<ir::VarId>& Lowering::free_vars(ir::ExprId e) {
    auto& memo = free_[index(e)];
    if (memo) return *memo;
    const ir::Expr& x = expr(e);
    std::vector<ir::VarId> result;
    if (x.op == Op::Var) result.push_back(static_cast<ir::VarId>(x.imm));
    for (ir::ExprId a : program_.arguments(e)) {
        const auto& inner = free_vars(a);
        result.insert(result.end(), inner.begin(), inner.end());
    }
    const bool binds = ir::binds_variable(x.op);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    if (binds) {
        // The bound variable is free in the first argument only if it is there by a mistake of the checker.
        std::erase(result, static_cast<ir::VarId>(x.imm));
    }
    return memo.emplace(std::move(result));
}

const Binding* Lowering::find(ir::VarId var, const Context& in) const {
    for (const Env* env = in.env; env != nullptr; env = env->next)
        if (env->var == var) return &env->binding;
    return nullptr;
}

bool Lowering::depends(ir::ExprId e, const Context& in) {
    for (ir::VarId var : free_vars(e)) {
        const Binding* b = find(var, in);
        if (b == nullptr) continue;
        if (b->kind == Binding::Kind::Table) return true;
        if (b->kind == Binding::Kind::Closure && depends(b->expr, in.with_env(b->env))) return true;
    }
    return false;
}

Context Lowering::bind_node(ir::VarId var, NodeRef node, const Context& onto) {
    return onto.with_env(&envs_.emplace_back(Env{var, {Binding::Kind::Value, node, {}, {}, nullptr}, onto.env}));
}

Context Lowering::bind_table(ir::VarId var, std::vector<std::int64_t> table, const Context& onto) {
    return onto.with_env(
        &envs_.emplace_back(Env{var, {Binding::Kind::Table, no_node, std::move(table), {}, nullptr}, onto.env}));
}

Context Lowering::bind(ir::VarId var, ir::ExprId value, const Context& in, const Context& onto) {
    if (kind(value) == TypeKind::Path || depends(value, in))
        return onto.with_env(
            &envs_.emplace_back(Env{var, {Binding::Kind::Closure, no_node, {}, value, in.env}, onto.env}));
    return bind_node(var, eval(value, in), onto);
}

Context Lowering::bind_kept(const ir::Clause& let, const Context& in) {
    const Context bound = bind(let.bind, let.expr, in, in);
    if (bound.env->binding.kind != Binding::Kind::Value) return bound;
    return bind_node(let.bind, graph_.copy(bound.env->binding.node), bound);
}

Scoped Lowering::resolve(ir::ExprId e, Context in) {
    for (;;) {
        ++steps_;
        const ir::Expr& x = expr(e);
        if (x.op == Op::Var) {
            const Binding* b = find(static_cast<ir::VarId>(x.imm), in);
            if (b == nullptr || b->kind != Binding::Kind::Closure) return {e, in};
            e = b->expr;
            in.env = b->env;
        } else if (x.op == Op::Let) {
            in = bind(static_cast<ir::VarId>(x.imm), program_.argument(e, 0), in, in);
            e = program_.argument(e, 1);
        } else if (x.op == Op::Call && !program_.functions[static_cast<ir::FunctionId>(x.imm)].recursive) {
            const ir::Function& f = program_.functions[static_cast<ir::FunctionId>(x.imm)];
            Context inner = in.without_names();
            for (std::size_t i = 0; i < f.params.size(); ++i)
                inner = bind(f.params[i], program_.argument(e, i), in, inner);
            in = inner;
            e = f.body;
        } else if (x.op == Op::If && !depends(program_.argument(e, 0), in)) {
            const NodeRef c = eval(program_.argument(e, 0), in);
            if (!graph_.is_constant(c)) return {e, in};
            e = program_.argument(e, graph_.constant_word(c) != 0 ? 1 : 2);
        } else {
            return {e, in};
        }
    }
}

// -- the dispatcher

NodeRef Lowering::eval(ir::ExprId unresolved, const Context& around) {
    if (failed_ || !within_budget() || depth_ > 2000) return fail();
    ++depth_;
    const ValueGraph::From here(graph_, expr(unresolved).span);
    const Scoped resolved = resolve(unresolved, around);
    const ir::ExprId e = resolved.expr;
    const Context& in = resolved.in;
    const ir::Expr& x = expr(e);
    const auto arg = [&](std::size_t i) { return eval(program_.argument(e, i), in); };
    const FailureReason outer = std::exchange(failure_reason_, {});
    NodeRef result = no_node;
    // Loops and images are not shared by the graph, so equal questions are recognised here.
    const auto key = x.arg_count > 0 ? memo_key(e, in) : std::nullopt;
    if (key) {
        const auto found = memo_.find(*key);
        if (found != memo_.end() && graph_.visible(found->second)) {
            --depth_;
            failure_reason_ = outer;
            return found->second;
        }
    }
    switch (x.op) {
    case Op::Const: result = graph_.word(layout_.to_register(x.type, x.imm)); break;
    case Op::RealConst: result = graph_.real(std::bit_cast<double>(x.imm)); break;
    case Op::Var: {
        const Binding* b = find(static_cast<ir::VarId>(x.imm), in);
        result = b != nullptr && b->kind == Binding::Kind::Value ? b->node : fail();
        break;
    }
    case Op::Me: result = graph_.word(in.me); break;
    case Op::StateGet:
        result = program_.states[static_cast<ir::StateId>(x.imm)].assigned
                     ? state_place(static_cast<ir::StateId>(x.imm), in)
                     : constant_state(static_cast<ir::StateId>(x.imm));
        break;
    case Op::MapGet: {
        const std::int64_t* const assumed = assumed_at(e, in);
        result = assumed != nullptr ? graph_.word(*assumed) : eval_map(e, in, nullptr);
        break;
    }
    case Op::Not: result = graph_.not_(arg(0)); break;
    case Op::And:
    case Op::Or: result = eval_logic(e, in); break;
    case Op::If: result = graph_.select(arg(0), arg(1), arg(2)); break;
    case Op::Eq: result = eval_equal(e, in); break;
    case Op::In: result = eval_in(e, in); break;
    case Op::Can: result = eval_can(e, in); break;
    case Op::Exists:
    case Op::ForAll:
    case Op::SumOver:
    case Op::MinOver:
    case Op::MaxOver:
    case Op::SetOf:
    case Op::UnionOver: result = eval_binder(e, in); break;
    case Op::Stuck:
        if (in.stuck) ++stuck_answers_;
        result = in.stuck ? graph_.word(*in.stuck ? 1 : 0) : ask_reference(e, in);
        break;
    case Op::Earlier:
    case Op::Call: result = ask_reference(e, in); break;
    default:
        result = eval_arithmetic(e, in);
        if (result == no_node) result = eval_structure(e, in);
        if (result == no_node) result = eval_set(e, in);
    }
    --depth_;
    failure_reason_ = outer;
    if (result == no_node) return fail();
    if (key) memo_.insert_or_assign(*key, result);
    return result;
}

void Lowering::forget_other_epochs() {
    if (graph_.stamp() == memo_stamp_) return;
    memo_.clear();
    known_candidates_.clear();
    memo_stamp_ = graph_.stamp();
}

void Lowering::hash_assumptions(const Context& in, WordsHasher& hasher) {
    hasher.add(in.assumed ? 1 : 0);
    if (in.assumed) hasher.add(static_cast<std::uint64_t>(in.assumed->value));
    if (in.moved == nullptr) return;
    hasher.add(static_cast<std::uint64_t>(in.moved->state));
    hasher.add(static_cast<std::uint64_t>(in.moved->site));
    hasher.add(in.moved->now);
    hasher.add(in.moved->only ? 1 : 0);
}

// What the value of an expression depends on, besides the state: none if a variable stands for more than a value.
std::optional<WordsHash> Lowering::memo_key(ir::ExprId e, const Context& in) {
    forget_other_epochs();
    WordsHasher hasher;
    hasher.add(index(e));
    hasher.add(in.me);
    hasher.add(memo_stamp_);
    hasher.add(in.stuck ? 1 : 0); // one supposition a routine
    hash_assumptions(in, hasher);
    for (ir::VarId var : free_vars(e)) {
        const Binding* b = find(var, in);
        if (b == nullptr || b->kind != Binding::Kind::Value) return std::nullopt;
        hasher.add(static_cast<std::uint64_t>(b->node));
    }
    return hasher.done();
}

NodeRef Lowering::eval_arithmetic(ir::ExprId e, const Context& in) {
    const ir::Expr& x = expr(e);
    const auto arg = [&](std::size_t i) { return eval(program_.argument(e, i), in); };
    const bool real = x.op == Op::Lt ? kind(program_.argument(e, 0)) == TypeKind::Real
                                     : program_.types.kind(x.type) == TypeKind::Real;
    switch (x.op) {
    case Op::Add: return graph_.op(real ? Family::AddReal : Family::Add, arg(0), arg(1));
    case Op::Sub: return graph_.op(real ? Family::SubReal : Family::Sub, arg(0), arg(1));
    case Op::Mul: return graph_.op(real ? Family::MulReal : Family::Mul, arg(0), arg(1));
    case Op::Div: return graph_.op(real ? Family::DivReal : Family::Div, arg(0), arg(1));
    case Op::Mod: return graph_.op(Family::Mod, arg(0), arg(1));
    case Op::Neg: return graph_.op(real ? Family::NegReal : Family::Neg, arg(0));
    case Op::Min: return graph_.op(real ? Family::MinReal : Family::Min, arg(0), arg(1));
    case Op::Max: return graph_.op(real ? Family::MaxReal : Family::Max, arg(0), arg(1));
    case Op::Lt: return graph_.op(real ? Family::LtReal : Family::Lt, arg(0), arg(1));
    case Op::ToReal: return graph_.op(Family::ToReal, arg(0));
    default: return no_node;
    }
}

NodeRef Lowering::eval_equal(ir::ExprId e, const Context& in) {
    const ir::ExprId a = program_.argument(e, 0), b = program_.argument(e, 1);
    if (kind(a) == TypeKind::Real) return graph_.op(Family::EqReal, eval(a, in), eval(b, in));
    if (kind(a) == TypeKind::Set) {
        const NodeRef x = eval(a, in);
        return graph_.make(Family::EqSet, graph_.width(x), {x, eval(b, in), no_node});
    }
    // A stored value compared with a constant is one bit of one plane.
    for (const auto& [map, other] : {std::pair{a, b}, std::pair{b, a}}) {
        const Scoped r = resolve(map, in);
        if (expr(r.expr).op != Op::MapGet || assumed_at(r.expr, r.in) != nullptr) continue;
        const auto id = static_cast<ir::StateId>(expr(r.expr).imm);
        const ir::StateVariable& variable = program_.states[id];
        if (!variable.assigned || layout_.variable(id).storage != Storage::Planes) continue;
        const NodeRef value = eval(other, in);
        if (!graph_.is_constant(value)) continue;
        const auto ord =
            program_.types.ordinal(variable.value, layout_.from_register(variable.value, graph_.constant_word(value)));
        if (!ord) return graph_.word(0);
        if (*ord == 0) continue;
        const NodeRef place = eval(program_.argument(r.expr, 0), r.in);
        return graph_.make(Family::Test, layout_.variable(id).set_words, {place, plane_of(id, *ord, r.in), no_node},
                           static_cast<std::int32_t>(layout_.shape(variable.indices[0]).bits));
    }
    return graph_.op(Family::Eq, eval(a, in), eval(b, in));
}

// An image from one place along steps that each lead to one place at most.
bool Lowering::functional(ir::ExprId e, const Context& in) {
    const Scoped r = resolve(e, in);
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    switch (expr(r.expr).op) {
    case Op::Single:
    case Op::Step:
    case Op::Table: return true;
    case Op::Image:
    case Op::Seq: return functional(arg(0), r.in) && functional(arg(1), r.in);
    case Op::Inter:
    case Op::Into: return functional(arg(0), r.in);
    case Op::Power: return functional(arg(0), r.in) && arg(1) == arg(2);
    default: return false;
    }
}

NodeRef Lowering::eval_in(ir::ExprId e, const Context& in) {
    const Scoped a = resolve(program_.argument(e, 0), in), s = resolve(program_.argument(e, 1), in);
    const ir::TypeId type = element(s.expr);
    if (expr(a.expr).op == Op::The && functional(program_.argument(a.expr, 0), a.in))
        return graph_.any(graph_.and_(eval(program_.argument(a.expr, 0), a.in), eval(s.expr, s.in)));
    const SetShape shape = layout_.shape(type);
    return graph_.make(Family::Test, shape.words, {to_bit(type, eval(a.expr, a.in)), eval(s.expr, s.in), no_node},
                       static_cast<std::int32_t>(shape.bits));
}

} // namespace zug::run
