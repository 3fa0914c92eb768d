// Lifting of sets that depend on the lifted variable: relations between it and the members. They are never built; what
// is asked of them (do they meet a set, do they hold a term, what is their union) is answered by images and preimages.

#include "run/lower.hpp"

#include <algorithm>
#include <functional>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::size_t inner_unroll = 16;
constexpr std::size_t choice_limit = 600; // ways to choose one parameter of a rule

} // namespace

NodeRef Lowering::lift_meets(ir::ExprId set, const Env* env, NodeRef target, const Lift& lift) {
    if (failed_ || !within_budget()) return fail();
    const Resolved r = resolve(set, env);
    const ir::Expr& x = expr(r.expr);
    if (graph_.is_empty(target)) return empty(lift.shape.words);
    if (!depends(r.expr, r.env))
        return graph_.bcast(graph_.any(graph_.and_(eval(r.expr, r.env), target)), lift.universe);
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    const auto steady = [&](std::size_t i) { return !depends(arg(i), r.env); };
    switch (x.op) {
    case Op::Single: {
        const Resolved inner = resolve(arg(0), r.env);
        if (expr(inner.expr).op == Op::The && functional(program_.argument(inner.expr, 0), inner.env))
            return lift_meets(program_.argument(inner.expr, 0), inner.env, target, lift);
        Term t;
        if (!lift_term(inner.expr, inner.env, lift, t) || t.kind != Term::Kind::Table) return no_node;
        const ir::Type& type = program_.types[element(r.expr)];
        if (type.kind == TypeKind::Int)
            for (auto& v : t.table) v = v == undefined || v == ir::none ? -1 : v - type.lo;
        return preimage(t.table, target, lift);
    }
    case Op::Image:
        if (!steady(1)) return no_node;
        return lift_meets(arg(0), r.env, image(target, arg(1), r.env, true), lift);
    case Op::Union: {
        const NodeRef a = lift_meets(arg(0), r.env, target, lift), b = lift_meets(arg(1), r.env, target, lift);
        return a == no_node || b == no_node ? no_node : graph_.or_(a, b);
    }
    case Op::Inter:
        if (steady(1)) return lift_meets(arg(0), r.env, graph_.and_(target, eval(arg(1), r.env)), lift);
        if (steady(0)) return lift_meets(arg(1), r.env, graph_.and_(target, eval(arg(0), r.env)), lift);
        break;
    case Op::Diff:
        if (steady(1)) return lift_meets(arg(0), r.env, graph_.and_not(target, eval(arg(1), r.env)), lift);
        break;
    case Op::If: {
        const NodeRef c = lift_truth(arg(0), r.env, lift);
        if (c == no_node) return no_node;
        const NodeRef a = lift_meets(arg(1), r.env, target, lift), b = lift_meets(arg(2), r.env, target, lift);
        if (a == no_node || b == no_node) return no_node;
        return graph_.or_(graph_.and_(c, a), graph_.and_not(b, c));
    }
    case Op::UnionOver: {
        const ir::TypeId type = element(arg(0));
        const SetShape shape = layout_.shape(type);
        if (shape.bits > inner_unroll) return no_node;
        NodeRef result = empty(lift.shape.words);
        for (std::uint32_t b = 0; b < shape.bits; ++b) {
            if (layout_.value_of_bit(type, b) == ir::none) continue;
            const NodeRef bit = graph_.word(b);
            const NodeRef single =
                graph_.make(Family::Bit, shape.words, {bit, no_node, no_node}, static_cast<std::int32_t>(shape.bits));
            const NodeRef in = lift_meets(arg(0), r.env, single, lift);
            if (in == no_node) return no_node;
            if (graph_.is_empty(in)) continue;
            const Env* inner = bind_node(static_cast<ir::VarId>(x.imm), from_bit(type, bit), r.env);
            const NodeRef met = lift_meets(arg(1), inner, target, lift);
            if (met == no_node) return no_node;
            result = graph_.or_(result, graph_.and_(in, met));
        }
        return result;
    }
    default: break;
    }
    // As terms, each tested against the target.
    std::vector<Choice> list;
    if (!choices(r.expr, r.env, lift, list)) return no_node;
    NodeRef result = empty(lift.shape.words);
    const ir::Type& type = program_.types[element(r.expr)];
    for (Choice& c : list) {
        if (type.kind == TypeKind::Int)
            for (auto& v : c.table) v = v == undefined || v == ir::none ? -1 : v - type.lo;
        const NodeRef in = preimage(c.table, target, lift);
        if (in == no_node) return no_node;
        result = graph_.or_(result, graph_.and_(c.guard, in));
    }
    return result;
}

NodeRef Lowering::lift_member(const std::vector<std::int64_t>& term, ir::ExprId set, const Env* env, const Lift& lift) {
    const Resolved r = resolve(set, env);
    const ir::Expr& x = expr(r.expr);
    const ir::TypeId type = element(r.expr);
    std::vector<std::int64_t> bits(term);
    const ir::Type& t = program_.types[type];
    for (auto& v : bits) v = v == undefined || v == ir::none ? -1 : t.kind == TypeKind::Int ? v - t.lo : v;
    if (!depends(r.expr, r.env)) return preimage(bits, eval(r.expr, r.env), lift);
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    switch (x.op) {
    case Op::Union:
    case Op::Inter:
    case Op::Diff: {
        const NodeRef a = lift_member(term, arg(0), r.env, lift), b = lift_member(term, arg(1), r.env, lift);
        if (a == no_node || b == no_node) return no_node;
        return x.op == Op::Union ? graph_.or_(a, b) : x.op == Op::Inter ? graph_.and_(a, b) : graph_.and_not(a, b);
    }
    case Op::If: {
        const NodeRef c = lift_truth(arg(0), r.env, lift);
        if (c == no_node) return no_node;
        const NodeRef a = lift_member(term, arg(1), r.env, lift), b = lift_member(term, arg(2), r.env, lift);
        if (a == no_node || b == no_node) return no_node;
        return graph_.or_(graph_.and_(c, a), graph_.and_not(b, c));
    }
    case Op::SetOf: {
        const NodeRef domain = lift_member(term, arg(0), r.env, lift);
        if (domain == no_node) return no_node;
        const NodeRef truth = lift_truth(arg(1), bind_table(static_cast<ir::VarId>(x.imm), term, r.env), lift);
        return truth == no_node ? no_node : graph_.and_(domain, truth);
    }
    default: break;
    }
    std::vector<Choice> list;
    if (!choices(r.expr, r.env, lift, list)) return no_node;
    NodeRef result = empty(lift.shape.words);
    for (const Choice& c : list) {
        std::vector<bool> equal(term.size());
        for (std::size_t b = 0; b < term.size(); ++b)
            equal[b] = term[b] == c.table[b] && term[b] != undefined && term[b] != ir::none;
        result = graph_.or_(result, graph_.and_(c.guard, lifted_constant(equal, lift)));
    }
    return result;
}

NodeRef Lowering::lift_union(ir::ExprId set, const Env* env, NodeRef over, const Lift& lift) {
    if (failed_ || !within_budget()) return fail();
    const Resolved r = resolve(set, env);
    const ir::Expr& x = expr(r.expr);
    const std::uint16_t words = width_of(x.type);
    if (graph_.is_empty(over)) return empty(words);
    if (!depends(r.expr, r.env)) return graph_.bcast(graph_.any(over), eval(r.expr, r.env));
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    const auto steady = [&](std::size_t i) { return !depends(arg(i), r.env); };
    switch (x.op) {
    case Op::Single: {
        const Resolved inner = resolve(arg(0), r.env);
        if (expr(inner.expr).op == Op::The && functional(program_.argument(inner.expr, 0), inner.env))
            return lift_union(program_.argument(inner.expr, 0), inner.env, over, lift);
        std::vector<std::int64_t> table;
        if (!lift_table(inner.expr, inner.env, lift, table)) return no_node;
        // Only the variable itself: its own set.
        for (std::size_t b = 0; b < table.size(); ++b)
            if (lift.real[b] && table[b] != static_cast<std::int64_t>(b)) return no_node;
        return words == lift.shape.words ? over : no_node;
    }
    case Op::Image: {
        if (!steady(1)) return no_node;
        const NodeRef from = lift_union(arg(0), r.env, over, lift);
        return from == no_node ? no_node : image(from, arg(1), r.env, false);
    }
    case Op::Union: {
        const NodeRef a = lift_union(arg(0), r.env, over, lift), b = lift_union(arg(1), r.env, over, lift);
        return a == no_node || b == no_node ? no_node : graph_.or_(a, b);
    }
    case Op::Inter:
    case Op::Diff: {
        if (!steady(1)) return no_node;
        const NodeRef a = lift_union(arg(0), r.env, over, lift);
        if (a == no_node) return no_node;
        const NodeRef b = eval(arg(1), r.env);
        return x.op == Op::Inter ? graph_.and_(a, b) : graph_.and_not(a, b);
    }
    case Op::If: {
        const NodeRef c = lift_truth(arg(0), r.env, lift);
        if (c == no_node) return no_node;
        const NodeRef a = lift_union(arg(1), r.env, graph_.and_(over, c), lift);
        const NodeRef b = lift_union(arg(2), r.env, graph_.and_not(over, c), lift);
        return a == no_node || b == no_node ? no_node : graph_.or_(a, b);
    }
    case Op::UnionOver: {
        const ir::TypeId type = element(arg(0));
        const SetShape shape = layout_.shape(type);
        if (shape.bits > inner_unroll) return no_node;
        NodeRef result = empty(words);
        for (std::uint32_t b = 0; b < shape.bits; ++b) {
            if (layout_.value_of_bit(type, b) == ir::none) continue;
            const NodeRef bit = graph_.word(b);
            const NodeRef single =
                graph_.make(Family::Bit, shape.words, {bit, no_node, no_node}, static_cast<std::int32_t>(shape.bits));
            const NodeRef in = lift_meets(arg(0), r.env, single, lift);
            if (in == no_node) return no_node;
            const Env* inner = bind_node(static_cast<ir::VarId>(x.imm), from_bit(type, bit), r.env);
            const NodeRef part = lift_union(arg(1), inner, graph_.and_(over, in), lift);
            if (part == no_node) return no_node;
            result = graph_.or_(result, part);
        }
        return result;
    }
    default: return no_node;
    }
}

// -- sets as terms with guards

bool Lowering::choices(ir::ExprId set, const Env* env, const Lift& lift, std::vector<Choice>& out) {
    if (failed_ || !within_budget() || out.size() > choice_limit) return false;
    const Resolved r = resolve(set, env);
    const ir::Expr& x = expr(r.expr);
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    const ir::TypeId type = element(r.expr);
    const SetShape shape = layout_.shape(type);
    if (!depends(r.expr, r.env)) {
        const NodeRef s = eval(r.expr, r.env);
        if (!graph_.is_constant(s) && shape.bits > 64) return false;
        for (std::uint32_t b = 0; b < shape.bits; ++b) {
            const std::int64_t value = layout_.value_of_bit(type, b);
            if (value == ir::none) continue;
            const NodeRef in = graph_.make(Family::Test, shape.words, {graph_.word(b), s, no_node},
                                           static_cast<std::int32_t>(shape.bits));
            if (graph_.is_constant(in) && graph_.constant_word(in) == 0) continue;
            if (out.size() > choice_limit) return false;
            out.push_back({std::vector<std::int64_t>(lift.shape.bits, layout_.to_register(type, value)),
                           graph_.bcast(in, lift.universe)});
        }
        return true;
    }
    const auto filtered = [&](std::size_t kept, std::size_t filter, bool without) {
        std::vector<Choice> list;
        if (!choices(arg(kept), r.env, lift, list)) return false;
        for (Choice& c : list) {
            const NodeRef in = lift_member(c.table, arg(filter), r.env, lift);
            if (in == no_node) return false;
            c.guard = without ? graph_.and_not(c.guard, in) : graph_.and_(c.guard, in);
            if (!graph_.is_empty(c.guard)) out.push_back(std::move(c));
        }
        return true;
    };
    switch (x.op) {
    case Op::Single: {
        const Resolved inner = resolve(arg(0), r.env);
        if (expr(inner.expr).op == Op::The && functional(program_.argument(inner.expr, 0), inner.env))
            return choices(program_.argument(inner.expr, 0), inner.env, lift, out);
        Term t;
        if (!lift_term(inner.expr, inner.env, lift, t) || t.kind == Term::Kind::Word) return false;
        if (t.kind == Term::Kind::Map) {
            std::vector<std::int64_t> values = t.values;
            std::sort(values.begin(), values.end());
            values.erase(std::unique(values.begin(), values.end()), values.end());
            for (std::int64_t v : values) {
                if (v == ir::none) continue;
                const NodeRef where = map_equals(t, v, lift);
                if (where == no_node) return false;
                out.push_back({std::vector<std::int64_t>(lift.shape.bits, v), where});
            }
            return true;
        }
        std::vector<bool> defined(t.table.size());
        for (std::size_t b = 0; b < defined.size(); ++b) defined[b] = t.table[b] != undefined && t.table[b] != ir::none;
        out.push_back({std::move(t.table), lifted_constant(defined, lift)});
        return true;
    }
    case Op::Image: {
        std::vector<Choice> list;
        if (!choices(arg(0), r.env, lift, list)) return false;
        for (const Choice& c : list)
            if (!path_choices(c, arg(1), r.env, lift, out)) return false;
        return true;
    }
    case Op::Union: return choices(arg(0), r.env, lift, out) && choices(arg(1), r.env, lift, out);
    case Op::Inter: {
        const std::size_t before = out.size();
        if (depends(arg(0), r.env) && filtered(0, 1, false)) return true;
        out.resize(before);
        return filtered(1, 0, false);
    }
    case Op::Diff: return filtered(0, 1, true);
    case Op::If: {
        const NodeRef c = lift_truth(arg(0), r.env, lift);
        if (c == no_node) return false;
        for (const std::size_t side : {std::size_t{1}, std::size_t{2}}) {
            std::vector<Choice> list;
            if (!choices(arg(side), r.env, lift, list)) return false;
            for (Choice& choice : list) {
                choice.guard = side == 1 ? graph_.and_(choice.guard, c) : graph_.and_not(choice.guard, c);
                if (!graph_.is_empty(choice.guard)) out.push_back(std::move(choice));
            }
        }
        return true;
    }
    case Op::UnionOver: {
        const ir::TypeId over = element(arg(0));
        std::vector<Choice> values;
        if (!choices(arg(0), r.env, lift, values)) return false;
        (void)over;
        for (Choice& v : values) {
            std::vector<Choice> list;
            const Env* inner = bind_table(static_cast<ir::VarId>(x.imm), v.table, r.env);
            if (std::adjacent_find(v.table.begin(), v.table.end(), std::not_equal_to<>()) == v.table.end())
                inner = bind_node(static_cast<ir::VarId>(x.imm), graph_.word(v.table[0]), r.env);
            if (!choices(arg(1), inner, lift, list)) return false;
            for (Choice& c : list) {
                c.guard = graph_.and_(c.guard, v.guard);
                if (!graph_.is_empty(c.guard)) out.push_back(std::move(c));
            }
        }
        return out.size() <= choice_limit;
    }
    case Op::SetOf: {
        std::vector<Choice> list;
        if (!choices(arg(0), r.env, lift, list)) return false;
        for (Choice& c : list) {
            const Env* inner = bind_table(static_cast<ir::VarId>(x.imm), c.table, r.env);
            if (std::adjacent_find(c.table.begin(), c.table.end(), std::not_equal_to<>()) == c.table.end())
                inner = bind_node(static_cast<ir::VarId>(x.imm), graph_.word(c.table[0]), r.env);
            const NodeRef truth = lift_truth(arg(1), inner, lift);
            if (truth == no_node) return false;
            c.guard = graph_.and_(c.guard, truth);
            if (!graph_.is_empty(c.guard)) out.push_back(std::move(c));
        }
        return true;
    }
    default: return false;
    }
}

bool Lowering::path_choices(const Choice& from, ir::ExprId path, const Env* env, const Lift& lift,
                            std::vector<Choice>& out) {
    if (graph_.is_empty(from.guard)) return true;
    if (failed_ || !within_budget() || out.size() > choice_limit) return false;
    const Resolved r = resolve(path, env);
    const ir::Expr& x = expr(r.expr);
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    const auto along = [&](const std::vector<std::int64_t>& step) {
        Choice next{std::vector<std::int64_t>(from.table.size(), undefined), from.guard};
        std::vector<bool> defined(from.table.size(), false);
        for (std::size_t b = 0; b < from.table.size(); ++b) {
            if (from.table[b] < 0 || step[static_cast<std::size_t>(from.table[b])] < 0) continue;
            next.table[b] = step[static_cast<std::size_t>(from.table[b])];
            defined[b] = true;
        }
        next.guard = graph_.and_(next.guard, lifted_constant(defined, lift));
        if (!graph_.is_empty(next.guard)) out.push_back(std::move(next));
    };
    std::vector<std::vector<std::int64_t>> steps;
    if (!depends(r.expr, r.env) &&
        (x.op == Op::Step || x.op == Op::StepsOf || x.op == Op::Table || x.op == Op::Converse)) {
        if (!constant_dirs(r.expr, r.env, steps)) return false;
        for (const auto& step : steps) along(step);
        return true;
    }
    switch (x.op) {
    case Op::Seq: {
        std::vector<Choice> middle;
        if (!path_choices(from, arg(0), r.env, lift, middle)) return false;
        for (const Choice& c : middle)
            if (!path_choices(c, arg(1), r.env, lift, out)) return false;
        return true;
    }
    case Op::Alt: return path_choices(from, arg(0), r.env, lift, out) && path_choices(from, arg(1), r.env, lift, out);
    case Op::Into: {
        std::vector<Choice> list;
        if (!path_choices(from, arg(0), r.env, lift, list)) return false;
        for (Choice& c : list) {
            const NodeRef in = lift_member(c.table, arg(1), r.env, lift);
            if (in == no_node) return false;
            c.guard = graph_.and_(c.guard, in);
            if (!graph_.is_empty(c.guard)) out.push_back(std::move(c));
        }
        return true;
    }
    case Op::If: {
        const NodeRef c = lift_truth(arg(0), r.env, lift);
        if (c == no_node) return false;
        return path_choices({from.table, graph_.and_(from.guard, c)}, arg(1), r.env, lift, out) &&
               path_choices({from.table, graph_.and_not(from.guard, c)}, arg(2), r.env, lift, out);
    }
    case Op::PathOver: {
        const ir::TypeId type = element(arg(0));
        const SetShape shape = layout_.shape(type);
        if (shape.bits > inner_unroll) return false;
        for (std::uint32_t b = 0; b < shape.bits; ++b) {
            if (layout_.value_of_bit(type, b) == ir::none) continue;
            const NodeRef bit = graph_.word(b);
            const NodeRef single =
                graph_.make(Family::Bit, shape.words, {bit, no_node, no_node}, static_cast<std::int32_t>(shape.bits));
            const NodeRef in = lift_meets(arg(0), r.env, single, lift);
            if (in == no_node) return false;
            const Env* inner = bind_node(static_cast<ir::VarId>(x.imm), from_bit(type, bit), r.env);
            if (!path_choices({from.table, graph_.and_(from.guard, in)}, arg(1), inner, lift, out)) return false;
        }
        return true;
    }
    case Op::Power:
    case Op::Closure: return path_repeats(from, r.expr, r.env, lift, out);
    default: return false;
    }
}

// A power or closure, one round after the other until nothing is left to reach. Only for paths that don't branch: a
// flood has too many ways.
bool Lowering::path_repeats(const Choice& from, ir::ExprId path, const Env* env, const Lift& lift,
                            std::vector<Choice>& out) {
    const ir::ExprId inner = program_.argument(path, 0);
    if (depends(program_.argument(path, 1), env)) return false;
    const NodeRef low = eval(program_.argument(path, 1), env);
    if (!graph_.is_constant(low)) return false;
    std::int64_t high = lift.shape.bits;
    if (expr(path).op == Op::Power) {
        if (depends(program_.argument(path, 2), env)) return false;
        const NodeRef h = eval(program_.argument(path, 2), env);
        if (!graph_.is_constant(h)) return false;
        high = graph_.constant_word(h);
    }
    std::vector<Choice> current{from};
    for (std::int64_t k = 0; k <= high && !current.empty(); ++k) {
        if (k >= graph_.constant_word(low)) out.insert(out.end(), current.begin(), current.end());
        if (out.size() > choice_limit) return false;
        if (k == high) break;
        std::vector<Choice> next;
        for (const Choice& c : current)
            if (!path_choices(c, inner, env, lift, next)) return false;
        if (next.size() > current.size() && k > 0) return false;
        current = std::move(next);
    }
    return true;
}

// Makes the choices disjoint: no value is offered twice for the same value of the lifted variable.
void Lowering::disjoin(std::vector<Choice>& list, const Lift& lift) {
    std::vector<Choice> result;
    for (Choice& c : list) {
        bool merged = false;
        for (Choice& earlier : result) {
            if (earlier.table == c.table) {
                earlier.guard = graph_.or_(earlier.guard, c.guard);
                merged = true;
                break;
            }
        }
        if (!merged) result.push_back(std::move(c));
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            std::vector<bool> same(lift.shape.bits, false);
            bool any = false;
            for (std::size_t b = 0; b < same.size(); ++b) {
                same[b] = lift.real[b] && result[i].table[b] == result[j].table[b] && result[i].table[b] != undefined;
                any = any || same[b];
            }
            if (any)
                result[i].guard =
                    graph_.and_not(result[i].guard, graph_.and_(result[j].guard, lifted_constant(same, lift)));
        }
    }
    list = std::move(result);
}

} // namespace zug::run
