// Patterns, after `is`, in an arm of `match`, or after a map and a dot. Known names compare; new lower-case names bind
// a part of the value where that is allowed.

#include "lang/check/patterns.hpp"

#include "lang/check/expressions.hpp"
#include "lang/check/name_values.hpp"
#include "lang/core/conversions.hpp"
#include "lang/resolve/symbols.hpp"

#include <algorithm>
#include <cctype>

namespace zug::lang {

using Shape = Pattern::Shape;

// `top`: the pattern is for a whole value, so `_` means any value except none.
Pattern Patterns::pattern(NodeId id, TypeId type, bool may_bind, bool top) {
    Pattern result{.shape = Shape::Wrong, .span = valid(id) ? span(id) : Span{}};
    if (!valid(id)) return result;
    const auto& n = node(id);
    if (n.kind == Kind::Binary && n.text == "|") return pattern_alternatives(id, type, may_bind);
    if (n.kind == Kind::Tuple) return pattern_tuple(id, type, may_bind);
    if (n.kind != Kind::Name) return pattern_value(id, type);
    if (n.text == "_") {
        result.shape = top && kind(type) == TypeKind::Optional ? Shape::Some : Shape::Any;
        return result;
    }
    if (n.text == "none") {
        if (kind(type) != TypeKind::Optional) {
            error(Message::PatternType, n.span, {"none", type_text(type)});
            return result;
        }
        result.shape = Shape::None;
        return result;
    }
    const bool lower = std::islower(static_cast<unsigned char>(n.text[0])) != 0;
    const bool known = name_values_.is_known_value(n.text);
    if (!lower && !known) {
        symbols_.unknown_value(n.text, n.span, type);
        return result;
    }
    if (known) return pattern_value(id, type);
    if (!may_bind) {
        if (symbols_.suggestion(n.text, symbols_.known_names()).empty() && !symbols_.find_rule(n.text)) {
            error(Message::NoBindingHere, n.span, {n.text},
                  "names are for what comes after: further conditions, and what an `if` then gives; `_` stands for any "
                  "value");
        } else {
            symbols_.unknown_name(n.text, n.span);
        }
        return result;
    }
    result.shape = Shape::Bind;
    result.name = n.text;
    return result;
}

Pattern Patterns::pattern_value(NodeId id, TypeId type) {
    Pattern result{.shape = Shape::Wrong, .span = span(id)};
    const Operand found = expressions_.expr(id);
    if (!found.ok()) return result;
    const bool set_wanted = kind(type) == TypeKind::Set;
    if (kind(found.type) == TypeKind::Set && !set_wanted) {
        const TypeKind k = kind(bare(type));
        const bool numbers = k == TypeKind::Int && kind(types().inner(found.type)) == k;
        const bool countable = k != TypeKind::Real && types().cardinality(bare(type)) <= max_set;
        if (numbers) result.expr = found.expr;
        if (!numbers && countable) result.expr = conversions_.try_convert(found, types().set(bare(type)));
        if (valid(result.expr)) result.shape = Shape::OneOf;
    } else if (subsets_.contains(type) && valid(found.expr) && !builder_.is_constant(found.expr)) {
        result.expr = conversions_.try_convert(found, types().set(bare(type))); // it may be none, which matches nothing
        if (valid(result.expr)) result.shape = Shape::OneOf;
    } else {
        result.expr = conversions_.try_convert(
            found, set_wanted || kind(type) == TypeKind::Real ? type : types().optional(bare(type)));
        if (valid(result.expr)) result.shape = Shape::Value;
    }
    if (result.shape == Shape::Wrong && !conversions_.report_other(found, type))
        error(Message::PatternType, result.span, {found_text(found), type_text(type)});
    return result;
}

Pattern Patterns::pattern_alternatives(NodeId id, TypeId type, bool may_bind) {
    Pattern result{.shape = Shape::Either, .span = span(id)};
    for (NodeId side : children(id)) {
        Pattern part = pattern(side, type, false, true);
        if (part.shape == Shape::Wrong) {
            result.shape = Shape::Wrong;
        } else if (part.shape == Shape::Either) {
            for (auto& inner : part.parts) result.parts.push_back(std::move(inner));
        } else {
            result.parts.push_back(std::move(part));
        }
    }
    static_cast<void>(may_bind); // alternatives can't bind: only one of them matches
    return result;
}

Pattern Patterns::pattern_tuple(NodeId id, TypeId type, bool may_bind) {
    Pattern result{.shape = Shape::Tuple, .span = span(id)};
    const TypeId tuple = bare(type);
    const auto items = children(id);
    if (kind(tuple) != TypeKind::Tuple || types()[tuple].parts.size() != items.size()) {
        error(Message::PatternType, result.span, {"a tuple of " + std::to_string(items.size()), type_text(type)});
        result.shape = Shape::Wrong;
        return result;
    }
    const std::vector<TypeId> parts = types()[tuple].parts;
    for (std::size_t i = 0; i < items.size(); ++i) {
        result.parts.push_back(pattern(items[i], parts[i], may_bind, false));
        if (result.parts.back().shape == Shape::Wrong) result.shape = Shape::Wrong;
    }
    return result;
}

// The condition under which `value` matches; the names that the pattern then binds are added to `bindings`.
ExprId Patterns::test(const Pattern& p, ExprId value, TypeId type, std::vector<Binding>* bindings) {
    switch (p.shape) {
    case Shape::Any:
    case Shape::Wrong: return builder_.truth(true, p.span);
    case Shape::Some: return builder_.negation(builder_.is_none(value, p.span), p.span);
    case Shape::None: return builder_.is_none(value, p.span);
    case Shape::Bind:
        if (bindings != nullptr) {
            Operand bound = this->value(value, p.span);
            bound.type = bare(bound.type);
            // `none` does not match, but what is computed from the name must be of its type all the same.
            if (builder_.scalar(value) == ir::none && is_scalar(bound.type))
                bound.expr = builder_.constant(bound.type, types().value(bound.type, 0), p.span);
            bindings->push_back({p.name, p.span, bound});
        }
        if (kind(type) == TypeKind::Optional) return builder_.negation(builder_.is_none(value, p.span), p.span);
        return builder_.truth(true, p.span);
    case Shape::Value: return builder_.equal(value, p.expr, p.span);
    case Shape::OneOf: return builder_.make(Op::In, types().boolean(), {value, p.expr}, p.span);
    case Shape::Either: return test_either(p, value, type);
    case Shape::Tuple: break;
    }
    std::vector<ExprId> conditions;
    if (kind(type) == TypeKind::Optional)
        conditions.push_back(builder_.negation(builder_.is_none(value, p.span), p.span));
    const TypeId tuple = bare(type);
    for (std::size_t i = 0; i < p.parts.size(); ++i) {
        const ExprId part = conversions_.project(value, tuple, i, p.parts[i].span);
        conditions.push_back(test(p.parts[i], part, builder_.type(part), bindings));
    }
    return builder_.conjunction(conditions, p.span);
}

// Alternatives that are all constants become a test for membership in one set.
ExprId Patterns::test_either(const Pattern& p, ExprId value, TypeId type) {
    const TypeId element = bare(type);
    const bool constants = is_scalar(element) && types().cardinality(element) <= max_set &&
                           std::ranges::all_of(p.parts, [&](const Pattern& part) {
                               const auto constant =
                                   part.shape == Shape::Value ? builder_.scalar(part.expr) : std::nullopt;
                               return constant && *constant != ir::none && types().ordinal(element, *constant);
                           });
    if (!constants) {
        std::vector<ExprId> parts;
        for (const auto& part : p.parts) parts.push_back(test(part, value, type, nullptr));
        return builder_.disjunction(parts, p.span);
    }
    Bits bits(types().cardinality(element));
    for (const auto& part : p.parts) bits.set(*types().ordinal(element, *builder_.scalar(part.expr)));
    const ExprId set = builder_.set_constant(types().set(element), std::move(bits), p.span);
    return builder_.make(Op::In, types().boolean(), {value, set}, p.span);
}

// Whether the pattern is known to match this value of the type.
bool Patterns::covers(const Pattern& p, TypeId type, std::int64_t value) const {
    switch (p.shape) {
    case Shape::Any:
    case Shape::Wrong: return true;
    case Shape::Some:
    case Shape::Bind: return value != ir::none;
    case Shape::None: return value == ir::none;
    case Shape::Value: return builder_.scalar(p.expr) == value;
    case Shape::OneOf: {
        const auto set = builder_.set(p.expr);
        const TypeId member =
            program_.types.inner(program_.exprs[p.expr].type); // it may number values differently than `type`
        const auto ordinal = program_.types.ordinal(member, value);
        return set && value != ir::none && ordinal && set->test(*ordinal);
    }
    case Shape::Either:
        return std::ranges::any_of(p.parts, [&](const Pattern& part) { return covers(part, type, value); });
    case Shape::Tuple: break;
    }
    if (value == ir::none) return false;
    const TypeId tuple = bare(type);
    for (std::size_t i = 0; i < p.parts.size(); ++i)
        if (!covers(p.parts[i], program_.types[tuple].parts[i], program_.types.project(tuple, value, i))) return false;
    return true;
}

ExprId Patterns::naming_test(NodeId id, std::vector<LetBinding>& bound) {
    std::vector<Binding> bindings;
    const ExprId result = matching(id, bound, bindings);
    for (const auto& binding : bindings) push_binding(binding, true);
    return result;
}

ExprId Patterns::matching(NodeId id, std::vector<LetBinding>& bound, std::vector<Binding>& bindings) {
    const Operand found = conversions_.as_scalar_value(expressions_.expr(child(id, 0)));
    if (!found.ok()) {
        bind_poison(child(id, 1));
        return none_id<ExprId>;
    }
    const Pattern wanted = pattern(child(id, 1), found.type, true, true);
    ExprId matched = found.expr;
    if (!builder_.is_simple(matched)) {
        const VarId var = builder_.new_var("value", found.type);
        bound.push_back({var, matched});
        matched = builder_.var(var, found.span);
    }
    const ExprId result = test(wanted, matched, found.type, &bindings);
    return wanted.shape == Shape::Wrong ? none_id<ExprId> : result;
}

void Patterns::bind_poison(NodeId pattern) {
    if (!valid(pattern)) return;
    if (node(pattern).kind == Kind::Name && !name_values_.is_known_value(node(pattern).text))
        push_local({.name = node(pattern).text, .span = span(pattern), .value = poison(span(pattern)), .warn = false});
    for (NodeId part : children(pattern)) bind_poison(part);
}

// `is` where no name can be given: a Bool.
Operand Patterns::is_value(NodeId id) {
    const Span at = span(id);
    Operand found = conversions_.as_scalar_value(expressions_.expr(child(id, 0)));
    if (!found.ok()) return poison(at);
    const Pattern wanted = pattern(child(id, 1), found.type, false, true);
    if (wanted.shape == Shape::Wrong) return poison(at);
    if (builder_.is_simple(found.expr)) return value(test(wanted, found.expr, found.type, nullptr), at);
    const VarId var = builder_.new_var("value", found.type);
    const ExprId matches = test(wanted, builder_.var(var, at), found.type, nullptr);
    return value(builder_.bind(Op::Let, types().boolean(), {var, found.expr, matches}, at), at);
}

} // namespace zug::lang
