// some, all, no, count, sum, min, max, union, the, odd: of a set, or over bound names.

#include "lang/check/quantifiers.hpp"

#include "lang/check/expressions.hpp"
#include "lang/check/operators.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/types.hpp"

namespace zug::lang {

Operand Quantifiers::quantified(NodeId id) {
    const Operand operand = expressions_.expr(child(id, 0));
    return operand.ok() ? quantified_value(node(id).text, operand, span(id)) : poison(span(id));
}

Operand Quantifiers::quantified_value(std::string_view word, const Operand& operand, Span at) {
    const TypeKind k = kind(operand.type);
    if (word == "odd" && k == TypeKind::Int) return operators_.odd(operand, at);
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
    if (word == "the") return conversions_.as_element(operand);
    if ((word == "some" || word == "no") && k != TypeKind::Set && !valid(operand.as_set)) {
        if (k != TypeKind::Optional && k != TypeKind::None)
            warn(Message::NeverNone, operand.span, {type_text(operand.type)});
        const ExprId none =
            k == TypeKind::Optional ? builder_.is_none(operand.expr, at) : builder_.truth(k == TypeKind::None, at);
        return value(word == "no" ? none : builder_.negation(none, at), at);
    }
    const ExprId set = conversions_.as_set(subsets_.unwidened(operand));
    if (!valid(set)) {
        mismatch(operand.span, operand, "a set");
        return poison(at);
    }
    if (word == "some") return value(builder_.any(set, at), at);
    if (word == "no") return value(builder_.negation(builder_.any(set, at), at), at);
    if (word == "count" || word == "odd") {
        const Operand size = operators_.count(set, at);
        return word == "count" ? size : operators_.odd(size, at);
    }
    return operators_.fold_of_set(word, value(set, at), at);
}

// The set that a binder ranges over, of the forms `in S`, `: type` and `= value`.
ExprId Quantifiers::binder_domain(NodeId binder) {
    const NodeId domain = child(binder, 0);
    const NodeId how = child(binder, 1);
    if (!valid(domain)) return none_id<ExprId>;
    if (valid(how) && node(how).text == ":") {
        const TypeId element = types_.type(domain);
        if (!valid(element)) return none_id<ExprId>;
        if (!valid(set_type(element, span(domain)))) return none_id<ExprId>;
        return builder_.universe(element, span(domain));
    }
    const Operand found = expressions_.expr(domain);
    if (!found.ok()) return none_id<ExprId>;
    const ExprId set =
        kind(bare(found.type)) == TypeKind::Path ? none_id<ExprId> : conversions_.as_set(subsets_.unwidened(found));
    if (!valid(set) || kind(conversions_.element_of(found)) == TypeKind::None) {
        mismatch(found.span, found, "a set to range over");
        return none_id<ExprId>;
    }
    return set;
}

VarId Quantifiers::push_binder(NodeId binder, ExprId domain) {
    const VarId var = builder_.new_var(node(binder).text, types().inner(builder_.type(domain)));
    const Span at = name_span(binder);
    push_local({.name = node(binder).text, .span = at, .value = value(builder_.var(var, at), at)});
    return var;
}

Operand Quantifiers::comprehension(NodeId id) {
    const Names scope(context_);
    const NodeId binder = child(id, 0);
    const ExprId domain = valid(binder) ? binder_domain(binder) : none_id<ExprId>;
    if (!valid(domain)) {
        if (valid(binder))
            push_local({.name = node(binder).text, .span = span(binder), .value = poison(span(binder)), .warn = false});
        expressions_.condition(child(id, 1));
        return poison(span(id));
    }
    const VarId var = push_binder(binder, domain);
    const ExprId kept = expressions_.condition(child(id, 1));
    if (!valid(kept)) return poison(span(id));
    return value(builder_.bind(Op::SetOf, builder_.type(domain), {var, domain, kept}, span(id)), span(id));
}

Operand Quantifiers::quantifier(NodeId id) {
    const Names scope(context_);
    return quantify(id, 1);
}

Operand Quantifiers::quantify(NodeId id, std::size_t i) {
    if (i == children(id).size()) return expressions_.expr(child(id, 0));
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

Operand Quantifiers::quantify_over(NodeId id, std::size_t i, VarId var, ExprId domain) {
    const std::string& word = node(id).text;
    const Span at = span(id);
    const bool last = i + 1 == children(id).size();
    const Operand body = quantify(id, i + 1);
    if (!body.ok()) return poison(at);
    const auto truth_of = [&](Op op) {
        if (kind(body.type) == TypeKind::Bool)
            return value(builder_.bind(op, body.type, {var, domain, body.expr}, at), at);
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
    const auto those = [&] { return builder_.bind(Op::SetOf, builder_.type(domain), {var, domain, body.expr}, at); };
    if (word == "count" || word == "odd") {
        const Operand total =
            last ? operators_.count(those(), at) : operators_.accumulate("sum", var, domain, body, at);
        return word == "odd" && i == 1 && total.ok() ? operators_.odd(total, at) : total;
    }
    if (word == "the") {
        if (!last || i != 1) {
            error(Message::OneBinder, at);
            return poison(at);
        }
        return conversions_.as_element(value(those(), at));
    }
    if (word == "union") return operators_.union_over(var, domain, body, at);
    return operators_.accumulate(word, var, domain, body, at);
}

} // namespace zug::lang
