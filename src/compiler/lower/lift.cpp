// Lifting of truths.

#include "compiler/lower/set_lifter.hpp"

#include <algorithm>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::int64_t most_indices = 64; // values of one that are looked at

} // namespace

NodeRef SetLifter::find_truth(ir::ExprId unresolved, const Context& in, const Lift& lift) {
    if (failed() || !lowering_.within_budget()) return fail();
    const ValueGraph::From here(graph_, expr(unresolved).span);
    const Scoped e = resolve(unresolved, in);
    const Op op = expr(e.expr).op;
    if (!depends(e.expr, e.in)) return graph_.bcast(eval(e.expr, e.in), lift.universe);
    if (const NodeRef known = known_truth(e, lift); known != no_node) return known;
    const auto arg = [&](std::size_t i) { return program_.argument(e.expr, i); };
    if (op == Op::And || op == Op::Or || op == Op::Not)
        if (const NodeRef known = lift_by_value(e.expr, e.in, lift); known != no_node) return known;
    switch (op) {
    case Op::Not: {
        const NodeRef t = lift_truth(arg(0), e.in, lift);
        return t == no_node ? no_node : graph_.and_not(lift.universe, t);
    }
    case Op::And:
    case Op::Or: return lift_junction(e, lift);
    case Op::If: return lift_if(e, lift);
    case Op::Eq:
        if (kind(arg(0)) == TypeKind::Set) return lift_equal_sets(e, lift);
        if (kind(arg(0)) == TypeKind::Real) return no_node;
        return lift_equal({arg(0), e.in}, {arg(1), e.in}, lift);
    case Op::Lt: return lift_less({arg(0), e.in}, {arg(1), e.in}, lift);
    case Op::IsNone: return lift_is_none(e, lift);
    case Op::In: return lift_in(e, lift);
    case Op::Any: return lift_meets(arg(0), e.in, universe(element(arg(0))), lift);
    case Op::Exists:
    case Op::ForAll: return lift_binder(e, lift);
    case Op::Can: return lift_can(e, lift);
    case Op::Call: return lift_recursive(e, lift);
    case Op::Var: return lift_name(e, lift);
    case Op::MapGet:
    case Op::Project: return lift_truth_kept(e, lift);
    default: return no_node;
    }
}

// `and` and `or`.
NodeRef SetLifter::lift_junction(const Scoped& e, const Lift& lift) {
    const bool all = expr(e.expr).op == Op::And;
    if (lift.entries) return lift_undecided(all, program_.arguments(e.expr), e.in, lift);
    NodeRef result = all ? lift.universe : empty(lift.shape.words);
    for (ir::ExprId a : program_.arguments(e.expr)) {
        const NodeRef t = lift_truth(a, e.in, all ? lift.narrowed(graph_, result) : lift);
        if (t == no_node) return no_node;
        result = all ? graph_.and_(result, t) : graph_.or_(result, t);
    }
    return result;
}

NodeRef SetLifter::lift_undecided(bool all, std::span<const ir::ExprId> parts, const Context& in, const Lift& lift) {
    std::vector<NodeRef> truths;
    std::size_t decided = 0; // by parts before this one
    Lift undecided = lift;
    for (const ir::ExprId part : parts) {
        if (graph_.is_empty(undecided.universe)) break;
        const NodeRef truth = lift_truth(part, in, undecided);
        if (truth == no_node) return no_node;
        truths.push_back(truth);
        if (!graph_.is_constant(truth)) continue;
        const std::vector<std::uint64_t> holds = graph_[truth].value;
        undecided.keep(graph_, [&](std::size_t b) { return ((holds[b / 64] >> (b % 64) & 1) != 0) == all; });
        decided = truths.size();
    }
    NodeRef result = all ? lift.universe : empty(lift.shape.words);
    for (std::size_t i = 0; i < truths.size(); ++i) {
        // Parts before one that has decided are built once more.
        if (i < decided && !graph_.is_constant(truths[i])) truths[i] = lift_truth(parts[i], in, undecided);
        result = all ? graph_.and_(result, truths[i]) : graph_.or_(result, truths[i]);
    }
    return result;
}

NodeRef SetLifter::lift_if(const Scoped& e, const Lift& lift) {
    const auto truth = [&](std::size_t i, const Lift& of) {
        return lift_truth(program_.argument(e.expr, i), e.in, of);
    };
    const NodeRef c = truth(0, lift);
    if (c == no_node) return no_node;
    if (!graph_.is_constant(c)) {
        const NodeRef yes = truth(1, lift), no = truth(2, lift);
        if (yes == no_node || no == no_node) return no_node;
        return graph_.or_(graph_.and_(c, yes), graph_.and_not(no, c));
    }
    // It is known for which values the condition holds: each branch is found for its own values alone, if it has any.
    const std::vector<std::uint64_t> members = graph_[c].value;
    NodeRef result = lowering_.empty(lift.shape.words);
    for (const bool holds : {true, false}) {
        Lift own = lift;
        own.keep(graph_, [&](std::size_t b) { return (members[b / 64] >> (b % 64) & 1) == (holds ? 1 : 0); });
        if (std::ranges::all_of(own.real, [](std::uint64_t word) { return word == 0; })) continue;
        const NodeRef found = truth(holds ? 1 : 2, own);
        if (found == no_node) return no_node;
        result = graph_.or_(result, graph_.and_(found, own.universe));
    }
    return result;
}

NodeRef SetLifter::lift_is_none(const Scoped& e, const Lift& lift) {
    const Scoped inner = resolve(program_.argument(e.expr, 0), e.in);
    if (lowering_.is_only_member(inner)) {
        const ir::ExprId set = program_.argument(inner.expr, 0);
        const NodeRef some = lift_meets(set, inner.in, universe(element(set)), lift);
        return some == no_node ? no_node : graph_.and_not(lift.universe, some);
    }
    if (const NodeRef found = lift_stored_none(inner, lift); found != no_node) return found;
    LiftedScalar t;
    if (!lift_scalar(inner.expr, inner.in, lift, t)) return no_node;
    if (t.kind == LiftedScalar::Kind::Map) return map_equals(t, ir::none, e.in, lift);
    if (t.kind == LiftedScalar::Kind::Word)
        return graph_.bcast(graph_.op(Family::Eq, t.word, graph_.word(ir::none)), lift.universe);
    return constant_where(lift, [&](std::size_t b) { return t.table[b] == ir::none; });
}

// `in`
NodeRef SetLifter::lift_in(const Scoped& e, const Lift& lift) {
    const Scoped a = resolve(program_.argument(e.expr, 0), e.in);
    const Scoped set{program_.argument(e.expr, 1), e.in};
    if (lowering_.is_only_member(a) && !depends(set.expr, set.in)) {
        const NodeRef met = lift_meets(program_.argument(a.expr, 0), a.in, eval(set.expr, set.in), lift);
        if (met != no_node) return met;
    }
    LiftedScalar t;
    const bool is_scalar = lift_scalar(a.expr, a.in, lift, t);
    if (is_scalar && t.kind == LiftedScalar::Kind::Table) return lift_member(t.table, set.expr, set.in, lift);
    if (!depends(set.expr, set.in)) return lift_case_in(a, set, lift);
    if (!is_scalar || t.kind != LiftedScalar::Kind::Word) return no_node;
    const ir::TypeId type = element(set.expr);
    const SetShape shape = layout_.shape(type);
    const NodeRef single = graph_.make(Family::Bit, shape.words, {lowering_.to_bit(type, t.word), no_node, no_node},
                                       static_cast<std::int32_t>(shape.bits));
    return lift_meets(set.expr, set.in, single, lift);
}

// Membership, case by case, in a set that does not depend on the lifted variable.
NodeRef SetLifter::lift_case_in(const Scoped& scalar, const Scoped& set, const Lift& lift) {
    const NodeRef members = eval(set.expr, set.in);
    const ir::TypeId type = element(set.expr);
    const SetShape shape = layout_.shape(type);
    NodeRef result = empty(lift.shape.words);
    const bool done = for_each_case(scalar.expr, scalar.in, lift, [&](NodeRef value, NodeRef where) {
        if (graph_.is_constant(value) && graph_.constant_word(value) == ir::none) return true;
        const NodeRef is_in = graph_.make(Family::Test, shape.words, {lowering_.to_bit(type, value), members, no_node},
                                          static_cast<std::int32_t>(shape.bits));
        result = graph_.or_(result, graph_.bcast(is_in, where));
        return true;
    });
    return done ? result : no_node;
}

NodeRef SetLifter::lift_name(const Scoped& e, const Lift& lift) {
    std::vector<std::int64_t> table;
    if (!lift_table(e.expr, e.in, lift, table)) return no_node;
    return constant_where(lift, [&](std::size_t b) { return table[b] != 0 && table[b] != undefined; });
}

// A truth that a map or a tuple holds.
NodeRef SetLifter::lift_truth_kept(const Scoped& e, const Lift& lift) {
    LiftedScalar t;
    if (!lift_scalar(e.expr, e.in, lift, t)) return no_node;
    if (t.kind == LiftedScalar::Kind::Map) return map_equals(t, 1, e.in, lift);
    if (t.kind == LiftedScalar::Kind::Word) return graph_.bcast(t.word, lift.universe);
    return constant_where(lift, [&](std::size_t b) { return t.table[b] == 1; });
}

// `can` with every parameter given is the conjunction of the rule's conditions. Other forms are not lifted.
NodeRef SetLifter::lift_can(const Scoped& e, const Lift& lift) {
    const ir::Rule& rule = program_.rules[static_cast<ir::RuleId>(expr(e.expr).imm)];
    if (!rule.ensure.empty() || !is_uniform(e, 0)) return no_node;
    const NodeRef player = eval(program_.argument(e.expr, 0), e.in);
    if (!graph_.is_constant(player)) return no_node;
    Context inner = e.in.without_names().with_me(static_cast<std::uint32_t>(graph_.constant_word(player)));
    std::vector<bool> given(lift.shape.bits, graph_.constant_word(player) != ir::none);
    for (std::size_t i = 0; i < rule.params.size(); ++i) {
        const ir::ExprId a = program_.argument(e.expr, i + 1);
        LiftedScalar t;
        if (expr(a).op == Op::Wildcard || !lift_scalar(a, e.in, lift, t) || t.kind != LiftedScalar::Kind::Table)
            return no_node;
        const ir::Type& wanted = program_.types[program_.vars[rule.params[i]].type];
        for (std::size_t b = 0; b < t.table.size(); ++b) {
            const bool outside = wanted.kind == TypeKind::Int && (t.table[b] < wanted.lo || t.table[b] > wanted.hi);
            given[b] = given[b] && t.table[b] != undefined && t.table[b] != ir::none && !outside;
        }
        inner = bind_table(rule.params[i], std::move(t.table), inner);
    }
    NodeRef result = constant_where(lift, [&](std::size_t b) -> bool { return given[b]; });
    for (const ir::Clause& clause : rule.when) {
        if (valid(clause.bind)) {
            inner = bind(clause.bind, clause.expr, inner, inner);
            continue;
        }
        const NodeRef truth = lift_truth(clause.expr, inner, lift);
        if (truth == no_node) return no_node;
        result = graph_.and_(result, truth);
    }
    return result;
}

// `some` and `all`, over a set that may itself depend on the lifted variable.
NodeRef SetLifter::lift_binder(const Scoped& e, const Lift& lift) {
    const ir::ExprId domain = program_.argument(e.expr, 0);
    const ir::TypeId type = element(domain);
    const SetShape shape = layout_.shape(type);
    const NodeRef known = is_uniform(e, 0) ? eval(domain, e.in) : no_node;
    std::vector<std::uint64_t> bits;
    for (std::uint32_t b = 0; b < shape.bits; ++b) {
        if (layout_.value_of_bit(type, b) == ir::none) continue;
        if (known != no_node && graph_.is_constant(known) && (graph_[known].value[b / 64] >> (b % 64) & 1) == 0)
            continue;
        bits.push_back(b);
    }
    if (lift.entries)
        if (const NodeRef found = lift_by_difference(e, lift); found != no_node) return found;
    if (bits.size() <= inner_unroll(type)) return lift_unrolled(e, bits, known, lift);
    const NodeRef every = universe(type);
    if (expr(e.expr).op == Op::Exists) return lift_pairs(e, every, true, lift);
    const NodeRef bad = lift_pairs(e, every, false, lift);
    return bad == no_node ? no_node : graph_.and_not(lift.universe, bad);
}

// Over numbers by which a matrix is read together with others that depend on the lifted entry: one copy of the body for
// each difference to the entry's own index, for which the read is a shift. no_node: there is no such read.
NodeRef SetLifter::lift_by_difference(const Scoped& e, const Lift& lift) {
    const ir::ExprId domain = program_.argument(e.expr, 0), body = program_.argument(e.expr, 1);
    const auto var = static_cast<ir::VarId>(expr(e.expr).imm);
    const ir::Type& type = program_.types[program_.vars[var].type];
    if (type.kind != TypeKind::Int || type.hi - type.lo >= most_indices) return no_node;
    const auto read = read_by(body, var, e.in, lift);
    if (!read) return no_node;
    const bool exists = expr(e.expr).op == Op::Exists;
    NodeRef result = exists ? empty(lift.shape.words) : lift.universe;
    const std::vector<std::int64_t> own = lowering_.entry_lift(read->matrix).values[read->index];
    const ir::Type& index = program_.types[program_.states[read->matrix].indices[read->index]];
    if (index.hi - index.lo >= most_indices) return no_node;
    for (std::int64_t d = type.lo - index.hi; d <= type.hi - index.lo; ++d) {
        std::vector<std::int64_t> table = sums_within(own, d, type);
        Lift here = lift;
        here.keep(graph_, [&](std::size_t b) { return table[b] != undefined; });
        const NodeRef is_in = lift_member(table, domain, e.in, here);
        if (is_in == no_node) return no_node;
        if (graph_.is_empty(is_in)) continue;
        if (graph_.is_constant(is_in)) here.keep_members(graph_, is_in);
        const NodeRef item = lift_truth(body, bind_table(var, std::move(table), e.in), here.narrowed(graph_, is_in));
        if (item == no_node) return no_node;
        result =
            exists ? graph_.or_(result, graph_.and_(is_in, item)) : graph_.and_not(result, graph_.and_not(is_in, item));
    }
    return result;
}

// Where the expression reads a matrix of the lifted entries by this variable, and by others that depend on the entry.
std::optional<SetLifter::IndexRead> SetLifter::read_by(ir::ExprId e, ir::VarId var, const Context& in,
                                                       const Lift& lift) {
    const ir::Expr& x = expr(e);
    const auto args = program_.arguments(e);
    if (x.op == Op::MapGet) {
        const auto id = static_cast<ir::StateId>(x.imm);
        const VariableLayout& at = layout_.variable(id);
        const auto is_var = [&](ir::ExprId a) {
            return expr(a).op == Op::Var && static_cast<ir::VarId>(expr(a).imm) == var;
        };
        const auto found = std::ranges::find_if(args, is_var);
        const auto fits = [&](ir::ExprId a) { return is_var(a) || (names_known(a, in) && depends(a, in)); };
        if (found != args.end() && at.matrix && at.slots == lift.shape.bits && std::ranges::all_of(args, fits))
            return IndexRead{id, static_cast<std::size_t>(found - args.begin())};
    }
    for (const ir::ExprId a : args)
        if (const auto found = read_by(a, var, in, lift)) return found;
    return std::nullopt;
}

// One copy of the body for each of these values of the bound variable. `domain`: no_node if it depends on the lifted
// variable.
NodeRef SetLifter::lift_unrolled(const Scoped& e, const std::vector<std::uint64_t>& bits, NodeRef domain,
                                 const Lift& lift) {
    const ir::ExprId set = program_.argument(e.expr, 0), body = program_.argument(e.expr, 1);
    const ir::TypeId type = element(set);
    const auto var = static_cast<ir::VarId>(expr(e.expr).imm);
    const bool exists = expr(e.expr).op == Op::Exists;
    const SetShape shape = layout_.shape(type);
    const auto size = static_cast<std::int32_t>(shape.bits);
    NodeRef result = exists ? empty(lift.shape.words) : lift.universe;
    for (std::uint64_t b : bits) {
        const NodeRef bit = graph_.word(static_cast<std::int64_t>(b));
        const NodeRef single = graph_.make(Family::Bit, shape.words, {bit, no_node, no_node}, size);
        const NodeRef is_in =
            domain != no_node
                ? graph_.bcast(graph_.make(Family::Test, shape.words, {bit, domain, no_node}, size), lift.universe)
                : lift_meets(set, e.in, single, lift);
        const NodeRef item = lift_truth(body, bind_node(var, lowering_.from_bit(type, bit), e.in), lift);
        if (is_in == no_node || item == no_node) return no_node;
        result =
            exists ? graph_.or_(result, graph_.and_(is_in, item)) : graph_.and_not(result, graph_.and_not(is_in, item));
    }
    return result;
}

} // namespace zug::run
