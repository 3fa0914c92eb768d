// Lifting of conditions on two variables: one of them is lifted, and the other one ranges over a set of sites.

#include "compiler/lower/set_lifter.hpp"

#include <algorithm>

namespace zug::run {

using ir::Op;

// v is lifted, and w the other variable.
struct SetLifter::Pair {
    ir::VarId bound;              // the variable that the binder names: w, or v
    bool names_w = true;          // which of them
    const Lift& v;                // as it is lifted
    Lift w;                       // as the other one would be
    std::optional<Scoped> domain; // of w, if it depends on v; else all targets are parts of it
};

// {v | some w in the binder's domain and the target: the binder's condition holds, or (`holds` is false) does not}
NodeRef SetLifter::lift_pairs(const Scoped& binder, NodeRef target, bool holds, const Lift& lift) {
    const ir::ExprId domain = program_.argument(binder.expr, 0);
    const ir::TypeId type = element(domain);
    if (layout_.shape(type).board < 0) return no_node;
    Pair pair{static_cast<ir::VarId>(expr(binder.expr).imm), true, lift, lowering_.lift_over(type), std::nullopt};
    const Context both = bind_table(pair.bound, lowering_.values_by_bit(type, pair.w), binder.in);
    if (is_uniform(binder, 0))
        target = graph_.and_(target, eval(domain, binder.in));
    else
        pair.domain = Scoped{domain, binder.in};
    return related({program_.argument(binder.expr, 1), both}, target, holds, pair);
}

// The union over w in `over` of {v in domain | condition}, where the domain does not depend on w.
NodeRef SetLifter::union_of_pairs(const Scoped& those, NodeRef over, const Lift& lift) {
    const ir::ExprId domain = program_.argument(those.expr, 0);
    const ir::TypeId type = element(domain);
    if (layout_.shape(type).board < 0 || lift.shape.board < 0 || lift.entries || !is_uniform(those, 0)) return no_node;
    const Lift v = lowering_.lift_over(type);
    const Pair pair{static_cast<ir::VarId>(expr(those.expr).imm), false, v, lift, std::nullopt};
    const Context both = bind_table(pair.bound, lowering_.values_by_bit(type, v), those.in);
    const NodeRef found = related({program_.argument(those.expr, 1), both}, over, true, pair);
    return found == no_node ? no_node : graph_.and_(found, eval(domain, those.in));
}

// Of those members of sets that satisfy a condition, or of what each member leads to, whatever set it is from: of all
// members of the sets.
NodeRef SetLifter::union_of_unions(const Scoped& set, NodeRef over, const Lift& lift) {
    if (nested_unions_ == most_nested_unions) return no_node;
    ++nested_unions_;
    const NodeRef joined = join_unions(set, over, lift);
    --nested_unions_;
    return joined;
}

NodeRef SetLifter::join_unions(const Scoped& set, NodeRef over, const Lift& lift) {
    const ir::ExprId domain = program_.argument(set.expr, 0), body = program_.argument(set.expr, 1);
    if (depends(body, set.in)) return no_node;
    const NodeRef members = lift_union(domain, set.in, over, lift);
    if (members == no_node) return no_node;
    const ir::TypeId type = element(domain);
    const Lift inner = lowering_.lift_over(type);
    const auto var = static_cast<ir::VarId>(expr(set.expr).imm);
    const Context in = bind_table(var, lowering_.values_by_bit(type, inner), set.in);
    if (expr(set.expr).op == Op::UnionOver) return lift_union(body, in, members, inner);
    const NodeRef truth = lift_truth(body, in, inner);
    return truth == no_node ? no_node : graph_.and_(members, truth);
}

// Whether it depends on v, or on w.
bool SetLifter::depends_on(bool w, ir::ExprId e, const Context& in, const Pair& pair) {
    if (!depends(e, in)) return false;
    return std::ranges::any_of(lowering_.free_vars(e), [&](ir::VarId name) {
        const Binding* const b = lowering_.find(name, in);
        if (b == nullptr) return false;
        if (b->kind == Binding::Kind::Table) return (name == pair.bound) == (pair.names_w == w);
        return b->kind == Binding::Kind::Closure && depends_on(w, b->expr, in.with_env(b->env), pair);
    });
}

// Those v for which there is any w.
NodeRef SetLifter::met(NodeRef target, const Pair& pair) {
    if (pair.domain) return lift_meets(pair.domain->expr, pair.domain->in, target, pair.v);
    return graph_.bcast(graph_.any(target), pair.v.universe);
}

NodeRef SetLifter::related(const Scoped& unresolved, NodeRef target, bool holds, const Pair& pair) {
    if (failed() || !lowering_.within_budget()) return fail();
    const ValueGraph::From here(graph_, expr(unresolved.expr).span);
    const Scoped e = resolve(unresolved.expr, unresolved.in);
    const bool on_v = depends_on(false, e.expr, e.in, pair), on_w = depends_on(true, e.expr, e.in, pair);
    if (!on_v || !on_w) {
        NodeRef truth = lift_truth(e.expr, e.in, on_w ? pair.w : pair.v);
        if (truth == no_node) return no_node;
        if (!holds) truth = graph_.and_not(on_w ? pair.w.universe : pair.v.universe, truth);
        const NodeRef some = met(on_w ? graph_.and_(target, truth) : target, pair);
        return on_w || some == no_node ? some : graph_.and_(truth, some);
    }
    switch (expr(e.expr).op) {
    case Op::Not: return related({program_.argument(e.expr, 0), e.in}, target, !holds, pair);
    case Op::And:
    case Op::Or:
        return (expr(e.expr).op == Op::And) == holds ? related_by_all(e, target, holds, pair)
                                                     : related_by_any(e, target, holds, pair);
    case Op::If: return related_by_case(e, target, holds, pair);
    case Op::Any: return holds && !pair.domain ? related_by_meeting(e, target, pair) : no_node;
    case Op::In: return holds && !pair.domain ? related_by_set(e, target, pair) : no_node;
    case Op::Eq: return holds && !pair.domain ? related_by_equality(e, target, pair) : no_node;
    default: return no_node;
    }
}

// A conjunction, of which one part may depend on both.
NodeRef SetLifter::related_by_all(const Scoped& e, NodeRef target, bool holds, const Pair& pair) {
    NodeRef guard = pair.v.universe;
    ir::ExprId both = none_id<ir::ExprId>;
    for (const ir::ExprId part : program_.arguments(e.expr)) {
        const bool on_v = depends_on(false, part, e.in, pair), on_w = depends_on(true, part, e.in, pair);
        if (on_v && on_w) {
            if (valid(both)) return no_node;
            both = part;
            continue;
        }
        const NodeRef truth = lift_truth(part, e.in, on_w ? pair.w : pair.v);
        if (truth == no_node) return no_node;
        NodeRef& kept = on_w ? target : guard;
        kept = holds ? graph_.and_(kept, truth) : graph_.and_not(kept, truth);
    }
    const NodeRef found = valid(both) ? related({both, e.in}, target, holds, pair) : met(target, pair);
    return found == no_node ? no_node : graph_.and_(guard, found);
}

NodeRef SetLifter::related_by_any(const Scoped& e, NodeRef target, bool holds, const Pair& pair) {
    NodeRef result = empty(pair.v.shape.words);
    for (const ir::ExprId part : program_.arguments(e.expr)) {
        const NodeRef found = related({part, e.in}, target, holds, pair);
        if (found == no_node) return no_node;
        result = graph_.or_(result, found);
    }
    return result;
}

NodeRef SetLifter::related_by_case(const Scoped& e, NodeRef target, bool holds, const Pair& pair) {
    const ir::ExprId condition = program_.argument(e.expr, 0);
    const bool on_w = depends_on(true, condition, e.in, pair);
    if (on_w && depends_on(false, condition, e.in, pair)) return no_node;
    const NodeRef truth = lift_truth(condition, e.in, on_w ? pair.w : pair.v);
    if (truth == no_node) return no_node;
    const auto found = [&](std::size_t i, NodeRef with) {
        return related({program_.argument(e.expr, i), e.in}, with, holds, pair);
    };
    const NodeRef yes = found(1, on_w ? graph_.and_(target, truth) : target);
    const NodeRef no = found(2, on_w ? graph_.and_not(target, truth) : target);
    if (yes == no_node || no == no_node) return no_node;
    return on_w ? graph_.or_(yes, no) : graph_.or_(graph_.and_(truth, yes), graph_.and_not(no, truth));
}

// Whether the expression is w and nothing else.
bool SetLifter::is_other(const Scoped& e, const Pair& pair) {
    if (expr(e.expr).op != Op::Var || !depends_on(true, e.expr, e.in, pair)) return false;
    const Binding* const b = lowering_.find(static_cast<ir::VarId>(expr(e.expr).imm), e.in);
    const auto is_itself = [&](std::size_t bit) {
        return !pair.w.is_real(bit) || b->table[bit] == static_cast<std::int64_t>(bit);
    };
    for (std::size_t bit = 0; bit < pair.w.shape.bits; ++bit)
        if (bit >= b->table.size() || !is_itself(bit)) return false;
    return true;
}

// {v | the value of `e`, which depends on v alone, is in the target}
NodeRef SetLifter::valued_in(const Scoped& e, ir::TypeId type, NodeRef target, const Pair& pair) {
    if (lowering_.is_only_member(e)) return lift_meets(program_.argument(e.expr, 0), e.in, target, pair.v);
    std::vector<std::int64_t> table;
    return lift_table(e.expr, e.in, pair.v, table)
               ? preimage(to_bits(type, std::move(table)), target, layout_.shape(type), pair.v)
               : no_node;
}

// `w in S(v)`, `f(w) in S(v)` or `f(v) in S(w)`.
NodeRef SetLifter::related_by_set(const Scoped& e, NodeRef target, const Pair& pair) {
    const Scoped member = resolve(program_.argument(e.expr, 0), e.in);
    const ir::ExprId set = program_.argument(e.expr, 1);
    const bool of_w = depends_on(true, member.expr, member.in, pair), set_of_w = depends_on(true, set, e.in, pair);
    if (!of_w) {
        if (depends_on(false, set, e.in, pair)) return no_node;
        const NodeRef all = lift_union(set, e.in, target, pair.w);
        return all == no_node ? no_node : valued_in(member, element(set), all, pair);
    }
    if (set_of_w || depends_on(false, member.expr, member.in, pair)) return no_node;
    if (is_other(member, pair)) return lift_meets(set, e.in, target, pair.v);
    if (!lowering_.is_only_member(member)) return no_node;
    const NodeRef from = lift_union(program_.argument(member.expr, 0), member.in, target, pair.w);
    return from == no_node ? no_node : lift_meets(set, e.in, from, pair.v);
}

// `some S(v) & T(w)`
NodeRef SetLifter::related_by_meeting(const Scoped& e, NodeRef target, const Pair& pair) {
    const Scoped both = resolve(program_.argument(e.expr, 0), e.in);
    if (expr(both.expr).op != Op::Inter) return no_node;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        const ir::ExprId of_v = program_.argument(both.expr, side), of_w = program_.argument(both.expr, 1 - side);
        if (depends_on(true, of_v, both.in, pair) || depends_on(false, of_w, both.in, pair)) continue;
        const NodeRef all = lift_union(of_w, both.in, target, pair.w);
        return all == no_node ? no_node : lift_meets(of_v, both.in, all, pair.v);
    }
    return no_node;
}

// `w = f(v)`
NodeRef SetLifter::related_by_equality(const Scoped& e, NodeRef target, const Pair& pair) {
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        const Scoped one = resolve(program_.argument(e.expr, side), e.in);
        const Scoped other = resolve(program_.argument(e.expr, 1 - side), e.in);
        if (is_other(one, pair) && !depends_on(true, other.expr, other.in, pair))
            return valued_in(other, expr(one.expr).type, target, pair);
    }
    return no_node;
}

} // namespace zug::run
