// Sub-types.

#include "lang/core/subsets.hpp"

#include <algorithm>

namespace zug::lang {

TypeId Subsets::make(const std::string& name, TypeId wider, const std::vector<std::int64_t>& values) {
    for (const auto& [type, subset] : subsets_)
        if (subset.wider == wider && subset.values == values) return type;
    std::vector<std::string> names;
    for (const std::int64_t value : values) names.push_back(ir::value_text(program_, wider, value));
    const auto id = program_.enums.push(std::move(names));
    program_.enum_names.push_back(name);
    program_.types.set_enum_size(id, values.size());
    const TypeId type = program_.types.enumeration(id);
    subsets_.emplace(type, Subset{wider, values});
    return type;
}

TypeId Subsets::bare(TypeId type) const {
    return program_.types.kind(type) == TypeKind::Optional ? program_.types.inner(type) : type;
}

bool Subsets::contains(TypeId type) const { return subsets_.contains(bare(type)); }

TypeId Subsets::wider(TypeId type) const {
    const TypeKind kind = program_.types.kind(type);
    if (kind == TypeKind::Optional || kind == TypeKind::Set) {
        const TypeId inner = program_.types.inner(type);
        if (!subsets_.contains(inner)) return type;
        return kind == TypeKind::Set ? program_.types.set(at(inner).wider) : program_.types.optional(at(inner).wider);
    }
    return subsets_.contains(type) ? at(type).wider : type;
}

Operand Subsets::widened(ExprId expr, Span span) {
    const TypeId type = builder_.type(expr), wide = wider(type);
    if (type == wide) return {.expr = expr, .type = type, .span = span};
    const bool set = program_.types.kind(type) == TypeKind::Set;
    return {
        .expr = set ? widened_set(expr, span) : widened_value(expr, span), .type = wide, .span = span, .narrow = expr};
}

Operand Subsets::unwidened(const Operand& operand) const {
    if (!valid(operand.narrow)) return operand;
    const TypeId type = builder_.type(operand.narrow);
    const bool there = program_.types.kind(operand.type) != TypeKind::Optional; // known not to be none
    return {.expr = operand.narrow, .type = there ? bare(type) : type, .span = operand.span};
}

template <class F>
ExprId Subsets::with(ExprId expr, TypeId result, Span span, F f) {
    if (builder_.is_simple(expr)) return f(expr);
    const VarId var = builder_.new_var("value", builder_.type(expr));
    return builder_.bind(Op::Let, result, {var, expr, f(builder_.var(var, span))}, span);
}

ExprId Subsets::widened_value(ExprId expr, Span span) {
    const TypeId type = builder_.type(expr), subset = bare(type), wide = wider(type);
    const Subset of = at(subset);
    if (const auto constant = builder_.scalar(expr))
        return builder_.constant(
            wide, *constant == ir::none ? ir::none : of.values[static_cast<std::size_t>(*constant)], span);
    return with(expr, wide, span, [&](ExprId value) {
        ExprId result = builder_.constant(wide, of.values.back(), span);
        for (std::size_t i = of.values.size() - 1; i-- > 0;) {
            const ExprId same =
                builder_.equal(value, builder_.constant(subset, static_cast<std::int64_t>(i), span), span);
            result = builder_.choose(same, builder_.constant(wide, of.values[i], span), result, wide, span);
        }
        if (subset == type) return result;
        return builder_.choose(builder_.is_none(value, span), builder_.constant(wide, ir::none, span), result, wide,
                               span);
    });
}

ExprId Subsets::widened_set(ExprId set, Span span) {
    const TypeId element = program_.types.inner(builder_.type(set));
    const VarId var = builder_.new_var("member", element);
    const ExprId member = widened_value(builder_.var(var, span), span);
    const TypeId wide = program_.types.set(at(element).wider);
    return builder_.bind(Op::UnionOver, wide, {var, set, builder_.make(Op::Single, wide, {member}, span)}, span);
}

Subsets::Narrowed Subsets::narrowed_constant(std::int64_t value, TypeId subset, Span span) {
    if (value == ir::none) return {builder_.constant(program_.types.optional(subset), value, span), true};
    const auto& values = at(subset).values;
    const auto found = std::ranges::find(values, value);
    if (found == values.end()) return {};
    return {builder_.constant(subset, found - values.begin(), span), true};
}

// Of a choice between values, each is taken on its own: so constants need no comparison.
Subsets::Narrowed Subsets::narrowed(ExprId expr, TypeId subset, Span span) {
    if (const auto constant = builder_.scalar(expr)) return narrowed_constant(*constant, subset, span);
    const Op op = builder_[expr].op;
    if (op != Op::If && op != Op::Let) return compared(expr, subset, span);
    const std::vector<ExprId> args(program_.arguments(expr).begin(), program_.arguments(expr).end());
    const TypeId optional = program_.types.optional(subset);
    const auto part = [&](ExprId of) {
        const Narrowed made = narrowed(of, subset, span);
        return valid(made.expr) ? made : Narrowed{builder_.constant(optional, ir::none, span), false};
    };
    const Narrowed last = part(args.back());
    if (op == Op::Let) {
        const auto var = static_cast<VarId>(builder_[expr].imm);
        return {builder_.bind(Op::Let, builder_.type(last.expr), {var, args[0], last.expr}, span), last.always};
    }
    const Narrowed first = part(args[1]);
    const bool plain = builder_.type(first.expr) == subset && builder_.type(last.expr) == subset;
    return {builder_.choose(args[0], first.expr, last.expr, plain ? subset : optional, span),
            first.always && last.always};
}

Subsets::Narrowed Subsets::compared(ExprId expr, TypeId subset, Span span) {
    const Subset of = at(subset);
    const TypeId optional = program_.types.optional(subset);
    const ExprId result = with(expr, optional, span, [&](ExprId value) {
        ExprId chosen = builder_.constant(optional, ir::none, span);
        for (std::size_t i = of.values.size(); i-- > 0;) {
            const ExprId same = builder_.equal(value, builder_.constant(of.wider, of.values[i], span), span);
            const ExprId member = builder_.constant(optional, static_cast<std::int64_t>(i), span);
            chosen = builder_.choose(same, member, chosen, optional, span);
        }
        return chosen;
    });
    return {result, false};
}

ExprId Subsets::narrowed_set(ExprId set, TypeId subset, Span span) {
    const TypeId to = program_.types.set(subset), element = program_.types.inner(builder_.type(set));
    if (const auto members = builder_.set(set)) {
        bool among = true;
        for_each_bit(*members, [&](std::size_t i) {
            among &= std::ranges::find(at(subset).values, program_.types.value(element, i)) != at(subset).values.end();
        });
        if (!among) return none_id<ExprId>;
    }
    const VarId var = builder_.new_var("member", element);
    const ExprId member = compared(builder_.var(var, span), subset, span).expr;
    return builder_.bind(Op::UnionOver, to, {var, set, builder_.make(Op::Single, to, {member}, span)}, span);
}

} // namespace zug::lang
