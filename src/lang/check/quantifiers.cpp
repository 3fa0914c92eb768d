// some, all, no, count, sum, min, max, union, the, odd: of a set, or over bound names.

#include "lang/check/quantifiers.hpp"

#include "lang/check/expressions.hpp"
#include "lang/check/operators.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/types.hpp"

#include <algorithm>
#include <set>

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

VarId Quantifiers::push_binder(NodeId binder, ExprId domain, bool warn) {
    const VarId var = builder_.new_var(node(binder).text, types().inner(builder_.type(domain)));
    const Span at = name_span(binder);
    push_local({.name = node(binder).text, .span = at, .value = value(builder_.var(var, at), at), .warn = warn});
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
    // `{x = a | c}` is a if c holds; the name only makes it a set of that form.
    const VarId var = push_binder(binder, domain, !is_name(child(binder, 1), "="));
    const ExprId kept = expressions_.condition(child(id, 1));
    if (!valid(kept)) return poison(span(id));
    return value(builder_.bind(Op::SetOf, builder_.type(domain), {var, domain, kept}, span(id)), span(id));
}

namespace {

using NameSet = std::set<std::string_view>;

bool mentions(const syntax::Tree& tree, NodeId id, const NameSet& names) {
    if (!valid(id)) return false;
    if (tree[id].kind == Kind::Name && names.contains(tree[id].text)) return true;
    return std::ranges::any_of(tree.children(id), [&](NodeId part) { return mentions(tree, part, names); });
}

// `and` or `or` where the node joins conditions by it; a comma is `and`.
std::string_view joined_by(const syntax::Node& n) {
    if (n.kind == Kind::Conditions) return "and";
    return n.kind == Kind::Binary && (n.text == "and" || n.text == "or") ? n.text : std::string_view();
}

// The conditions that are joined, in order.
void add_joined(const syntax::Tree& tree, NodeId id, std::vector<NodeId>& parts) {
    if (!valid(id)) return;
    if (joined_by(tree[id]).empty()) return parts.push_back(id);
    for (NodeId side : tree.children(id)) add_joined(tree, side, parts);
}

// All names in the patterns of a condition: some of them may be new.
void add_pattern_names(const syntax::Tree& tree, NodeId id, bool in_pattern, NameSet& names) {
    if (!valid(id)) return;
    if (in_pattern && tree[id].kind == Kind::Name) names.insert(tree[id].text);
    const auto parts = tree.children(id);
    for (std::size_t i = 0; i < parts.size(); ++i)
        add_pattern_names(tree, parts[i], in_pattern || (tree[id].kind == Kind::Is && i == 1), names);
}

} // namespace

// `no s: suit: pile[s] = none and passes = 2`: the second condition was hardly meant to be asked of each s. Where it
// makes no difference, as for `some` and `and`, nothing is said.
void Quantifiers::warn_of_body(NodeId id) {
    const NodeId body = child(id, 0);
    const std::string_view word = node(id).text, joined = valid(body) ? joined_by(node(body)) : "";
    const bool differs = word == "no" || (word == "all" && joined == "and") || (word == "some" && joined == "or");
    if (joined.empty() || !differs) return;
    std::vector<NodeId> parts;
    add_joined(*context_.tree, body, parts);
    const std::string& text = context_.sources.text(span(body).file);
    const auto before = text.find_last_not_of(" \t\r\n", span(body).begin - 1);
    const bool in_brackets = before != std::string::npos && text[before] == '(';
    if (parts.size() < 2 || in_brackets) return;
    NameSet names;
    std::string binders;
    for (NodeId binder : children(id).subspan(1)) {
        names.insert(node(binder).text);
        binders += (binders.empty() ? "`" : ", `") + node(binder).text + "`";
    }
    for (NodeId part : parts) add_pattern_names(*context_.tree, part, false, names);
    if (mentions(*context_.tree, parts.front(), names) && !mentions(*context_.tree, parts.back(), names))
        warn(Message::BodyTakesIn, span(parts.back()), {node(id).text, binders},
             "put it before the quantifier, or brackets round what the body is");
}

Operand Quantifiers::quantifier(NodeId id) {
    warn_of_body(id);
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
