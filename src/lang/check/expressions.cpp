// Expressions: dispatch from a node to the function that reads it; logic, `if`, `let`, indices.

#include "lang/check/expressions.hpp"

#include "lang/check/calls.hpp"
#include "lang/check/name_values.hpp"
#include "lang/check/operators.hpp"
#include "lang/check/patterns.hpp"
#include "lang/check/quantifiers.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/states.hpp"
#include "lang/resolve/symbols.hpp"

namespace zug::lang {

namespace {

// Definitions can nest deeper than any file; this many levels fit the stack, even with sanitizers.
constexpr unsigned max_depth = 500;

} // namespace

Operand Expressions::expr(NodeId id) {
    if (!valid(id)) return poison({});
    step(span(id));
    if (depth_ >= max_depth) context_.give_up(Message::TooComplex, span(id));
    ++depth_;
    Operand result = expr_at(id);
    --depth_;
    result.span = span(id);
    note_type(id, result);
    return result;
}

Operand Expressions::expr_at(NodeId id) {
    const auto& n = node(id);
    switch (n.kind) {
    case Kind::Number: return number_literal(id);
    case Kind::Name: return name_values_.name_value(id);
    case Kind::Call: return calls_.call_value(id);
    case Kind::Index: return index_value(id);
    case Kind::Unary: return unary(id);
    case Kind::Binary: return binary(id);
    case Kind::Is: return patterns_.is_value(id);
    case Kind::Conditions: return conditions(id, children(id));
    case Kind::Power: return power(id);
    case Kind::Quantified: return quantifiers_.quantified(id);
    case Kind::Quantifier: return quantifiers_.quantifier(id);
    case Kind::Comprehension: return quantifiers_.comprehension(id);
    case Kind::SetLiteral: return set_literal(id);
    case Kind::Tuple: return tuple(id);
    case Kind::If: return if_value(id);
    case Kind::LetIn: return let_value(id);
    case Kind::Match: return patterns_.match_value(id);
    case Kind::Can: return can_value(id);
    case Kind::Earlier: return earlier_value(id);
    default: return poison(n.span);
    }
}

ExprId Expressions::condition(NodeId id) {
    if (!valid(id)) return none_id<ExprId>;
    const Operand found = expr(id);
    if (!found.ok()) return none_id<ExprId>;
    if (kind(found.type) == TypeKind::Bool) return found.expr;
    const bool can_be_asked = kind(found.type) == TypeKind::Set || kind(found.type) == TypeKind::Optional;
    mismatch(found.span, found, "a condition", can_be_asked ? "ask `some ...` or `no ...`" : "");
    return none_id<ExprId>;
}

bool Expressions::is_known_value(std::string_view name) { return name_values_.is_known_value(name); }

Operand Expressions::unary(NodeId id) {
    const std::string& op = node(id).text;
    const Span at = span(id);
    if (op == "not") {
        const ExprId inner = condition(child(id, 0));
        return valid(inner) ? value(builder_.negation(inner, at), at) : poison(at);
    }
    const Operand inner = expr(child(id, 0));
    if (!inner.ok()) return poison(at);
    return op == "-" ? operators_.negative(inner, at) : operators_.converse(inner, at);
}

Operand Expressions::binary(NodeId id) {
    const std::string& op = node(id).text;
    const Span at = span(id);
    if (op == ".") return join(id);
    if (op == "and") return conditions(id, children(id));
    if (op == "implies") return implication(id);
    if (op == "or") return logic(id);
    if (op == "in") return membership(id);
    if (op == "..") return int_range(id);
    const Operand a = expr(child(id, 0));
    const Operand b = op == "=" || op == "!=" ? compared(child(id, 1), a) : expr(child(id, 1));
    if (!a.ok() || !b.ok()) return poison(at);
    if (op == "|" || op == "&" || op == "\\") return operators_.set_operator(op, a, b, at);
    if (op == "+" || op == "-" || op == "*" || op == "/" || op == "div" || op == "mod")
        return operators_.arithmetic(op, a, b, at);
    return operators_.comparison(op, a, b, at);
}

// The right side of an equality. A name there that is not known stands for a value like the one on the left.
Operand Expressions::compared(NodeId id, const Operand& left) {
    const bool name = valid(id) && node(id).kind == Kind::Name && node(id).text != "_";
    if (!name || !left.ok() || is_known_value(node(id).text)) return expr(id);
    symbols_.unknown_value(node(id).text, span(id), left.type);
    return poison(span(id));
}

Operand Expressions::logic(NodeId id) {
    const Span at = span(id);
    const ExprId a = condition(child(id, 0));
    const ExprId b = condition(child(id, 1));
    return valid(a) && valid(b) ? value(builder_.disjunction({a, b}, at), at) : poison(at);
}

Operand Expressions::implication(NodeId id) {
    const Span at = span(id);
    const Names scope(context_);
    std::vector<LetBinding> bound;
    const ExprId a = naming_condition(child(id, 0), bound);
    const ExprId b = condition(child(id, 1));
    if (!valid(a) || !valid(b)) return poison(at);
    return operators_.wrap_lets(bound, value(builder_.disjunction({builder_.negation(a, at), b}, at), at));
}

// Each is asked only where those before it hold, and so sees the names that their patterns give.
Operand Expressions::conditions(NodeId id, std::span<const NodeId> parts) {
    const Names scope(context_);
    std::vector<LetBinding> bound;
    std::vector<ExprId> truths;
    bool fine = !parts.empty();
    for (const NodeId part : parts) {
        truths.push_back(part == parts.back() ? condition(part) : naming_condition(part, bound));
        fine &= valid(truths.back());
    }
    if (!fine) return poison(span(id));
    return operators_.wrap_lets(bound, value(builder_.conjunction(truths, span(id)), span(id)));
}

ExprId Expressions::naming_condition(NodeId id, std::vector<LetBinding>& bound) {
    if (!valid(id)) return none_id<ExprId>;
    const auto& n = node(id);
    if (n.kind == Kind::Is) return patterns_.naming_test(id, bound);
    if (n.kind != Kind::Conditions && (n.kind != Kind::Binary || n.text != "and")) return condition(id);
    std::vector<ExprId> truths;
    for (const NodeId part : children(id)) truths.push_back(naming_condition(part, bound));
    const bool fine = !truths.empty() && std::ranges::all_of(truths, [](ExprId truth) { return valid(truth); });
    return fine ? builder_.conjunction(truths, n.span) : none_id<ExprId>;
}

Operand Expressions::index_value(NodeId id) {
    const Span at = span(id);
    const NodeId base = child(id, 0);
    const ir::StateId map = states_.map_named(base);
    if (!valid(map)) {
        const Operand found = valid(base) && node(base).kind == Kind::Name ? expr(base) : poison(at);
        if (found.ok()) error(Message::NotAMap, span(base), {node(base).text});
        if (!valid(base) || node(base).kind != Kind::Name) error(Message::NotAMap, at, {"this"});
        for (NodeId index : children(id).subspan(1)) expr(index);
        return poison(at);
    }
    const std::vector<ExprId> indices = map_indices(map, id);
    if (indices.empty()) return poison(at);
    const TypeId type = program_.states[map].value;
    return value(builder_.make(Op::MapGet, type, indices, static_cast<std::int64_t>(index(map)), at), at);
}

std::vector<ExprId> Expressions::map_indices(ir::StateId map, NodeId id) {
    const auto given = children(id).subspan(1);
    const std::vector<TypeId> wanted = program_.states[map].indices;
    std::vector<ExprId> result;
    bool fine = given.size() == wanted.size();
    if (!fine)
        error(Message::IndexCount, span(id),
              {program_.states[map].name, std::to_string(wanted.size()), std::to_string(given.size())});
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Operand found = expr(given[i]);
        if (i >= wanted.size()) continue;
        const ExprId index = conversions_.convert(found, wanted[i]);
        fine &= valid(index);
        if (!valid(index)) continue;
        const auto constant = builder_.scalar(index);
        if (constant && *constant != ir::none && !types().ordinal(wanted[i], *constant)) {
            error(Message::IndexOutside, span(given[i]), {found_text(found), type_text(wanted[i])});
            fine = false;
        }
        result.push_back(index);
    }
    return fine ? result : std::vector<ExprId>{};
}

Operand Expressions::if_value(NodeId id) {
    std::vector<LetBinding> bound;
    ExprId test = none_id<ExprId>;
    Operand yes;
    {
        const Names scope(context_);
        test = naming_condition(child(id, 0), bound);
        yes = expr(child(id, 1));
    }
    const Operand no = expr(child(id, 2));
    if (!valid(test) || !yes.ok() || !no.ok()) return poison(span(id));
    return operators_.wrap_lets(bound, operators_.choose(test, yes, no, span(id)));
}

std::vector<LetBinding> Expressions::bind_names(NodeId let) {
    std::vector<LetBinding> bound;
    for (NodeId binding : children(let)) {
        if (!valid(binding)) continue;
        Operand found = expr(child(binding, 0));
        const bool substitutes = !found.ok() || kind(found.type) == TypeKind::Path || !valid(found.expr) ||
                                 builder_.is_leaf(found.expr) || kind(found.type) == TypeKind::None;
        if (!substitutes) {
            const Operand named = subsets_.unwidened(found);
            const VarId var = builder_.new_var(node(binding).text, named.type);
            bound.push_back({var, named.expr});
            found = value(builder_.var(var, found.span), found.span);
        }
        push_local({.name = node(binding).text, .span = name_span(binding), .value = found});
    }
    return bound;
}

Operand Expressions::let_value(NodeId id) {
    const Names scope(context_);
    const std::vector<LetBinding> bound = bind_names(child(id, 0));
    return operators_.wrap_lets(bound, expr(child(id, 1)));
}

} // namespace zug::lang
