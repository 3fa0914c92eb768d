// some, all, no, count, sum, min, max, union, the, odd: of a set, or over names that range.

#include "lang/checker.hpp"

#include <algorithm>

namespace zug::lang {

Operand Checker::quantified(NodeId id) {
    const Operand operand = expr(child(id, 0));
    return operand.ok() ? quantified_value(node(id).text, operand, span(id)) : poison(span(id));
}

Operand Checker::quantified_value(std::string_view word, const Operand& operand, Span at) {
    const TypeKind k = kind(operand.type);
    if (word == "odd" && k == TypeKind::Int) return odd(operand, at);
    if (word == "all" || word == "union") {
        error(Message::NeedsBinder, at, {std::string(word)});
        return poison(at);
    }
    if (k == TypeKind::Path || k == TypeKind::Real || k == TypeKind::Bool || (k == TypeKind::Int && word != "the")) {
        std::string fix;
        if (k == TypeKind::Path) fix = "`a.path` is the set of sites that a path leads to";
        if (k == TypeKind::Int && (word == "min" || word == "max"))
            fix = std::string(word) + "(a, b) is the " + (word == "min" ? "lesser" : "greater") + " of two numbers";
        mismatch(operand.span, operand, "a set", fix);
        return poison(at);
    }
    if (word == "the") return as_element(operand);
    if ((word == "some" || word == "no") && k != TypeKind::Set && !valid(operand.as_set)) {
        if (k != TypeKind::Optional && k != TypeKind::None)
            warn(Message::NeverNone, operand.span, {type_text(operand.type)});
        const ExprId none =
            k == TypeKind::Optional ? builder_.is_none(operand.expr, at) : builder_.truth(k == TypeKind::None, at);
        return value(word == "no" ? none : builder_.negation(none, at), at);
    }
    const ExprId set = as_set(operand);
    if (!valid(set)) {
        mismatch(operand.span, operand, "a set");
        return poison(at);
    }
    if (word == "some") return value(builder_.any(set, at), at);
    if (word == "no") return value(builder_.negation(builder_.any(set, at), at), at);
    if (word == "count" || word == "odd") {
        const Operand size = count(set, at);
        return word == "count" ? size : odd(size, at);
    }
    return fold_of_set(word, value(set, at), at);
}

Operand Checker::count(ExprId set, Span at) {
    const auto members = static_cast<std::int64_t>(types().cardinality(types().inner(builder_.type(set))));
    return value(builder_.make(Op::Count, types().integer(0, members), {set}, at), at);
}

Operand Checker::odd(const Operand& number, Span at) {
    const ExprId rest = builder_.make(Op::Mod, types().integer(0, 1), {number.expr, builder_.integer(2, at)}, at);
    return value(builder_.equal(rest, builder_.integer(1, at), at), at);
}

// sum, min, max of a set of whole numbers.
Operand Checker::fold_of_set(std::string_view word, const Operand& set, Span at) {
    const TypeId element = types().inner(set.type);
    if (kind(element) != TypeKind::Int) {
        mismatch(set.span, set, "a set of numbers",
                 "give a value for each member: `" + std::string(word) + " x in S: ...`");
        return poison(at);
    }
    const VarId var = builder_.new_var("number", element);
    return accumulate(word, var, set.expr, value(builder_.var(var, at), at), at);
}

Operand Checker::accumulate(std::string_view word, VarId var, ExprId domain, const Operand& body, Span at) {
    const Op op = word == "sum" ? Op::SumOver : word == "min" ? Op::MinOver : Op::MaxOver;
    if (kind(bare(body.type)) == TypeKind::Real)
        return value(builder_.bind(op, types().real(), var, domain, body.expr, at), at);
    const Operand number = as_integer(body);
    if (!number.ok()) return poison(at);
    const ir::Type t = types()[number.type];
    std::int64_t lo = t.lo, hi = t.hi;
    if (op == Op::SumOver) {
        const auto members = static_cast<double>(types().cardinality(types().inner(builder_.type(domain))));
        lo = lo >= 0 ? 0
                     : static_cast<std::int64_t>(
                           std::max(static_cast<double>(lo) * members, static_cast<double>(ir::int_min)));
        hi = hi <= 0 ? 0
                     : static_cast<std::int64_t>(
                           std::min(static_cast<double>(hi) * members, static_cast<double>(ir::int_max)));
    }
    return value(builder_.bind(op, types().integer(lo, hi), var, domain, number.expr, at), at);
}

// ---- binders

// The set that a binder ranges over: of `in S`, `: type`, `= value`.
ExprId Checker::binder_domain(NodeId binder) {
    const NodeId domain = child(binder, 0);
    const NodeId how = child(binder, 1);
    if (!valid(domain)) return none_id<ExprId>;
    if (valid(how) && node(how).text == ":") {
        const TypeId element = type(domain);
        if (!valid(element)) return none_id<ExprId>;
        if (!valid(set_type(element, span(domain)))) return none_id<ExprId>;
        return builder_.universe(element, span(domain));
    }
    const Operand found = expr(domain);
    if (!found.ok()) return none_id<ExprId>;
    const ExprId set = kind(bare(found.type)) == TypeKind::Path ? none_id<ExprId> : as_set(found);
    if (!valid(set) || kind(element_of(found)) == TypeKind::None) {
        mismatch(found.span, found, "a set to range over");
        return none_id<ExprId>;
    }
    return set;
}

VarId Checker::push_binder(NodeId binder, ExprId domain) {
    const VarId var = builder_.new_var(node(binder).text, types().inner(builder_.type(domain)));
    const Span at = name_span(binder);
    push_local({.name = node(binder).text, .span = at, .value = value(builder_.var(var, at), at)});
    return var;
}

Operand Checker::comprehension(NodeId id) {
    const Names scope(*this);
    const NodeId binder = child(id, 0);
    const ExprId domain = valid(binder) ? binder_domain(binder) : none_id<ExprId>;
    if (!valid(domain)) {
        if (valid(binder))
            push_local({.name = node(binder).text, .span = span(binder), .value = poison(span(binder)), .warn = false});
        condition(child(id, 1));
        return poison(span(id));
    }
    const VarId var = push_binder(binder, domain);
    const ExprId kept = condition(child(id, 1));
    if (!valid(kept)) return poison(span(id));
    return value(builder_.bind(Op::SetOf, builder_.type(domain), var, domain, kept, span(id)), span(id));
}

Operand Checker::quantifier(NodeId id) {
    const Names scope(*this);
    return quantify(id, 1);
}

Operand Checker::quantify(NodeId id, std::size_t i) {
    if (i == children(id).size()) return expr(child(id, 0));
    const NodeId binder = child(id, i);
    const ExprId domain = valid(binder) ? binder_domain(binder) : none_id<ExprId>;
    if (!valid(domain)) {
        if (valid(binder))
            push_local({.name = node(binder).text, .span = span(binder), .value = poison(span(binder)), .warn = false});
        quantify(id, i + 1);
        return poison(span(id));
    }
    const VarId var = push_binder(binder, domain);
    return quantify_over(id, i, var, domain);
}

Operand Checker::quantify_over(NodeId id, std::size_t i, VarId var, ExprId domain) {
    const std::string& word = node(id).text;
    const Span at = span(id);
    const bool last = i + 1 == children(id).size();
    const Operand body = quantify(id, i + 1);
    if (!body.ok()) return poison(at);
    const auto truth_of = [&](Op op) {
        if (kind(body.type) == TypeKind::Bool)
            return value(builder_.bind(op, body.type, var, domain, body.expr, at), at);
        mismatch(body.span, body, "a condition");
        return poison(at);
    };
    if (word == "some") return truth_of(Op::Exists);
    if (word == "all") return truth_of(Op::ForAll);
    if (word == "no") { // `no x, y: c` is the negation of `some x, y: c`
        const Operand found = truth_of(Op::Exists);
        return found.ok() && i == 1 ? value(builder_.negation(found.expr, at), at) : found;
    }
    const bool truth = kind(body.type) == TypeKind::Bool;
    if (last && !truth && (word == "count" || word == "odd" || word == "the")) return truth_of(Op::Exists);
    const auto those = [&] { return builder_.bind(Op::SetOf, builder_.type(domain), var, domain, body.expr, at); };
    if (word == "count" || word == "odd") {
        const Operand total = last ? count(those(), at) : accumulate("sum", var, domain, body, at);
        return word == "odd" && i == 1 && total.ok() ? odd(total, at) : total;
    }
    if (word == "the") {
        if (!last || i != 1) {
            error(Message::OneBinder, at);
            return poison(at);
        }
        return as_element(value(those(), at));
    }
    if (word == "union") return union_over(var, domain, body, at);
    return accumulate(word, var, domain, body, at);
}

Operand Checker::union_over(VarId var, ExprId domain, const Operand& body, Span at) {
    if (kind(body.type) == TypeKind::Path) {
        const ExprId paths = builder_.bind(Op::PathOver, body.type, var, domain, body.expr, at);
        return {.expr = paths, .type = body.type, .span = at};
    }
    const ExprId set =
        kind(body.type) == TypeKind::Real || kind(body.type) == TypeKind::Bool ? none_id<ExprId> : as_set(body);
    if (!valid(set)) {
        mismatch(body.span, body, "a set for each member");
        return poison(at);
    }
    return value(builder_.bind(Op::UnionOver, builder_.type(set), var, domain, set, at), at);
}

} // namespace zug::lang
