// Lowering of sets and of everything that binds a variable over a set.

#include "compiler/lower/lowering.hpp"
#include "compiler/lower/path_lowering.hpp"
#include "compiler/lower/set_lifter.hpp"

#include <bit>
#include <cmath>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

std::vector<std::uint64_t> members(std::span<const std::uint64_t> words) {
    std::vector<std::uint64_t> result;
    for (std::size_t k = 0; k < words.size(); ++k)
        for (std::uint64_t rest = words[k]; rest != 0; rest &= rest - 1)
            result.push_back(k * 64 + static_cast<std::uint64_t>(std::countr_zero(rest)));
    return result;
}

} // namespace

NodeRef Lowering::eval_set(ir::ExprId e, const Context& in) {
    const ir::Expr& x = expr(e);
    const auto arg = [&](std::size_t i) { return eval(program_.argument(e, i), in); };
    switch (x.op) {
    case Op::SetConst:
        return graph_.set(layout_.words(element(e), program_.set_consts[static_cast<ir::SetConstId>(x.imm)]));
    case Op::Universe: return universe(element(e));
    case Op::Single: return eval_single(e, in);
    case Op::IntRange: return eval_range(e, in);
    case Op::Union: return graph_.or_(arg(0), arg(1));
    case Op::Inter: return graph_.and_(arg(0), arg(1));
    case Op::Diff: return graph_.and_not(arg(0), arg(1));
    case Op::Retype: return eval_retyped(e, in);
    case Op::Image: return paths_->image(arg(0), program_.argument(e, 1), in, false);
    case Op::Count: return graph_.count(arg(0));
    case Op::Any: return graph_.any(arg(0));
    case Op::The: return eval_the(e, in);
    default: return no_node;
    }
}

NodeRef Lowering::eval_single(ir::ExprId e, const Context& in) {
    const Scoped r = resolve(program_.argument(e, 0), in);
    if (is_only_member(r)) return eval(program_.argument(r.expr, 0), r.in);
    const SetShape shape = layout_.shape(element(e));
    return graph_.make(Family::Bit, shape.words, {to_bit(element(e), eval(r.expr, r.in)), no_node, no_node},
                       static_cast<std::int32_t>(shape.bits));
}

// A range is the difference of two sets {0..k-1}, which are read from a table by k.
NodeRef Lowering::eval_range(ir::ExprId e, const Context& in) {
    constexpr std::uint32_t most_bits = 1024;
    const SetShape shape = layout_.shape(element(e));
    if (shape.bits > most_bits) return ask_reference(e, in);
    std::vector<std::uint64_t> rows((shape.bits + 1) * shape.words, 0);
    for (std::uint32_t k = 1; k <= shape.bits; ++k)
        for (std::uint32_t b = 0; b < k; ++b) rows[k * shape.words + b / 64] |= std::uint64_t{1} << (b % 64);
    const std::uint32_t table = graph_.add_sets(std::move(rows));
    const auto below = [&](NodeRef bound, std::int64_t plus) {
        const std::int64_t lo = program_.types[element(e)].lo;
        const NodeRef k = graph_.op(Family::Add, bound, graph_.word(plus - lo));
        const NodeRef kept = graph_.op(Family::Max, graph_.word(0), graph_.op(Family::Min, k, graph_.word(shape.bits)));
        return graph_.make(Family::SetTable, shape.words, {kept, no_node, no_node}, 0, table);
    };
    return graph_.and_not(below(eval(program_.argument(e, 1), in), 1), below(eval(program_.argument(e, 0), in), 0));
}

// A set converted to one over another type of the same kind.
NodeRef Lowering::eval_retyped(ir::ExprId e, const Context& in) {
    const ir::TypeId from = element(program_.argument(e, 0)), to = element(e);
    const NodeRef set = eval(program_.argument(e, 0), in);
    if (from == to) return set;
    const SetShape shape = layout_.shape(to);
    const auto open = graph_.open_loop(Reduce::Or, set, shape.words, empty(shape.words));
    const NodeRef bit = to_bit(to, item_of(from, open));
    return graph_.close_loop(
        open, graph_.make(Family::Bit, shape.words, {bit, no_node, no_node}, static_cast<std::int32_t>(shape.bits)));
}

// The only member of a set, or none.
NodeRef Lowering::eval_the(ir::ExprId e, const Context& in) {
    const ir::ExprId set = program_.argument(e, 0);
    const NodeRef s = eval(set, in);
    const NodeRef bit = graph_.make(Family::OnlyMember, graph_.width(s), {s, no_node, no_node});
    const ir::Type& t = program_.types[element(set)];
    if (t.kind != TypeKind::Int || t.lo == 0) return bit;
    return graph_.select(graph_.op(Family::Eq, bit, graph_.word(ir::none)), bit, from_bit(element(set), bit));
}

// -- binders

// The value of a binder over the empty set.
NodeRef Lowering::neutral(ir::ExprId e) {
    const ir::Expr& x = expr(e);
    const ir::Type& t = program_.types[x.type];
    const bool real = t.kind == TypeKind::Real;
    switch (x.op) {
    case Op::ForAll: return graph_.word(1);
    case Op::MinOver: return real ? graph_.real(0) : graph_.word(t.hi);
    case Op::MaxOver: return real ? graph_.real(0) : graph_.word(t.lo);
    case Op::SumOver: return real ? graph_.real(0) : graph_.word(0);
    case Op::SetOf:
    case Op::UnionOver: return empty(width_of(x.type));
    default: return graph_.word(0);
    }
}

// Adds an item to `sum` where `guard` holds.
NodeRef Lowering::combine(ir::ExprId e, NodeRef sum, NodeRef item, NodeRef guard) {
    const bool real = program_.types.kind(expr(e).type) == TypeKind::Real;
    switch (expr(e).op) {
    case Op::Exists: return graph_.either(sum, graph_.both(guard, item));
    case Op::ForAll: return graph_.both(sum, graph_.either(graph_.not_(guard), item));
    case Op::SumOver: return graph_.op(real ? Family::AddReal : Family::Add, sum, graph_.bcast(guard, item));
    case Op::MinOver: return graph_.select(guard, graph_.op(real ? Family::MinReal : Family::Min, sum, item), sum);
    case Op::MaxOver: return graph_.select(guard, graph_.op(real ? Family::MaxReal : Family::Max, sum, item), sum);
    default: return graph_.or_(sum, graph_.bcast(guard, item));
    }
}

NodeRef Lowering::unroll(ir::ExprId e, const Context& in, NodeRef domain, const std::vector<std::uint64_t>& bits) {
    const ir::TypeId type = element(program_.argument(e, 0));
    const SetShape shape = layout_.shape(type);
    const auto var = static_cast<ir::VarId>(expr(e).imm);
    const bool over_nothing_differs = program_.types.kind(expr(e).type) == TypeKind::Real;
    if (over_nothing_differs && (expr(e).op == Op::MinOver || expr(e).op == Op::MaxOver)) return no_node;
    const Passes::Timer timer(graph_.passes(), Pass::Unroll);
    graph_.passes().changed(Pass::Unroll);
    NodeRef result = neutral(e);
    for (std::uint64_t b : bits) {
        const NodeRef bit = graph_.word(static_cast<std::int64_t>(b));
        const NodeRef is_in =
            graph_.make(Family::Test, shape.words, {bit, domain, no_node}, static_cast<std::int32_t>(shape.bits));
        NodeRef item = eval(program_.argument(e, 1), bind_node(var, from_bit(type, bit), in));
        if (expr(e).op == Op::SetOf)
            item = graph_.bcast(item, graph_.make(Family::Bit, shape.words, {bit, no_node, no_node},
                                                  static_cast<std::int32_t>(shape.bits)));
        result = combine(e, result, item, is_in);
    }
    return result;
}

NodeRef Lowering::loop(ir::ExprId e, const Context& in, NodeRef domain, const std::vector<ir::ExprId>& parts) {
    const ir::TypeId type = element(program_.argument(e, 0));
    const bool real = program_.types.kind(expr(e).type) == TypeKind::Real;
    Reduce reduce = Reduce::Or;
    NodeRef init = neutral(e);
    switch (expr(e).op) {
    case Op::Exists: reduce = Reduce::Exists; break;
    case Op::ForAll: reduce = Reduce::All; break;
    case Op::SumOver: reduce = real ? Reduce::SumReal : Reduce::Sum; break;
    case Op::MinOver: reduce = real ? Reduce::MinReal : Reduce::Min; break;
    case Op::MaxOver: reduce = real ? Reduce::MaxReal : Reduce::Max; break;
    case Op::SetOf: reduce = Reduce::Members; break;
    default: break;
    }
    const bool extreme = real && (reduce == Reduce::MinReal || reduce == Reduce::MaxReal);
    // Extremes of reals start from infinity; over the empty set they are 0.
    if (extreme) init = graph_.real(reduce == Reduce::MinReal ? HUGE_VAL : -HUGE_VAL);
    record_refusal();
    const auto open = graph_.open_loop(reduce, domain, width_of(expr(e).type), init);
    const NodeRef value = item_of(type, open);
    const Context inner = bind_node(static_cast<ir::VarId>(expr(e).imm), value, in);
    NodeRef body = eval(parts[0], inner);
    for (std::size_t i = 1; i < parts.size(); ++i)
        body = reduce == Reduce::All ? graph_.either(body, eval(parts[i], inner))
                                     : graph_.both(body, eval(parts[i], inner));
    const NodeRef result = graph_.close_loop(open, body);
    return extreme ? graph_.select(graph_.any(domain), result, graph_.real(0)) : result;
}

// {v in domain | map[v] < x}, or with equality, by an instruction or two: what is in consecutive words is compared at
// once, however few numbers they are; of other values a few are compared as fast one by one. no_node: it is another
// set.
NodeRef Lowering::compare_words(const Scoped& body, ir::ExprId e, NodeRef domain, const Lift& lift) {
    constexpr std::uint32_t few_values = 4;
    const Scoped r = resolve(body.expr, body.in);
    const bool equal = expr(r.expr).op == Op::Eq;
    if (expr(e).op != Op::SetOf || (!equal && expr(r.expr).op != Op::Lt)) return no_node;
    if (equal && lift.shape.bits <= few_values) return no_node;
    const Scoped a{program_.argument(r.expr, 0), r.in}, b{program_.argument(r.expr, 1), r.in};
    const NodeRef found = lifter_->lift_number(a, b, equal, lift);
    return found == no_node ? no_node : graph_.and_(domain, found);
}

NodeRef Lowering::eval_binder(ir::ExprId e, const Context& in) {
    const ir::ExprId domain_expr = program_.argument(e, 0), body = program_.argument(e, 1);
    const ir::TypeId type = element(domain_expr);
    const NodeRef domain = eval(domain_expr, in);
    if (graph_.is_empty(domain)) return neutral(e);
    if (const NodeRef lifted = lift_entries(e, in); lifted != no_node) return lifted;
    const SetShape shape = layout_.shape(type);
    const std::size_t most_unrolled = unroll_limit(type);
    std::vector<std::uint64_t> bits;
    if (graph_.is_constant(domain))
        bits = members(graph_[domain].value);
    else if (shape.bits <= most_unrolled)
        bits = members(graph_[universe(type)].value);
    bool few = graph_.passes().on(Pass::Unroll) && !bits.empty() && bits.size() <= most_unrolled;
    const Lift lift = lift_over(type).narrowed(graph_, domain);
    const Context inner = bind_table(static_cast<ir::VarId>(expr(e).imm), values_by_bit(type, lift), in);
    std::set<ir::FunctionId> met; // where a set is grown for each, only for the members that there are
    few = few && (graph_.is_constant(domain) || !asks_recursive(body, met));
    if (const NodeRef extreme = extreme_member({e, in}, domain); extreme != no_node) return extreme;
    if (few && shape.board < 0) {
        if (const NodeRef found = compare_words({body, inner}, e, domain, lift); found != no_node) return found;
        if (expr(e).op == Op::UnionOver && !graph_.is_constant(domain))
            if (const NodeRef joined = lifter_->lift_union(body, inner, domain, lift); joined != no_node) return joined;
        if (const NodeRef unrolled = unroll(e, in, domain, bits); unrolled != no_node) return unrolled;
    }
    if (const NodeRef lifted = lift_body(e, inner, domain, lift); lifted != no_node) return lifted;
    if (const NodeRef swapped = swap_binders(e, inner, domain, lift); swapped != no_node) return swapped;
    if (few)
        if (const NodeRef unrolled = unroll(e, in, domain, bits); unrolled != no_node) return unrolled;
    std::vector<ir::ExprId> parts{body};
    return loop(e, in, lift_parts(e, inner, domain, lift, parts), parts);
}

// The members of the domain that those parts of the body leave which can be lifted; `parts`: the others.
NodeRef Lowering::lift_parts(ir::ExprId e, const Context& inner, NodeRef domain, const Lift& lift,
                             std::vector<ir::ExprId>& parts) {
    const bool all = expr(e).op == Op::ForAll;
    const bool one = expr(e).op == Op::Exists || expr(e).op == Op::SetOf;
    const ir::ExprId body = parts[0];
    if (!(all || one) || expr(body).op != (all ? Op::Or : Op::And)) return domain;
    std::vector<ir::ExprId> others;
    NodeRef left = domain;
    for (const ir::ExprId part : program_.arguments(body)) {
        const NodeRef truth = depends(part, inner) ? lift_truth(part, inner, lift) : no_node;
        if (truth == no_node)
            others.push_back(part);
        else
            left = all ? graph_.and_not(left, truth) : graph_.and_(left, truth);
    }
    if (others.empty() || left == domain) return domain;
    parts = std::move(others);
    return left;
}

// The greatest or least member of a set of numbers; no_node: it is another binder.
NodeRef Lowering::extreme_member(const Scoped& e, NodeRef domain) {
    const Op op = expr(e.expr).op;
    const ir::Expr& body = expr(program_.argument(e.expr, 1));
    const ir::TypeId type = element(program_.argument(e.expr, 0));
    if ((op != Op::MaxOver && op != Op::MinOver) || program_.types.kind(type) != TypeKind::Int || body.op != Op::Var ||
        body.imm != expr(e.expr).imm || !graph_.passes().on(Pass::LoopReduction))
        return no_node;
    const Family family = op == Op::MaxOver ? Family::LastMember : Family::FirstMember;
    const NodeRef member = graph_.make(family, graph_.width(domain), {domain, no_node, no_node});
    graph_.passes().changed(Pass::LoopReduction);
    const NodeRef found = graph_.select(graph_.any(domain), from_bit(type, member), neutral(e.expr));
    const ir::Type &members = program_.types[type], &result = program_.types[expr(e.expr).type];
    if (!graph_.is_constant(found))
        graph_.bound(found, std::min(members.lo, result.lo), std::max(members.hi, result.hi));
    return found;
}

// The variables and their domains, and the conditions, of `some a in A: q(a) and some b in B: p(a, b)`, in which a
// matrix can be read by a and b; so of `all a in A: q(a) or all b in B: p(a, b)`, of `sum a in A, b in B: n(a, b)`, and
// of `sum a in A: count {b in B | p(a, b)}`.
struct Lowering::EntryBinder {
    std::vector<EntryDomain> domains = {};
    std::vector<ir::ExprId> parts = {}; // of the condition on all variables; of a sum: what is summed
    bool counts = false;                // a sum, of the entries that satisfy the condition
};

// Whether a matrix can be read by the variable of this binder and those before it.
bool Lowering::add_domain(ir::ExprId binder, EntryBinder& found) {
    found.domains.push_back({static_cast<ir::VarId>(expr(binder).imm), program_.argument(binder, 0)});
    std::vector<ir::VarId> vars;
    for (const EntryDomain& one : found.domains) vars.push_back(one.var);
    return lift_over_entries(vars).has_value();
}

std::optional<Lowering::EntryBinder> Lowering::entry_binder(ir::ExprId e) {
    const Op op = expr(e).op;
    EntryBinder found;
    ir::ExprId body = e;
    for (;;) {
        const bool counts = op == Op::SumOver && expr(body).op == Op::Count;
        const ir::ExprId binder = counts ? program_.argument(body, 0) : body;
        if (expr(binder).op == (counts ? Op::SetOf : op)) {
            body = program_.argument(binder, 1);
            if (add_domain(binder, found)) {
                found.parts.push_back(body);
                found.counts = counts;
                return found;
            }
            if (counts) return std::nullopt;
            continue;
        }
        if (op == Op::SumOver || expr(body).op != (op == Op::Exists ? Op::And : Op::Or)) return std::nullopt;
        const auto parts = program_.arguments(body);
        const auto is_binder = [&](ir::ExprId part) { return expr(part).op == op; };
        if (std::ranges::count_if(parts, is_binder) != 1) return std::nullopt;
        for (const ir::ExprId part : parts)
            if (is_binder(part))
                body = part;
            else
                found.parts.push_back(part);
    }
}

std::optional<EntryScope> Lowering::lift_in_domains(std::span<const EntryDomain> list, const Context& in) {
    std::vector<ir::VarId> vars;
    for (const EntryDomain& one : list) vars.push_back(one.var);
    auto lifted = lift_over_entries(vars);
    if (!lifted) return std::nullopt;
    EntryScope found{std::move(lifted->lift), in, no_node};
    std::vector<std::size_t> unknown; // domains that are not constant
    for (std::size_t v = 0; v < list.size(); ++v) {
        const NodeRef domain = depends(list[v].domain, found.in) ? no_node : eval(list[v].domain, found.in);
        if (domain == no_node || !graph_.is_constant(domain))
            unknown.push_back(v);
        else
            found.lift.keep(graph_, [&](std::size_t b) {
                const std::uint64_t bit = layout_.bit(program_.vars[vars[v]].type, lifted->values[v][b]);
                return (graph_[domain].value[bit / 64] >> (bit % 64) & 1) != 0;
            });
        found.in = bind_table(vars[v], lifted->values[v], found.in);
    }
    found.entries = found.lift.universe;
    for (const std::size_t v : unknown) {
        const NodeRef members = lifter_->lift_member(lifted->values[v], list[v].domain, found.in, found.lift);
        if (members == no_node) return std::nullopt;
        found.entries = graph_.and_(found.entries, members);
    }
    return found;
}

// Whether there is an entry of a matrix, or whether all its entries are such, or a sum over them; no_node: it is
// something else, or a part can't be lifted.
NodeRef Lowering::lift_entries(ir::ExprId e, const Context& in) {
    const Op op = expr(e).op;
    const bool sums = op == Op::SumOver && kind(e) == TypeKind::Int, all = op == Op::ForAll;
    if (!all && !sums && op != Op::Exists) return no_node;
    const auto found = entry_binder(e);
    if (!found) return no_node;
    const auto scope = lift_in_domains(found->domains, in);
    if (!scope) return no_node;
    const Lift lift = scope->lift.narrowed(graph_, scope->entries);
    if (sums && !found->counts) return lifter_->lift_sum(found->parts[0], scope->in, scope->entries, lift);
    const NodeRef truth = lifter_->lift_undecided(!all, found->parts, scope->in, lift);
    if (truth == no_node) return no_node;
    if (sums) return graph_.count(graph_.and_(scope->entries, truth));
    return all ? graph_.not_(graph_.any(graph_.and_not(scope->entries, truth)))
               : graph_.any(graph_.and_(scope->entries, truth));
}

// `some a in A: some b in B: p(a, b)` where B does not depend on a, as a loop over B in which p is lifted over a; so of
// `all`. no_node: it is something else, or p can't be lifted.
NodeRef Lowering::swap_binders(ir::ExprId e, const Context& inner, NodeRef domain, const Lift& lift) {
    const Op op = expr(e).op;
    const Scoped body = resolve(program_.argument(e, 1), inner);
    if ((op != Op::Exists && op != Op::ForAll) || expr(body.expr).op != op) return no_node;
    const ir::ExprId other = program_.argument(body.expr, 0);
    if (depends(other, body.in)) return no_node;
    const ir::TypeId type = element(other);
    const auto open = graph_.open_loop(op == Op::Exists ? Reduce::Exists : Reduce::All, eval(other, body.in), 1,
                                       graph_.word(op == Op::Exists ? 0 : 1));
    const auto var = static_cast<ir::VarId>(expr(body.expr).imm);
    const NodeRef truth =
        lift_truth(program_.argument(body.expr, 1), bind_node(var, item_of(type, open), body.in), lift);
    if (truth == no_node) {
        graph_.close_loop(open, graph_.word(0));
        return no_node;
    }
    return graph_.close_loop(open, op == Op::Exists ? graph_.any(graph_.and_(domain, truth))
                                                    : graph_.not_(graph_.any(graph_.and_not(domain, truth))));
}

// A binder whose body is lifted over its variable; no_node: the body cannot be lifted.
NodeRef Lowering::lift_body(ir::ExprId e, const Context& inner, NodeRef domain, const Lift& lift) {
    const Op op = expr(e).op;
    const ir::ExprId body = program_.argument(e, 1);
    if (op == Op::UnionOver) return lifter_->lift_union(body, inner, domain, lift);
    if (op == Op::SumOver && kind(body) == TypeKind::Int) return lifter_->lift_sum(body, inner, domain, lift);
    if (op != Op::SetOf && op != Op::Exists && op != Op::ForAll) return no_node;
    const NodeRef truth = lift_truth(body, inner, lift);
    if (truth == no_node) return no_node;
    if (op == Op::SetOf) return graph_.and_(domain, truth);
    if (op == Op::Exists) return graph_.any(graph_.and_(domain, truth));
    return graph_.not_(graph_.any(graph_.and_not(domain, truth)));
}

} // namespace zug::run
