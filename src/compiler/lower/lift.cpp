// Lifting: a truth about each value of a variable, for all values at once.

#include "compiler/lower/lowering.hpp"

#include <algorithm>
#include <bit>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

// Inside a lifted expression, inner binders over at most this many values are unrolled.
constexpr std::size_t inner_unroll = 16;

} // namespace

NodeRef Lowering::lift_equal(const Scoped& a, const Scoped& b, const Lift& lift) {
    const Scoped ra = resolve(a.expr, a.in), rb = resolve(b.expr, b.in);
    for (const auto& [candidate, other] : {std::pair{ra, rb}, std::pair{rb, ra}}) {
        if (expr(candidate.expr).op != Op::If) continue;
        const NodeRef c = lift_truth(program_.argument(candidate.expr, 0), candidate.in, lift);
        if (c == no_node) return no_node;
        const NodeRef yes = lift_equal({program_.argument(candidate.expr, 1), candidate.in}, other, lift);
        const NodeRef no = lift_equal({program_.argument(candidate.expr, 2), candidate.in}, other, lift);
        if (yes == no_node || no == no_node) return no_node;
        return graph_.or_(graph_.and_(c, yes), graph_.and_not(no, c));
    }
    if (const NodeRef numbers = lift_number(ra, rb, true, lift); numbers != no_node) return numbers;
    Term x, y;
    if (!lift_term(ra.expr, ra.in, lift, x) || !lift_term(rb.expr, rb.in, lift, y)) return no_node;
    if (x.kind != Term::Kind::Map && y.kind == Term::Kind::Map) std::swap(x, y);
    if (x.kind == Term::Kind::Word && y.kind == Term::Kind::Table) std::swap(x, y);
    if (x.kind == Term::Kind::Word) return graph_.bcast(graph_.op(Family::Eq, x.word, y.word), lift.universe);
    if (x.kind == Term::Kind::Table && y.kind == Term::Kind::Table) {
        std::vector<bool> equal(x.table.size());
        for (std::size_t b = 0; b < x.table.size(); ++b) equal[b] = x.table[b] == y.table[b] && x.table[b] != undefined;
        return lifted_constant(equal, lift);
    }
    // One value at a time: the values that the left side can have.
    std::vector<std::int64_t> values = x.kind == Term::Kind::Map ? x.values : x.table;
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (x.kind == Term::Kind::Table && y.kind == Term::Kind::Word) {
        // The variable itself, counted from somewhere.
        const auto first = static_cast<std::size_t>(std::ranges::find(lift.real, true) - lift.real.begin());
        const std::int64_t low = x.table[first] - static_cast<std::int64_t>(first);
        std::vector<std::int64_t> identity(x.table.size(), undefined);
        for (std::size_t b = 0; b < identity.size(); ++b)
            if (lift.real[b]) identity[b] = static_cast<std::int64_t>(b) + low;
        if (x.table == identity) {
            const NodeRef bit = low == 0 ? y.word : graph_.op(Family::Sub, y.word, graph_.word(low));
            return graph_.make(Family::Bit, lift.shape.words, {bit, no_node, no_node},
                               static_cast<std::int32_t>(lift.shape.bits));
        }
        if (const NodeRef found = lift_by_row(x.table, y.word, lift); found != no_node) return found;
    }
    if (values.size() > 64) return no_node;
    NodeRef result = empty(lift.shape.words);
    for (std::int64_t v : values) {
        if (v == undefined) continue;
        NodeRef left = no_node;
        if (x.kind == Term::Kind::Map) {
            left = map_equals(x, v, ra.in, lift);
        } else {
            std::vector<bool> equal(x.table.size());
            for (std::size_t b = 0; b < x.table.size(); ++b) equal[b] = x.table[b] == v;
            left = lifted_constant(equal, lift);
        }
        if (left == no_node) return no_node;
        NodeRef right = no_node;
        if (y.kind == Term::Kind::Word) {
            right = graph_.bcast(graph_.op(Family::Eq, y.word, graph_.word(v)), left);
        } else if (y.kind == Term::Kind::Table) {
            std::vector<bool> equal(y.table.size());
            for (std::size_t b = 0; b < y.table.size(); ++b) equal[b] = y.table[b] == v;
            right = graph_.and_(left, lifted_constant(equal, lift));
        } else {
            right = map_equals(y, v, ra.in, lift);
            if (right == no_node) return no_node;
            right = graph_.and_(left, right);
        }
        result = graph_.or_(result, right);
    }
    return result;
}

// {v | table[v] = word}, read off a table of sets.
NodeRef Lowering::lift_by_row(const std::vector<std::int64_t>& table, NodeRef word, const Lift& lift) {
    constexpr std::int64_t most_rows = 1024;
    std::vector<std::int64_t> values;
    for (std::int64_t v : table)
        if (v != undefined && v != ir::none) values.push_back(v);
    if (values.size() < 3) return no_node;
    const auto [low, high] = std::ranges::minmax(values);
    if (high - low >= most_rows) return no_node;
    const std::uint16_t words = lift.shape.words;
    std::vector<std::uint64_t> rows(static_cast<std::size_t>(high - low + 1) * words, 0);
    std::vector<bool> nowhere(table.size());
    for (std::size_t b = 0; b < table.size(); ++b) {
        nowhere[b] = table[b] == ir::none;
        if (table[b] == undefined || nowhere[b]) continue;
        rows[static_cast<std::size_t>(table[b] - low) * words + b / 64] |= std::uint64_t{1} << (b % 64);
    }
    const NodeRef found = graph_.make(Family::SetTable, words, {word, no_node, no_node}, static_cast<std::int32_t>(low),
                                      graph_.add_sets(std::move(rows)));
    const NodeRef none = graph_.op(Family::Eq, word, graph_.word(ir::none));
    return graph_.or_(found, graph_.bcast(none, lifted_constant(nowhere, lift)));
}

NodeRef Lowering::lift_less(const Scoped& a, const Scoped& b, const Lift& lift) {
    const Scoped ra = resolve(a.expr, a.in), rb = resolve(b.expr, b.in);
    const bool real = kind(a.expr) == TypeKind::Real;
    for (const bool first : {true, false}) {
        const Scoped& candidate = first ? ra : rb;
        if (expr(candidate.expr).op != Op::If || real) continue;
        const NodeRef c = lift_truth(program_.argument(candidate.expr, 0), candidate.in, lift);
        if (c == no_node) break;
        const auto way = [&](std::size_t i) {
            const ir::ExprId e = program_.argument(candidate.expr, i);
            return first ? lift_less({e, ra.in}, rb, lift) : lift_less(ra, {e, rb.in}, lift);
        };
        const NodeRef yes = way(1), no = way(2);
        if (yes == no_node || no == no_node) break;
        return graph_.or_(graph_.and_(c, yes), graph_.and_not(no, c));
    }
    if (const NodeRef numbers = lift_number(ra, rb, false, lift); numbers != no_node) return numbers;
    Term x, y;
    if (real || !lift_term(ra.expr, ra.in, lift, x) || !lift_term(rb.expr, rb.in, lift, y)) return no_node;
    const auto values_of = [](const Term& t) {
        std::vector<std::int64_t> values = t.kind == Term::Kind::Map ? t.values : t.table;
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
        std::erase(values, undefined);
        return values;
    };
    const auto where = [&](const Term& t, std::int64_t v) {
        if (t.kind == Term::Kind::Map) return map_equals(t, v, ra.in, lift);
        std::vector<bool> equal(t.table.size());
        for (std::size_t k = 0; k < t.table.size(); ++k) equal[k] = t.table[k] == v;
        return lifted_constant(equal, lift);
    };
    if (x.kind == Term::Kind::Word && y.kind == Term::Kind::Word)
        return graph_.bcast(graph_.op(Family::Lt, x.word, y.word), lift.universe);
    NodeRef result = empty(lift.shape.words);
    const bool left_word = x.kind == Term::Kind::Word;
    const Term& outer = left_word ? y : x;
    const Term& inner = left_word ? x : y;
    if (values_of(outer).size() > 64) return no_node;
    for (std::int64_t v : values_of(outer)) {
        const NodeRef here = where(outer, v);
        if (here == no_node) return no_node;
        if (inner.kind == Term::Kind::Word) {
            const NodeRef less = left_word ? graph_.op(Family::Lt, inner.word, graph_.word(v))
                                           : graph_.op(Family::Lt, graph_.word(v), inner.word);
            result = graph_.or_(result, graph_.bcast(less, here));
            continue;
        }
        for (std::int64_t w : values_of(inner)) {
            if (!(v < w)) continue; // outer is x here: a Word on the left was handled above
            const NodeRef there = where(inner, w);
            if (there == no_node) return no_node;
            result = graph_.or_(result, graph_.and_(here, there));
        }
    }
    return result;
}

// -- truths

NodeRef Lowering::find_truth(ir::ExprId e, const Context& in, const Lift& lift) {
    if (failed_ || !within_budget()) return fail();
    const ValueGraph::From here(graph_, expr(e).span);
    const Scoped r = resolve(e, in);
    const ir::Expr& x = expr(r.expr);
    if (!depends(r.expr, r.in)) return graph_.bcast(eval(r.expr, r.in), lift.universe);
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    const auto truth = [&](std::size_t i) { return lift_truth(arg(i), r.in, lift); };
    if (x.op == Op::And || x.op == Op::Or || x.op == Op::Not)
        if (const NodeRef known = lift_by_value(r.expr, r.in, lift); known != no_node) return known;
    switch (x.op) {
    case Op::Not: {
        const NodeRef t = truth(0);
        return t == no_node ? no_node : graph_.and_not(lift.universe, t);
    }
    case Op::And:
    case Op::Or: {
        NodeRef result = x.op == Op::And ? lift.universe : empty(lift.shape.words);
        for (ir::ExprId a : program_.arguments(r.expr)) {
            const NodeRef t = lift_truth(a, r.in, lift);
            if (t == no_node) return no_node;
            result = x.op == Op::And ? graph_.and_(result, t) : graph_.or_(result, t);
        }
        return result;
    }
    case Op::If: {
        const NodeRef c = truth(0), yes = truth(1), no = truth(2);
        if (c == no_node || yes == no_node || no == no_node) return no_node;
        return graph_.or_(graph_.and_(c, yes), graph_.and_not(no, c));
    }
    case Op::Eq:
        if (kind(arg(0)) == TypeKind::Set || kind(arg(0)) == TypeKind::Real) return no_node;
        return lift_equal({arg(0), r.in}, {arg(1), r.in}, lift);
    case Op::Lt: return lift_less({arg(0), r.in}, {arg(1), r.in}, lift);
    case Op::IsNone: {
        const Scoped inner = resolve(arg(0), r.in);
        if (expr(inner.expr).op == Op::The && functional(program_.argument(inner.expr, 0), inner.in)) {
            const ir::ExprId set = program_.argument(inner.expr, 0);
            const NodeRef some = lift_meets(set, inner.in, universe(element(set)), lift);
            return some == no_node ? no_node : graph_.and_not(lift.universe, some);
        }
        Term t;
        if (!lift_term(inner.expr, inner.in, lift, t)) return no_node;
        if (t.kind == Term::Kind::Map) return map_equals(t, ir::none, r.in, lift);
        if (t.kind == Term::Kind::Word)
            return graph_.bcast(graph_.op(Family::Eq, t.word, graph_.word(ir::none)), lift.universe);
        std::vector<bool> none(t.table.size());
        for (std::size_t b = 0; b < none.size(); ++b) none[b] = t.table[b] == ir::none;
        return lifted_constant(none, lift);
    }
    case Op::In: {
        const Scoped a = resolve(arg(0), r.in);
        if (expr(a.expr).op == Op::The && functional(program_.argument(a.expr, 0), a.in) && !depends(arg(1), r.in)) {
            const NodeRef met = lift_meets(program_.argument(a.expr, 0), a.in, eval(arg(1), r.in), lift);
            if (met != no_node) return met;
        }
        Term t;
        if (!lift_term(a.expr, a.in, lift, t)) return no_node;
        const ir::TypeId type = element(arg(1));
        if (t.kind == Term::Kind::Word) {
            if (depends(arg(1), r.in))
                return lift_meets(arg(1), r.in,
                                  graph_.make(Family::Bit, layout_.shape(type).words,
                                              {to_bit(type, t.word), no_node, no_node},
                                              static_cast<std::int32_t>(layout_.shape(type).bits)),
                                  lift);
            return no_node;
        }
        if (t.kind == Term::Kind::Map) {
            if (depends(arg(1), r.in)) return no_node;
            const NodeRef set = eval(arg(1), r.in);
            const SetShape shape = layout_.shape(type);
            NodeRef result = empty(lift.shape.words);
            std::vector<std::int64_t> values = t.values;
            std::sort(values.begin(), values.end());
            values.erase(std::unique(values.begin(), values.end()), values.end());
            for (std::int64_t v : values) {
                if (v == ir::none) continue;
                const NodeRef is_in =
                    graph_.make(Family::Test, shape.words, {to_bit(type, graph_.word(v)), set, no_node},
                                static_cast<std::int32_t>(shape.bits));
                const NodeRef where = map_equals(t, v, r.in, lift);
                if (where == no_node) return no_node;
                result = graph_.or_(result, graph_.bcast(is_in, where));
            }
            return result;
        }
        return lift_member(t.table, arg(1), r.in, lift);
    }
    case Op::Any: return lift_meets(arg(0), r.in, universe(element(arg(0))), lift);
    case Op::Exists:
    case Op::ForAll: return lift_binder(r.expr, r.in, lift);
    case Op::Can: return lift_can(r.expr, r.in, lift);
    case Op::Var: {
        std::vector<std::int64_t> table;
        if (!lift_table(r.expr, r.in, lift, table)) return no_node;
        std::vector<bool> holds(table.size());
        for (std::size_t b = 0; b < table.size(); ++b) holds[b] = table[b] != 0 && table[b] != undefined;
        return lifted_constant(holds, lift);
    }
    default: return no_node;
    }
}

// Only with every parameter given: then it is the conjunction of the rule's conditions.
NodeRef Lowering::lift_can(ir::ExprId e, const Context& in, const Lift& lift) {
    const ir::Rule& rule = program_.rules[static_cast<ir::RuleId>(expr(e).imm)];
    if (!rule.ensure.empty() || depends(program_.argument(e, 0), in)) return no_node;
    const NodeRef player = eval(program_.argument(e, 0), in);
    if (!graph_.is_constant(player)) return no_node;
    Context inner = in.without_names().with_me(static_cast<std::uint32_t>(graph_.constant_word(player)));
    std::vector<bool> given(lift.shape.bits, graph_.constant_word(player) != ir::none);
    for (std::size_t i = 0; i < rule.params.size(); ++i) {
        const ir::ExprId a = program_.argument(e, i + 1);
        Term t;
        if (expr(a).op == Op::Wildcard || !lift_term(a, in, lift, t) || t.kind != Term::Kind::Table) return no_node;
        const ir::Type& wanted = program_.types[program_.vars[rule.params[i]].type];
        for (std::size_t b = 0; b < t.table.size(); ++b) {
            const bool outside = wanted.kind == TypeKind::Int && (t.table[b] < wanted.lo || t.table[b] > wanted.hi);
            given[b] = given[b] && t.table[b] != undefined && t.table[b] != ir::none && !outside;
        }
        inner = bind_table(rule.params[i], std::move(t.table), inner);
    }
    NodeRef result = lifted_constant(given, lift);
    for (const ir::Clause& clause : rule.when) {
        if (valid(clause.bind)) {
            inner = bind(clause.bind, clause.expr, inner, inner);
            continue;
        }
        const NodeRef truth = lift_truth(clause.expr, inner, lift);
        result = truth == no_node ? no_node : graph_.and_(result, truth);
        if (result == no_node) break;
    }
    return result;
}

NodeRef Lowering::lift_binder(ir::ExprId e, const Context& in, const Lift& lift) {
    const ir::ExprId domain = program_.argument(e, 0), body = program_.argument(e, 1);
    const ir::TypeId type = element(domain);
    const auto var = static_cast<ir::VarId>(expr(e).imm);
    const bool exists = expr(e).op == Op::Exists;
    const SetShape shape = layout_.shape(type);
    std::vector<std::uint64_t> bits;
    NodeRef known = no_node;
    if (!depends(domain, in)) known = eval(domain, in);
    for (std::uint32_t b = 0; b < shape.bits; ++b) {
        if (layout_.value_of_bit(type, b) == ir::none) continue;
        if (known != no_node && graph_.is_constant(known) && (graph_[known].value[b / 64] >> (b % 64) & 1) == 0)
            continue;
        bits.push_back(b);
    }
    if (bits.size() <= inner_unroll) {
        NodeRef result = exists ? empty(lift.shape.words) : lift.universe;
        for (std::uint64_t b : bits) {
            const NodeRef bit = graph_.word(static_cast<std::int64_t>(b));
            const NodeRef single =
                graph_.make(Family::Bit, shape.words, {bit, no_node, no_node}, static_cast<std::int32_t>(shape.bits));
            const NodeRef is_in = known != no_node
                                      ? graph_.bcast(graph_.make(Family::Test, shape.words, {bit, known, no_node},
                                                                 static_cast<std::int32_t>(shape.bits)),
                                                     lift.universe)
                                      : lift_meets(domain, in, single, lift);
            const NodeRef item = lift_truth(body, bind_node(var, from_bit(type, bit), in), lift);
            if (is_in == no_node || item == no_node) return no_node;
            result = exists ? graph_.or_(result, graph_.and_(is_in, item))
                            : graph_.and_not(result, graph_.and_not(is_in, item));
        }
        return result;
    }
    // some x in set(v): body(x), where body does not know v: set(v) meets {x | body(x)}.
    const Lift inner = lift_over(type);
    std::vector<std::int64_t> identity;
    for (std::uint32_t b = 0; b < shape.bits; ++b)
        identity.push_back(inner.real[b] ? static_cast<std::int64_t>(b) : undefined);
    if (shape.board < 0) return no_node;
    for (ir::VarId v : free_vars(body)) {
        if (v == var) continue;
        const Binding* b = find(v, in);
        if (b != nullptr && (b->kind == Binding::Kind::Table ||
                             (b->kind == Binding::Kind::Closure && depends(b->expr, in.with_env(b->env)))))
            return no_node;
    }
    const NodeRef good = lift_truth(body, bind_table(var, std::move(identity), in), inner);
    if (good == no_node) return no_node;
    if (exists) return lift_meets(domain, in, good, lift);
    const NodeRef bad = lift_meets(domain, in, graph_.and_not(inner.universe, good), lift);
    return bad == no_node ? no_node : graph_.and_not(lift.universe, bad);
}

} // namespace zug::run
