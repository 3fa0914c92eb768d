// Lowering of scalars, truths and calls.

#include "compiler/analysis/static_tables.hpp"
#include "compiler/lower/candidate_finder.hpp"
#include "compiler/lower/lowering.hpp"
#include "compiler/lower/move_set_finder.hpp"
#include "compiler/lower/path_lowering.hpp"
#include "compiler/lower/set_lifter.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

Lowering::Lowering(const ir::Program& program, const CanConditions& can, const StateLayout& layout, Bytecode& code,
                   ValueGraph& graph)
    : program_(program), can_conditions_(can), layout_(layout), code_(code), graph_(graph),
      lifter_(std::make_unique<SetLifter>(*this)), paths_(std::make_unique<PathLowering>(*this)),
      candidates_(std::make_unique<CandidateFinder>(*this)), move_sets_(std::make_unique<MoveSetFinder>(*this)),
      statics_(std::make_unique<StaticTables>(program, layout)), free_(program.exprs.size()),
      grows_(program.functions.size()), entry_recursions_(program.functions.size()) {
    for (auto& memo : asks_) memo.resize(program.exprs.size());
    find_plane_sizes();
}

Lowering::~Lowering() = default;

NodeRef Lowering::lift_truth(ir::ExprId e, const Context& in, const Lift& lift) {
    return lifter_->lift_truth(e, in, lift);
}

bool Lowering::lift_scalar(ir::ExprId e, const Context& in, const Lift& lift, LiftedScalar& out) {
    return lifter_->lift_scalar(e, in, lift, out);
}

std::size_t Lowering::leading_site(const ir::Rule& rule, const Context& in) const {
    return move_sets_->leading_site(rule, in);
}

bool Lowering::move_sets(const ir::Rule& rule, const Context& in, std::vector<MoveSet>& out,
                         const MoveSetQuery& query) {
    return move_sets_->find(rule, in, query, out);
}

NodeRef Lowering::those_where(const ir::Rule& rule, const MoveSet& found, ir::ExprId condition, const Context& in) {
    return move_sets_->those_where(rule, found, condition, in);
}

bool Lowering::names(const ir::Rule& rule, ir::ExprId e, ir::VarId var) const {
    return move_sets_->names(rule, e, var);
}

// -- failure

NodeRef Lowering::fail() {
    if (attempt_.under_way) {
        attempt_.given_up = true;
        return graph_.word(0);
    }
    if (DebugInfo* debug_info = graph_.debug_info(); debug_info != nullptr && !failed_)
        debug_info->failed = graph_.origin().span;
    failed_ = true;
    return graph_.word(0);
}

void Lowering::record_refusal() {
    DebugInfo* const debug_info = graph_.debug_info();
    if (debug_info == nullptr) return;
    DebugInfo::Refusal refusal{graph_.origin().span, std::nullopt, failure_reason_.too_large};
    if (ir::ExprId e = failure_reason_.expr; valid(e)) {
        const Span span = expr(e).span;
        while (expr(e).op == Op::Let) e = program_.argument(e, 1);
        refusal.because = {expr(e).op, span};
    }
    debug_info->refusals.push_back(refusal);
}

void Lowering::record_too_many() {
    failure_reason_.too_large = failure_reason_.too_large || !valid(failure_reason_.expr);
    record_refusal();
}

void Lowering::record_failure(ir::ExprId e, bool too_large) {
    if (valid(failure_reason_.expr)) return;
    failure_reason_.expr = e;
    failure_reason_.too_large = failure_reason_.too_large || too_large;
}

// -- names

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
        // The checker ensures that the bound variable does not occur in the first argument.
        std::erase(result, static_cast<ir::VarId>(x.imm));
    }
    return memo.emplace(std::move(result));
}

const Binding* Lowering::find(ir::VarId var, const Context& in) const {
    for (const Env* env = in.env; env != nullptr; env = env->next)
        if (env->var == var) return &env->binding;
    return nullptr;
}

bool Lowering::names_known(ir::ExprId e, const Context& in) {
    return std::ranges::all_of(free_vars(e), [&](ir::VarId v) { return find(v, in) != nullptr; });
}

bool Lowering::depends(ir::ExprId e, const Context& in) {
    if (in.assumed && expr(e).arg_count > 0) {
        if (is_assumed(e, in)) return false;
        return std::ranges::any_of(program_.arguments(e), [&](ir::ExprId part) { return depends(part, in); });
    }
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

// The value graph does not share loops and images, so their values are memoised here.
NodeRef Lowering::eval(ir::ExprId unresolved, const Context& around) {
    constexpr std::uint32_t most_depth = 2000;
    if (failed() || !within_budget() || depth_ > most_depth) return fail();
    ++depth_;
    const ValueGraph::From here(graph_, expr(unresolved).span);
    const Scoped e = resolve(unresolved, around);
    const FailureReason outer = std::exchange(failure_reason_, {});
    const auto key = expr(e.expr).arg_count > 0 ? memo_key(e.expr, e.in) : std::nullopt;
    NodeRef result = no_node;
    if (key)
        if (const auto found = memo_.find(*key); found != memo_.end() && graph_.visible(found->second))
            result = found->second;
    const bool known = result != no_node;
    if (!known) result = eval_operation(e);
    --depth_;
    failure_reason_ = outer;
    if (result == no_node) return fail();
    // What an attempt leaves that has been given up is no value.
    if (key && !known && !failed()) memo_.insert_or_assign(*key, result);
    return result;
}

NodeRef Lowering::eval_operation(const Scoped& scoped) {
    const ir::ExprId e = scoped.expr;
    const Context& in = scoped.in;
    const ir::Expr& x = expr(e);
    const auto arg = [&](std::size_t i) { return eval(program_.argument(e, i), in); };
    switch (x.op) {
    case Op::Const: return graph_.word(layout_.to_register(x.type, x.imm));
    case Op::RealConst: return graph_.real(std::bit_cast<double>(x.imm));
    case Op::Var: return eval_name(scoped);
    case Op::Me: return graph_.word(in.me);
    case Op::StateGet: {
        const auto id = static_cast<ir::StateId>(x.imm);
        return program_.states[id].assigned ? state_words(id, in) : constant_state(id);
    }
    case Op::MapGet: {
        const std::int64_t* const assumed = assumed_at(e, in);
        return assumed != nullptr ? graph_.word(*assumed) : eval_map(e, in, nullptr);
    }
    case Op::Not: return graph_.not_(arg(0));
    case Op::And:
    case Op::Or: return eval_logic(e, in);
    case Op::If: return graph_.select(arg(0), arg(1), arg(2));
    case Op::Eq: return eval_equal(e, in);
    case Op::In: return eval_in(e, in);
    case Op::Can: return eval_can(e, in);
    case Op::Exists:
    case Op::ForAll:
    case Op::SumOver:
    case Op::MinOver:
    case Op::MaxOver: return eval_binder(e, in);
    case Op::SetOf:
    case Op::UnionOver:
        if (const NodeRef row = lifter_->static_set(scoped); row != no_node) return row;
        return eval_binder(e, in);
    case Op::Stuck: return eval_stuck(scoped);
    case Op::Call: return eval_recursive(e, in);
    case Op::Earlier: return ask_reference(e, in);
    default: break;
    }
    NodeRef result = eval_arithmetic(e, in);
    if (result == no_node) result = eval_structure(e, in);
    return result == no_node ? eval_set(e, in) : result;
}

NodeRef Lowering::eval_name(const Scoped& e) {
    const Binding* b = find(static_cast<ir::VarId>(expr(e.expr).imm), e.in);
    return b != nullptr && b->kind == Binding::Kind::Value ? b->node : fail();
}

NodeRef Lowering::eval_stuck(const Scoped& e) {
    if (!e.in.stuck) return ask_reference(e.expr, e.in);
    ++stuck_answers_;
    return graph_.word(*e.in.stuck ? 1 : 0);
}

void Lowering::hash_assumptions(const Context& in, WordsHasher& hasher) {
    hasher.add(in.snapshot == nullptr ? 0 : 1); // what is read elsewhere is another register
    hasher.add(in.assumed ? 1 : 0);
    if (in.assumed) {
        hasher.add(static_cast<std::uint64_t>(in.assumed->value));
        hasher.add(static_cast<std::uint64_t>(in.assumed->state));
        hasher.add(static_cast<std::uint64_t>(in.assumed->var));
    }
    if (in.moved == nullptr) return;
    hasher.add(static_cast<std::uint64_t>(in.moved->state));
    hasher.add(static_cast<std::uint64_t>(in.moved->site));
    hasher.add(in.moved->now);
    hasher.add(in.moved->only ? 1 : 0);
}

// A hash of what the value of an expression depends on besides the state; nullopt if a variable is bound to something
// other than a value.
std::optional<WordsHash> Lowering::memo_key(ir::ExprId e, const Context& in) {
    if (graph_.stamp() != memo_stamp_) memo_.clear();
    memo_stamp_ = graph_.stamp();
    WordsHasher hasher;
    hasher.add(index(e));
    hasher.add(in.me);
    hasher.add(memo_stamp_);
    hasher.add(in.stuck ? 1 : 0); // a routine assumes one answer only
    hasher.add(in.recursion == nullptr ? 0 : static_cast<std::uint64_t>(in.recursion->value));
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
    if (const NodeRef found = eval_stored_equal(resolve(a, in), b, in); found != no_node) return found;
    if (const NodeRef found = eval_stored_equal(resolve(b, in), a, in); found != no_node) return found;
    return graph_.op(Family::Eq, eval(a, in), eval(b, in));
}

// A stored value compared with a constant is one bit of one plane. no_node: the operands are others.
NodeRef Lowering::eval_stored_equal(const Scoped& map, ir::ExprId other, const Context& in) {
    if (expr(map.expr).op != Op::MapGet || assumed_at(map.expr, map.in) != nullptr) return no_node;
    const auto id = static_cast<ir::StateId>(expr(map.expr).imm);
    const ir::StateVariable& variable = program_.states[id];
    if (!variable.assigned || layout_.variable(id).storage != Storage::Planes) return no_node;
    const NodeRef value = eval(other, in);
    if (!graph_.is_constant(value)) return no_node;
    const auto ord =
        program_.types.ordinal(variable.value, layout_.from_register(variable.value, graph_.constant_word(value)));
    if (!ord) return graph_.word(0);
    if (*ord == 0) return no_node;
    return test_entry(map, [&](NodeRef row) { return plane_of(id, *ord, map.in, row); });
}

bool Lowering::is_only_member(const Scoped& e) {
    return expr(e.expr).op == Op::The && functional(program_.argument(e.expr, 0), e.in);
}

// An image from one site along steps that each lead to one site at most.
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
    if (is_only_member(a)) return graph_.any(graph_.and_(eval(program_.argument(a.expr, 0), a.in), eval(s.expr, s.in)));
    const SetShape shape = layout_.shape(type);
    return graph_.make(Family::Test, shape.words, {to_bit(type, eval(a.expr, a.in)), eval(s.expr, s.in), no_node},
                       static_cast<std::int32_t>(shape.bits));
}

NodeRef Lowering::clauses(const std::vector<ir::Clause>& list, Context& in) {
    NodeRef result = graph_.word(1);
    for (const ir::Clause& clause : list) {
        if (valid(clause.bind))
            in = bind(clause.bind, clause.expr, in, in);
        else
            result = graph_.both(result, eval(clause.expr, in));
    }
    return result;
}

} // namespace zug::run
