// Lifting of sets that depend on the lifted variable: relations between it and the members. They are never built; what
// is asked of them (do they meet a set, do they hold a term, what is their union) is answered by images and preimages.

#include "compiler/lower/lowering.hpp"

#include <algorithm>
#include <functional>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::size_t inner_unroll = 16;
constexpr std::size_t most_sources = 16; // that a path is followed back to

} // namespace

// For each value of a binder's type, if they are few: where it is in the binder's domain, and the environment with it.
// False: they are many, or f says so.
bool Lowering::each_member(ir::ExprId binder, const Context& in, const Lift& lift,
                           const std::function<bool(NodeRef is_in, const Context& inner)>& f) {
    const ir::ExprId domain = program_.argument(binder, 0);
    const ir::TypeId type = element(domain);
    const SetShape shape = layout_.shape(type);
    if (shape.bits > inner_unroll) return false;
    for (std::uint32_t b = 0; b < shape.bits; ++b) {
        if (layout_.value_of_bit(type, b) == ir::none) continue;
        const NodeRef bit = graph_.word(b);
        const NodeRef single =
            graph_.make(Family::Bit, shape.words, {bit, no_node, no_node}, static_cast<std::int32_t>(shape.bits));
        const NodeRef is_in = lift_meets(domain, in, single, lift);
        if (is_in == no_node) return false;
        if (graph_.is_empty(is_in)) continue;
        if (!f(is_in, bind_node(static_cast<ir::VarId>(expr(binder).imm), from_bit(type, bit), in))) return false;
    }
    return true;
}

bool Lowering::same(ir::ExprId a, ir::ExprId b) const {
    if (a == b) return true;
    const ir::Expr &x = expr(a), &y = expr(b);
    const auto xs = program_.arguments(a), ys = program_.arguments(b);
    return x.op == y.op && x.imm == y.imm && std::ranges::equal(xs, ys, [&](auto i, auto j) { return same(i, j); });
}

// `some S.path.path` holds only where S has members.
bool Lowering::implies_some(ir::ExprId condition, ir::ExprId set) const {
    if (expr(condition).op != Op::Any) return false;
    for (ir::ExprId image = program_.argument(condition, 0); expr(image).op == Op::Image;) {
        image = program_.argument(image, 0);
        if (same(image, set)) return true;
    }
    return false;
}

NodeRef Lowering::find_meets(ir::ExprId set, const Context& in, NodeRef target, const Lift& lift) {
    if (failed_ || !within_budget()) return fail();
    const ValueGraph::From here(graph_, expr(set).span);
    const Scoped r = resolve(set, in);
    const ir::Expr& x = expr(r.expr);
    if (graph_.is_empty(target)) return empty(lift.shape.words);
    if (!depends(r.expr, r.in)) return graph_.bcast(graph_.any(graph_.and_(eval(r.expr, r.in), target)), lift.universe);
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    const auto steady = [&](std::size_t i) { return !depends(arg(i), r.in); };
    switch (x.op) {
    case Op::Single: {
        const Scoped inner = resolve(arg(0), r.in);
        if (expr(inner.expr).op == Op::The && functional(program_.argument(inner.expr, 0), inner.in))
            return lift_meets(program_.argument(inner.expr, 0), inner.in, target, lift);
        Term t;
        if (!lift_term(inner.expr, inner.in, lift, t) || t.kind != Term::Kind::Table) return no_node;
        const ir::Type& type = program_.types[element(r.expr)];
        if (type.kind == TypeKind::Int)
            for (auto& v : t.table) v = v == undefined || v == ir::none ? -1 : v - type.lo;
        return preimage(t.table, target, lift);
    }
    case Op::Image:
        if (!steady(1)) break;
        return lift_meets(arg(0), r.in, image(target, arg(1), r.in, true), lift);
    case Op::Union: {
        const NodeRef a = lift_meets(arg(0), r.in, target, lift), b = lift_meets(arg(1), r.in, target, lift);
        return a == no_node || b == no_node ? no_node : graph_.or_(a, b);
    }
    case Op::Inter:
        if (steady(1)) return lift_meets(arg(0), r.in, graph_.and_(target, eval(arg(1), r.in)), lift);
        if (steady(0)) return lift_meets(arg(1), r.in, graph_.and_(target, eval(arg(0), r.in)), lift);
        break;
    case Op::Diff:
        if (steady(1)) return lift_meets(arg(0), r.in, graph_.and_not(target, eval(arg(1), r.in)), lift);
        break;
    case Op::If: {
        const NodeRef c = lift_truth(arg(0), r.in, lift);
        if (c == no_node) return no_node;
        // Where the condition says already that the first set is not empty, that need not be asked.
        const bool some = target == universe(element(r.expr)) && implies_some(arg(0), arg(1));
        const NodeRef a = some ? lift.universe : lift_meets(arg(1), r.in, target, lift);
        const NodeRef b = lift_meets(arg(2), r.in, target, lift);
        if (a == no_node || b == no_node) return no_node;
        return graph_.or_(graph_.and_(c, a), graph_.and_not(b, c));
    }
    case Op::UnionOver: {
        NodeRef result = empty(lift.shape.words);
        const bool done = each_member(r.expr, r.in, lift, [&](NodeRef is_in, const Context& inner) {
            const NodeRef met = lift_meets(arg(1), inner, target, lift);
            if (met != no_node) result = graph_.or_(result, graph_.and_(is_in, met));
            return met != no_node;
        });
        return done ? result : no_node;
    }
    default: break;
    }
    // As terms, each tested against the target.
    std::vector<Candidate> list;
    if (!candidates(r.expr, r.in, lift, list)) return no_node;
    NodeRef result = empty(lift.shape.words);
    const ir::Type& type = program_.types[element(r.expr)];
    for (Candidate& c : list) {
        if (type.kind == TypeKind::Int)
            for (auto& v : c.table) v = v == undefined || v == ir::none ? -1 : v - type.lo;
        const NodeRef is_in = preimage(c.table, target, lift);
        if (is_in == no_node) return no_node;
        result = graph_.or_(result, graph_.and_(c.guard, is_in));
    }
    return result;
}

NodeRef Lowering::lift_member(const std::vector<std::int64_t>& term, ir::ExprId set, const Context& in,
                              const Lift& lift) {
    const Scoped r = resolve(set, in);
    const ir::Expr& x = expr(r.expr);
    const ir::TypeId type = element(r.expr);
    std::vector<std::int64_t> bits(term);
    const ir::Type& t = program_.types[type];
    for (auto& v : bits) v = v == undefined || v == ir::none ? -1 : t.kind == TypeKind::Int ? v - t.lo : v;
    if (!depends(r.expr, r.in)) return preimage(bits, eval(r.expr, r.in), lift);
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    switch (x.op) {
    case Op::Union:
    case Op::Inter:
    case Op::Diff: {
        const NodeRef a = lift_member(term, arg(0), r.in, lift), b = lift_member(term, arg(1), r.in, lift);
        if (a == no_node || b == no_node) return no_node;
        return x.op == Op::Union ? graph_.or_(a, b) : x.op == Op::Inter ? graph_.and_(a, b) : graph_.and_not(a, b);
    }
    case Op::If: {
        const NodeRef c = lift_truth(arg(0), r.in, lift);
        if (c == no_node) return no_node;
        const NodeRef a = lift_member(term, arg(1), r.in, lift), b = lift_member(term, arg(2), r.in, lift);
        if (a == no_node || b == no_node) return no_node;
        return graph_.or_(graph_.and_(c, a), graph_.and_not(b, c));
    }
    case Op::SetOf: {
        const NodeRef domain = lift_member(term, arg(0), r.in, lift);
        if (domain == no_node) return no_node;
        const NodeRef truth = lift_truth(arg(1), bind_table(static_cast<ir::VarId>(x.imm), term, r.in), lift);
        return truth == no_node ? no_node : graph_.and_(domain, truth);
    }
    case Op::Image: {
        // Back from the term: where it comes from is to be in the set. From a single place it is as short forward.
        if (expr(resolve(arg(0), r.in).expr).op == Op::Single) break;
        std::vector<bool> defined(bits.size());
        for (std::size_t b = 0; b < bits.size(); ++b) defined[b] = bits[b] >= 0;
        std::vector<Candidate> sources;
        if (!path_candidates({bits, lifted_constant(defined, lift)}, arg(1), {r.in, lift, true}, sources)) break;
        if (sources.size() > most_sources) break; // each may have as many of its own
        NodeRef result = empty(lift.shape.words);
        for (const Candidate& c : sources) {
            const NodeRef is_in = lift_member(c.table, arg(0), r.in, lift);
            if (is_in == no_node) return no_node;
            result = graph_.or_(result, graph_.and_(c.guard, is_in));
        }
        return result;
    }
    case Op::UnionOver: {
        NodeRef result = empty(lift.shape.words);
        const bool done = each_member(r.expr, r.in, lift, [&](NodeRef is_in, const Context& inner) {
            const NodeRef member = lift_member(term, arg(1), inner, lift);
            if (member != no_node) result = graph_.or_(result, graph_.and_(is_in, member));
            return member != no_node;
        });
        if (done) return result;
        break;
    }
    default: break;
    }
    std::vector<Candidate> list;
    if (!candidates(r.expr, r.in, lift, list)) return no_node;
    NodeRef result = empty(lift.shape.words);
    for (const Candidate& c : list) {
        std::vector<bool> equal(term.size());
        for (std::size_t b = 0; b < term.size(); ++b)
            equal[b] = term[b] == c.table[b] && term[b] != undefined && term[b] != ir::none;
        result = graph_.or_(result, graph_.and_(c.guard, lifted_constant(equal, lift)));
    }
    return result;
}

NodeRef Lowering::find_union(ir::ExprId set, const Context& in, NodeRef over, const Lift& lift) {
    if (failed_ || !within_budget()) return fail();
    const ValueGraph::From here(graph_, expr(set).span);
    const Scoped r = resolve(set, in);
    const ir::Expr& x = expr(r.expr);
    const std::uint16_t words = width_of(x.type);
    if (graph_.is_empty(over)) return empty(words);
    if (!depends(r.expr, r.in)) return graph_.bcast(graph_.any(over), eval(r.expr, r.in));
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    const auto steady = [&](std::size_t i) { return !depends(arg(i), r.in); };
    switch (x.op) {
    case Op::Single: {
        const Scoped inner = resolve(arg(0), r.in);
        if (expr(inner.expr).op == Op::The && functional(program_.argument(inner.expr, 0), inner.in))
            return lift_union(program_.argument(inner.expr, 0), inner.in, over, lift);
        std::vector<std::int64_t> table;
        if (!lift_table(inner.expr, inner.in, lift, table)) return no_node;
        // Only the variable itself: its own set.
        for (std::size_t b = 0; b < table.size(); ++b)
            if (lift.real[b] && table[b] != static_cast<std::int64_t>(b)) return no_node;
        return words == lift.shape.words ? over : no_node;
    }
    case Op::Image: {
        if (!steady(1)) return no_node;
        const NodeRef from = lift_union(arg(0), r.in, over, lift);
        return from == no_node ? no_node : image(from, arg(1), r.in, false);
    }
    case Op::Union: {
        const NodeRef a = lift_union(arg(0), r.in, over, lift), b = lift_union(arg(1), r.in, over, lift);
        return a == no_node || b == no_node ? no_node : graph_.or_(a, b);
    }
    case Op::Inter:
    case Op::Diff: {
        if (!steady(1)) return no_node;
        const NodeRef a = lift_union(arg(0), r.in, over, lift);
        if (a == no_node) return no_node;
        const NodeRef b = eval(arg(1), r.in);
        return x.op == Op::Inter ? graph_.and_(a, b) : graph_.and_not(a, b);
    }
    case Op::If: {
        const NodeRef c = lift_truth(arg(0), r.in, lift);
        if (c == no_node) return no_node;
        const NodeRef a = lift_union(arg(1), r.in, graph_.and_(over, c), lift);
        const NodeRef b = lift_union(arg(2), r.in, graph_.and_not(over, c), lift);
        return a == no_node || b == no_node ? no_node : graph_.or_(a, b);
    }
    case Op::UnionOver: {
        NodeRef result = empty(words);
        const bool done = each_member(r.expr, r.in, lift, [&](NodeRef is_in, const Context& inner) {
            const NodeRef part = lift_union(arg(1), inner, graph_.and_(over, is_in), lift);
            if (part != no_node) result = graph_.or_(result, part);
            return part != no_node;
        });
        return done ? result : no_node;
    }
    default: return no_node;
    }
}

} // namespace zug::run
