// Lifting of sets that depend on the lifted variable v, that is, of relations between v and the members. They are never
// built. The three operations on them (for which v does set(v) meet a set, or contain a scalar; the union of set(v))
// are images and preimages.

#include "compiler/lower/candidate_finder.hpp"
#include "compiler/lower/path_lowering.hpp"
#include "compiler/lower/set_lifter.hpp"

#include <algorithm>
#include <functional>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::size_t most_sources = 16; // of a path that is followed back
constexpr std::size_t few_guards = 192;  // for single values, which cost no more than a loop

} // namespace

// Whether two expressions, in the same context, are the same tree.
bool SetLifter::same(ir::ExprId a, ir::ExprId b) const {
    if (a == b) return true;
    const ir::Expr &x = expr(a), &y = expr(b);
    const auto xs = program_.arguments(a), ys = program_.arguments(b);
    return x.op == y.op && x.imm == y.imm && std::ranges::equal(xs, ys, [&](auto i, auto j) { return same(i, j); });
}

// Whether the condition implies that the set is not empty: `some S.path.path` implies `some S`.
bool SetLifter::implies_some(ir::ExprId condition, ir::ExprId set) const {
    if (expr(condition).op != Op::Any) return false;
    for (ir::ExprId image = program_.argument(condition, 0); expr(image).op == Op::Image;) {
        image = program_.argument(image, 0);
        if (same(image, set)) return true;
    }
    return false;
}

// The bits of values, in sets over the type; -1 for no value.
std::vector<std::int64_t> SetLifter::to_bits(ir::TypeId type, std::vector<std::int64_t> table) const {
    const ir::Type& t = program_.types[type];
    for (auto& v : table) v = v == undefined || v == ir::none ? -1 : t.kind == TypeKind::Int ? v - t.lo : v;
    return table;
}

// The bits of values, as indices of the type; `none` for those outside of it, which read what `none` does.
std::vector<std::int64_t> SetLifter::index_bits(ir::TypeId type, std::vector<std::int64_t> table) const {
    const ir::Type& t = program_.types[type];
    const auto size = static_cast<std::int64_t>(layout_.index_radix(type));
    for (auto& v : table) {
        if (v == undefined || v == ir::none) continue;
        if (t.kind == TypeKind::Int) v -= t.lo;
        if (v < 0 || v >= size) v = ir::none;
    }
    return table;
}

// -- {v | set(v) meets target}

NodeRef SetLifter::find_meets(ir::ExprId e, const Context& in, NodeRef target, const Lift& lift) {
    if (failed() || !lowering_.within_budget()) return fail();
    const ValueGraph::From here(graph_, expr(e).span);
    const Scoped set = resolve(e, in);
    if (graph_.is_empty(target)) return empty(lift.shape.words);
    if (!depends(set.expr, set.in))
        return graph_.bcast(graph_.any(graph_.and_(eval(set.expr, set.in), target)), lift.universe);
    const auto arg = [&](std::size_t i) { return program_.argument(set.expr, i); };
    const auto meets = [&](std::size_t i, NodeRef with) { return lift_meets(arg(i), set.in, with, lift); };
    switch (expr(set.expr).op) {
    case Op::Single: return meets_single(set, target, lift);
    case Op::Image:
        // Paths back from the target for each value of a map are shorter than paths from each site.
        if (!is_uniform(set, 1)) {
            if (const NodeRef met = meets_value_by_value(set.expr, set.in, target, lift); met != no_node) return met;
            if (const NodeRef met = meets_repeated(set, target, lift); met != no_node) return met;
            break;
        }
        return meets(0, lowering_.paths().image(target, arg(1), set.in, true));
    case Op::Union: {
        const NodeRef a = meets(0, target), b = meets(1, target);
        return a == no_node || b == no_node ? no_node : graph_.or_(a, b);
    }
    case Op::Inter:
        if (is_uniform(set, 1)) return meets(0, graph_.and_(target, eval(arg(1), set.in)));
        if (is_uniform(set, 0)) return meets(1, graph_.and_(target, eval(arg(0), set.in)));
        break;
    case Op::Diff:
        if (is_uniform(set, 1)) return meets(0, graph_.and_not(target, eval(arg(1), set.in)));
        break;
    case Op::If: return meets_if(set, target, lift);
    case Op::UnionOver: {
        NodeRef result = empty(lift.shape.words);
        const bool done = each_member(set, lift, [&](NodeRef is_in, const Context& inner) {
            const NodeRef met = lift_meets(arg(1), inner, target, lift);
            if (met != no_node) result = graph_.or_(result, graph_.and_(is_in, met));
            return met != no_node;
        });
        return done ? result : no_node;
    }
    case Op::SetOf:
        if (const NodeRef met = static_meets(set, target, lift); met != no_node) return met;
        if (const NodeRef met = lift_pairs(set, target, true, lift); met != no_node) return met;
        break;
    default: break;
    }
    return meets_candidates(set, target, lift);
}

NodeRef SetLifter::meets_single(const Scoped& set, NodeRef target, const Lift& lift) {
    const Scoped inner = resolve(program_.argument(set.expr, 0), set.in);
    if (lowering_.is_only_member(inner)) return lift_meets(program_.argument(inner.expr, 0), inner.in, target, lift);
    LiftedScalar t;
    if (!lift_scalar(inner.expr, inner.in, lift, t) || t.kind != LiftedScalar::Kind::Table) return no_node;
    const ir::TypeId type = element(set.expr);
    if (program_.types.kind(type) == TypeKind::Int)
        return preimage(to_bits(type, t.table), target, layout_.shape(type), lift);
    return preimage(t.table, target, layout_.shape(type), lift);
}

NodeRef SetLifter::meets_if(const Scoped& set, NodeRef target, const Lift& lift) {
    const auto arg = [&](std::size_t i) { return program_.argument(set.expr, i); };
    const NodeRef c = lift_truth(arg(0), set.in, lift);
    if (c == no_node) return no_node;
    // Where the condition implies that the first set is not empty, no test is needed.
    const bool some = target == universe(element(set.expr)) && implies_some(arg(0), arg(1));
    const NodeRef a = some ? lift.universe : lift_meets(arg(1), set.in, target, lift);
    const NodeRef b = lift_meets(arg(2), set.in, target, lift);
    if (a == no_node || b == no_node) return no_node;
    return graph_.or_(graph_.and_(c, a), graph_.and_not(b, c));
}

// Whether the guards of candidates are made value by value, so that a loop over the values costs less.
bool SetLifter::costs_more_than_a_loop(const std::vector<Candidate>& list, const Lift& lift) const {
    const std::size_t enough = std::max(list.size() * lift.shape.bits * 3 / 4, few_guards);
    std::size_t single = 0; // guards of a value
    std::vector<NodeRef> open;
    for (const Candidate& c : list) open.push_back(c.guard);
    for (std::size_t looked_at = 0; !open.empty() && single < enough && looked_at < 4 * enough; ++looked_at) {
        const auto& node = graph_[open.back()];
        open.pop_back();
        if (node.family == Family::Bcast && graph_.is_constant(node.in[1]) && lowering_.expected_size(node.in[1]) == 1)
            ++single;
        if (node.family == Family::And || node.family == Family::Or || node.family == Family::AndNot)
            open.insert(open.end(), {node.in[0], node.in[1]});
    }
    return single >= enough;
}

// By candidates, each tested against the target.
NodeRef SetLifter::meets_candidates(const Scoped& set, NodeRef target, const Lift& lift) {
    std::vector<Candidate> list;
    if (!lowering_.candidates().find(set.expr, set.in, lift, list) || costs_more_than_a_loop(list, lift))
        return no_node;
    NodeRef result = empty(lift.shape.words);
    const ir::TypeId type = element(set.expr);
    for (Candidate& c : list) {
        if (program_.types.kind(type) == TypeKind::Int) c.table = to_bits(type, std::move(c.table));
        const NodeRef is_in = preimage(c.table, target, layout_.shape(type), lift);
        if (is_in == no_node) return no_node;
        result = graph_.or_(result, graph_.and_(c.guard, is_in));
    }
    return result;
}

// -- {v | table[v] in set(v)}

NodeRef SetLifter::lift_member(const std::vector<std::int64_t>& table, ir::ExprId e, const Context& in,
                               const Lift& lift) {
    const Scoped set = resolve(e, in);
    const Op op = expr(set.expr).op;
    const ir::TypeId type = element(set.expr);
    if (!depends(set.expr, set.in))
        return preimage(to_bits(type, table), eval(set.expr, set.in), layout_.shape(type), lift);
    const auto arg = [&](std::size_t i) { return program_.argument(set.expr, i); };
    const auto member = [&](std::size_t i) { return lift_member(table, arg(i), set.in, lift); };
    switch (op) {
    case Op::Union:
    case Op::Inter:
    case Op::Diff: {
        const NodeRef a = member(0), b = member(1);
        if (a == no_node || b == no_node) return no_node;
        return op == Op::Union ? graph_.or_(a, b) : op == Op::Inter ? graph_.and_(a, b) : graph_.and_not(a, b);
    }
    case Op::If: {
        const NodeRef c = lift_truth(arg(0), set.in, lift);
        if (c == no_node) return no_node;
        const NodeRef a = member(1), b = member(2);
        if (a == no_node || b == no_node) return no_node;
        return graph_.or_(graph_.and_(c, a), graph_.and_not(b, c));
    }
    case Op::SetOf: {
        const NodeRef domain = member(0);
        if (domain == no_node) return no_node;
        const auto var = static_cast<ir::VarId>(expr(set.expr).imm);
        const NodeRef truth = lift_truth(arg(1), bind_table(var, table, set.in), lift);
        return truth == no_node ? no_node : graph_.and_(domain, truth);
    }
    case Op::Image: return member_of_image(table, set, lift);
    case Op::UnionOver: {
        NodeRef result = empty(lift.shape.words);
        const bool done = each_member(set, lift, [&](NodeRef is_in, const Context& inner) {
            const NodeRef held = lift_member(table, arg(1), inner, lift);
            if (held != no_node) result = graph_.or_(result, graph_.and_(is_in, held));
            return held != no_node;
        });
        return done ? result : member_of_candidates(table, set, lift);
    }
    default: return member_of_candidates(table, set, lift);
    }
}

// By the preimage of the scalar: some source of the path must be in the set. From a single site, forward is as short.
NodeRef SetLifter::member_of_image(const std::vector<std::int64_t>& table, const Scoped& set, const Lift& lift) {
    const ir::ExprId from = program_.argument(set.expr, 0), path = program_.argument(set.expr, 1);
    if (expr(resolve(from, set.in).expr).op == Op::Single) return member_of_candidates(table, set, lift);
    const std::vector<std::int64_t> bits = to_bits(element(set.expr), table);
    const NodeRef defined = constant_where(lift, [&](std::size_t b) { return bits[b] >= 0; });
    std::vector<Candidate> sources;
    // Each source may itself have as many sources, so their number is limited.
    if (!lowering_.candidates().follow({bits, defined}, path, {set.in, lift, true}, sources) ||
        sources.size() > most_sources)
        return member_of_candidates(table, set, lift);
    NodeRef result = empty(lift.shape.words);
    for (const Candidate& c : sources) {
        const NodeRef is_in = lift_member(c.table, from, set.in, lift);
        if (is_in == no_node) return no_node;
        result = graph_.or_(result, graph_.and_(c.guard, is_in));
    }
    return result;
}

NodeRef SetLifter::member_of_candidates(const std::vector<std::int64_t>& table, const Scoped& set, const Lift& lift) {
    std::vector<Candidate> list;
    if (!lowering_.candidates().find(set.expr, set.in, lift, list)) return no_node;
    NodeRef result = empty(lift.shape.words);
    for (const Candidate& c : list) {
        const NodeRef equal = constant_where(lift, [&](std::size_t b) {
            return table[b] == c.table[b] && table[b] != undefined && table[b] != ir::none;
        });
        result = graph_.or_(result, graph_.and_(c.guard, equal));
    }
    return result;
}

// -- the union of set(v)

NodeRef SetLifter::find_union(ir::ExprId e, const Context& in, NodeRef over, const Lift& lift) {
    if (failed() || !lowering_.within_budget()) return fail();
    const ValueGraph::From here(graph_, expr(e).span);
    const Scoped set = resolve(e, in);
    const std::uint16_t words = lowering_.width_of(expr(set.expr).type);
    if (graph_.is_empty(over)) return empty(words);
    if (!depends(set.expr, set.in)) return graph_.bcast(graph_.any(over), eval(set.expr, set.in));
    if (const NodeRef rows = union_of_rows(set, over, lift); rows != no_node) return rows;
    const auto arg = [&](std::size_t i) { return program_.argument(set.expr, i); };
    switch (expr(set.expr).op) {
    case Op::Single: return union_of_single(set, over, lift);
    case Op::Image: {
        if (!is_uniform(set, 1)) return union_of_repeated(set, over, lift);
        const NodeRef from = lift_union(arg(0), set.in, over, lift);
        return from == no_node ? no_node : lowering_.paths().image(from, arg(1), set.in, false);
    }
    case Op::Union:
    case Op::Inter:
    case Op::Diff: return union_by_parts(set, over, lift);
    case Op::If: {
        const NodeRef c = lift_truth(arg(0), set.in, lift);
        if (c == no_node) return no_node;
        const NodeRef a = lift_union(arg(1), set.in, graph_.and_(over, c), lift);
        const NodeRef b = lift_union(arg(2), set.in, graph_.and_not(over, c), lift);
        return a == no_node || b == no_node ? no_node : graph_.or_(a, b);
    }
    case Op::UnionOver: {
        if (const NodeRef joined = union_of_unions(set, over, lift); joined != no_node) return joined;
        NodeRef result = empty(words);
        const bool done = each_member(set, lift, [&](NodeRef is_in, const Context& inner) {
            const NodeRef part = lift_union(arg(1), inner, graph_.and_(over, is_in), lift);
            if (part != no_node) result = graph_.or_(result, part);
            return part != no_node;
        });
        return done ? result : no_node;
    }
    case Op::SetOf:
        if (const NodeRef joined = union_of_unions(set, over, lift); joined != no_node) return joined;
        return union_of_pairs(set, over, lift);
    default: return no_node;
    }
}

NodeRef SetLifter::union_of_single(const Scoped& set, NodeRef over, const Lift& lift) {
    return lift_sites(program_.argument(set.expr, 0), set.in, over, lift);
}

// Supported for sites of sets with one member, and for tables over a type of as many values that lead from no two of
// them to the same.
NodeRef SetLifter::lift_sites(ir::ExprId e, const Context& in, NodeRef over, const Lift& lift) {
    const Scoped site = resolve(e, in);
    if (lowering_.is_only_member(site)) return lift_union(program_.argument(site.expr, 0), site.in, over, lift);
    std::vector<std::int64_t> table;
    if (!lift_table(site.expr, site.in, lift, table)) return no_node;
    const SetShape shape = layout_.shape(expr(site.expr).type);
    if (shape.words != lift.shape.words || shape.board != lift.shape.board) return no_node;
    bool identity = true;
    for (std::size_t b = 0; b < table.size(); ++b) {
        if (!lift.is_real(b) || table[b] == undefined || table[b] == ir::none) table[b] = -1;
        identity = identity && (!lift.is_real(b) || table[b] == static_cast<std::int64_t>(b));
    }
    if (identity) return over;
    if (shape.board < 0 || !injective(table)) return no_node;
    return preimage(inverted(table), over, shape, lift);
}

// The numbers of the entries that indices mean, by value of the lifted variable; -1: none. Empty: they are no tables.
std::vector<std::int64_t> SetLifter::entry_numbers(ir::StateId matrix, std::span<const ir::ExprId> indices,
                                                   const Context& in, const Lift& lift) {
    std::vector<std::int64_t> numbers(lift.shape.bits, 0);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        std::vector<std::int64_t> table;
        if (!lift_table(indices[i], in, lift, table)) return {};
        const ir::TypeId type = program_.states[matrix].indices[i];
        if (program_.types.kind(type) == TypeKind::Optional) return {};
        table = index_bits(type, std::move(table));
        for (std::size_t b = 0; b < numbers.size(); ++b)
            numbers[b] = !lift.is_real(b) || table[b] < 0 || numbers[b] < 0
                             ? -1
                             : numbers[b] * layout_.entry_radix(matrix, i) + table[b];
    }
    return numbers;
}

NodeRef SetLifter::lift_entry_numbers(ir::StateId matrix, std::span<const ir::ExprId> indices, const Context& in,
                                      NodeRef over, const Lift& lift) {
    const std::vector<std::int64_t> numbers = entry_numbers(matrix, indices, in, lift);
    if (numbers.empty()) return no_node;
    for (std::size_t b = 0; b < numbers.size(); ++b)
        if (lift.is_real(b) && numbers[b] != static_cast<std::int64_t>(b)) return no_node;
    return over;
}

// A call of a recursive condition about the entries of a matrix.
NodeRef SetLifter::lift_recursive(const Scoped& e, const Lift& lift) {
    const EntryRecursion* const about = lowering_.entry_recursion(static_cast<ir::FunctionId>(expr(e.expr).imm));
    if (about == nullptr) return no_node;
    std::vector<ir::ExprId> indices;
    for (const std::size_t i : about->indices) indices.push_back(program_.argument(e.expr, i));
    const std::vector<std::int64_t> numbers = entry_numbers(about->matrix, indices, e.in, lift);
    if (numbers.empty()) return no_node;
    const NodeRef entries = lowering_.grown_entries(e, *about);
    if (entries == no_node) return no_node;
    const VariableLayout& at = layout_.variable(about->matrix);
    NodeRef result = preimage(numbers, entries, {at.slots, at.set_words, -1}, lift);
    const NodeRef is_outside = constant_where(lift, [&](std::size_t b) { return numbers[b] < 0; });
    if (about->outside.empty() || graph_.is_empty(is_outside)) return result;
    const Context inner = lowering_.inside_call(e);
    for (const ir::ExprId part : about->outside) {
        const NodeRef truth = lift_truth(part, inner, lift);
        if (truth == no_node || result == no_node) return no_node;
        result = graph_.or_(result, graph_.and_(is_outside, truth));
    }
    return result;
}

// Of a union; or of an intersection with, or difference from, a set that does not depend on the lifted variable.
NodeRef SetLifter::union_by_parts(const Scoped& set, NodeRef over, const Lift& lift) {
    const Op op = expr(set.expr).op;
    const ir::ExprId left = program_.argument(set.expr, 0), right = program_.argument(set.expr, 1);
    if (op != Op::Union && !is_uniform(set, 1)) return no_node;
    const NodeRef a = lift_union(left, set.in, over, lift);
    if (op != Op::Union && a == no_node) return no_node;
    const NodeRef b = op == Op::Union ? lift_union(right, set.in, over, lift) : eval(right, set.in);
    if (a == no_node || b == no_node) return no_node;
    return op == Op::Union ? graph_.or_(a, b) : op == Op::Inter ? graph_.and_(a, b) : graph_.and_not(a, b);
}

} // namespace zug::run
