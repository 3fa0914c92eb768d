// Conversions of operands to the type that their context expects.

#include "lang/core/conversions.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::lang {

// The least type that has all values of both; of two sets, the set over such a type of their elements.
std::optional<TypeId> Conversions::unify(TypeId a, TypeId b) {
    if (a == b) return a;
    const TypeKind ka = kind(a), kb = kind(b);
    if (ka == TypeKind::Set || kb == TypeKind::Set) {
        const TypeId ea = ka == TypeKind::Set ? types().inner(a) : bare(a);
        const TypeId eb = kb == TypeKind::Set ? types().inner(b) : bare(b);
        if (is_path_like(a) && is_path_like(b) && (ka == TypeKind::Path || kb == TypeKind::Path))
            return ka == TypeKind::Path ? a : b;
        const auto element = unify_elements(ea, eb);
        if (!element || types().cardinality(*element) > max_set) return {};
        return types().set(*element);
    }
    if (ka == TypeKind::Path || kb == TypeKind::Path) {
        if (!is_path_like(a) || !is_path_like(b) || board_of(a) != board_of(b)) return {};
        return types().path(board_of(a));
    }
    if (ka == TypeKind::None) return types().optional(b);
    if (kb == TypeKind::None) return types().optional(a);
    if (ka == TypeKind::Optional || kb == TypeKind::Optional) {
        const auto inner = unify(bare(a), bare(b));
        if (!inner || !is_scalar(*inner)) return {};
        return types().optional(*inner);
    }
    if (ka == TypeKind::Real && kb == TypeKind::Int) return a;
    if (kb == TypeKind::Real && ka == TypeKind::Int) return b;
    return unify_elements(a, b);
}

std::optional<TypeId> Conversions::unify_elements(TypeId a, TypeId b) {
    if (a == b) return a;
    const TypeKind ka = kind(a), kb = kind(b);
    if (ka == TypeKind::None) return b;
    if (kb == TypeKind::None) return a;
    if (subsets_.contains(a) || subsets_.contains(b)) return unify_elements(subsets_.wider(a), subsets_.wider(b));
    if (ka != kb) return {};
    if (ka == TypeKind::Int) {
        const ir::Type ta = types()[a], tb = types()[b];
        return types().integer(std::min(ta.lo, tb.lo), std::max(ta.hi, tb.hi));
    }
    if (ka != TypeKind::Tuple) return {};
    const std::vector<TypeId> pa = types()[a].parts, pb = types()[b].parts;
    if (pa.size() != pb.size()) return {};
    std::vector<TypeId> parts;
    for (std::size_t i = 0; i < pa.size(); ++i) {
        const auto part = unify(pa[i], pb[i]);
        if (!part) return {};
        parts.push_back(*part);
    }
    return types().tuple(std::move(parts));
}

TypeId Conversions::element_of(const Operand& operand) const {
    if (kind(operand.type) == TypeKind::Set) return program_.types.inner(operand.type);
    return bare(operand.type);
}

ExprId Conversions::as_set(const Operand& operand) {
    if (!operand.ok()) return none_id<ExprId>;
    if (kind(operand.type) == TypeKind::Set) return operand.expr;
    if (valid(operand.as_set)) return operand.as_set;
    const TypeId element = bare(operand.type);
    if (kind(element) == TypeKind::None)
        return builder_.set_constant(types().set(element), Bits(types().cardinality(element)), operand.span);
    if (!is_scalar(element) || !valid(operand.expr)) return none_id<ExprId>;
    if (types().cardinality(element) > max_set) return none_id<ExprId>;
    return builder_.make(Op::Single, types().set(element), {operand.expr}, operand.span);
}

Operand Conversions::as_element(const Operand& operand) {
    if (!operand.ok() || kind(operand.type) != TypeKind::Set) return operand;
    if (valid(operand.narrow)) {
        const TypeId member = types().optional(types().inner(builder_.type(operand.narrow)));
        return value(builder_.make(Op::The, member, {operand.narrow}, operand.span), operand.span);
    }
    const TypeId element = types().inner(operand.type);
    const TypeId type = types().optional(element);
    Operand result{.expr = builder_.make(Op::The, type, {operand.expr}, operand.span),
                   .type = type,
                   .span = operand.span,
                   .as_set = operand.expr};
    return result;
}

Operand Conversions::as_integer(const Operand& given) {
    if (!given.ok()) return given;
    const Operand operand = as_element(given);
    if (kind(bare(operand.type)) != TypeKind::Int) {
        const bool site = kind(bare(operand.type)) == TypeKind::Site;
        mismatch(given.span, given, "a whole number", site ? "`number(...)` is the number of a site" : "");
        return poison(given.span);
    }
    if (kind(operand.type) == TypeKind::Int) return operand;
    const ir::Type t = types()[bare(operand.type)];
    const TypeId type = types().integer(std::min<std::int64_t>(t.lo, 0), std::max<std::int64_t>(t.hi, 0));
    const ExprId zero = builder_.integer(0, given.span);
    const auto unless_none = [&](ExprId x) {
        return builder_.choose(builder_.is_none(x, given.span), zero, x, type, given.span);
    };
    if (builder_.is_simple(operand.expr)) return {.expr = unless_none(operand.expr), .type = type, .span = given.span};
    const VarId var = builder_.new_var("value", operand.type);
    const ExprId body = unless_none(builder_.var(var, given.span));
    return {
        .expr = builder_.bind(Op::Let, type, {var, operand.expr, body}, given.span), .type = type, .span = given.span};
}

ExprId Conversions::as_real(const Operand& operand) {
    if (!operand.ok()) return none_id<ExprId>;
    if (kind(operand.type) == TypeKind::Real) return operand.expr;
    const Operand whole = as_integer(operand);
    if (!whole.ok()) return none_id<ExprId>;
    return builder_.make(Op::ToReal, types().real(), {whole.expr}, operand.span);
}

ExprId Conversions::convert(const Operand& operand, TypeId to, std::string fix) {
    if (!operand.ok() || !valid(to)) return none_id<ExprId>;
    const ExprId result = try_convert(operand, to);
    const bool opposite = valid(operand.expr) && builder_[operand.expr].op == Op::Converse;
    if (fix.empty() && opposite && is_path_like(to))
        fix = "`~d` is a path; which direction it is, a definition says: `match d N: S ...`";
    if (!valid(result) && !report_other(operand, to)) mismatch(operand.span, operand, type_text(to), std::move(fix));
    return result;
}

bool Conversions::report_other(const Operand& operand, TypeId to) {
    const TypeId wanted = kind(to) == TypeKind::Set ? types().inner(to) : bare(to);
    if (!subsets_.contains(wanted)) return false;
    const TypeId found = element_of(operand), wide = subsets_.wider(wanted);
    if (found != wide && (kind(found) != TypeKind::Int || kind(wide) != TypeKind::Int)) return false;
    const std::uint32_t number = types()[wanted].ref;
    error(Message::NotAmong, operand.span, {found_text(operand), program_.enum_names[number]},
          fmt::format("its values are {}", fmt::join(program_.enums[static_cast<ir::EnumId>(number)], ", ")));
    return true;
}

// An optional value is accepted where its inner type is expected: the operation that reads it defines its result for
// none.
ExprId Conversions::try_convert(const Operand& operand, TypeId to) {
    if (!operand.ok()) return none_id<ExprId>;
    const TypeKind wanted = kind(to), found = kind(operand.type);
    if (operand.type == to && valid(operand.expr)) return operand.expr;
    if (subsets_.contains(operand.type)) return try_convert(value(operand.expr, operand.span), to);
    if (wanted == TypeKind::Set) return convert_to_set(operand, to);
    if (wanted == TypeKind::Path) {
        if (!is_path_like(operand.type) || board_of(operand.type) != board_of(to)) return none_id<ExprId>;
        return as_path(operand).expr;
    }
    if (wanted == TypeKind::Real) {
        if (kind(bare(operand.type)) != TypeKind::Int) return none_id<ExprId>;
        return as_real(operand);
    }
    if (found == TypeKind::Path || found == TypeKind::Real) return none_id<ExprId>;
    if (found == TypeKind::Set) {
        const Operand element = as_element(operand);
        return try_convert(element, to);
    }
    if (found == TypeKind::None)
        return wanted == TypeKind::Optional ? builder_.constant(to, ir::none, operand.span) : none_id<ExprId>;
    const TypeId target = bare(to), source = bare(operand.type);
    if (subsets_.contains(target)) return narrowed(operand, to).expr;
    if (kind(target) == TypeKind::Int && kind(source) == TypeKind::Int) return builder_.retyped(operand.expr, to);
    if (kind(target) == TypeKind::Tuple && kind(source) == TypeKind::Tuple && target != source)
        return convert_tuple(operand, to);
    if (target != source) return none_id<ExprId>;
    return valid(operand.expr) ? builder_.retyped(operand.expr, to) : convert_tuple(operand, to);
}

// A value that may not be one of the sub-type becomes none where it isn't.
Subsets::Narrowed Conversions::narrowed(const Operand& operand, TypeId to) {
    const TypeId target = bare(to), source = bare(operand.type), wide = subsets_.wider(target);
    if (valid(operand.narrow) && bare(builder_.type(operand.narrow)) == target)
        return {builder_.retyped(operand.narrow, to), true};
    const bool numbers = kind(wide) == TypeKind::Int && kind(source) == TypeKind::Int;
    if ((source != wide && !numbers) || !valid(operand.expr)) return {};
    return subsets_.narrowed(operand.expr, target, operand.span);
}

ExprId Conversions::convert_tuple(const Operand& operand, TypeId to) {
    const TypeId target = bare(to);
    const std::vector<TypeId> wanted = types()[target].parts;
    const std::size_t size = types()[bare(operand.type)].parts.size();
    if (wanted.size() != size) return none_id<ExprId>;
    if (valid(operand.expr) && builder_.scalar(operand.expr) == ir::none)
        return builder_.constant(types().optional(to), ir::none, operand.span);
    std::vector<ExprId> parts;
    bool fits = true;
    for (std::size_t i = 0; i < size; ++i) {
        const Operand part =
            operand.parts.empty() ? part_of(operand.expr, bare(operand.type), i, operand.span) : operand.parts[i];
        const ExprId converted = try_convert(part, wanted[i]);
        if (!valid(converted)) return none_id<ExprId>;
        fits &= always_fits(builder_.type(converted), wanted[i]);
        parts.push_back(converted);
    }
    const TypeId type = fits ? to : types().optional(to);
    const ExprId whole = builder_.make(Op::MakeTuple, type, parts, 0, operand.span);
    if (!operand.parts.empty() || kind(operand.type) != TypeKind::Optional) return whole;
    const TypeId optional = types().optional(to);
    const ExprId nothing = builder_.constant(optional, ir::none, operand.span);
    return builder_.choose(builder_.is_none(operand.expr, operand.span), nothing, whole, optional, operand.span);
}

// Whether every value of the type `found`, which has been converted to `wanted`, is a value of `wanted`.
bool Conversions::always_fits(TypeId found, TypeId wanted) const {
    if (kind(found) == TypeKind::Optional && kind(wanted) != TypeKind::Optional) return false;
    const ir::Type &f = program_.types[bare(found)], &w = program_.types[bare(wanted)];
    return w.kind != TypeKind::Int || (f.kind == TypeKind::Int && f.lo >= w.lo && f.hi <= w.hi);
}

ExprId Conversions::convert_to_set(const Operand& operand, TypeId to) {
    const TypeId wanted = types().inner(to);
    if (valid(operand.narrow) && builder_.type(operand.narrow) == to) return operand.narrow;
    if (kind(operand.type) == TypeKind::Path || kind(operand.type) == TypeKind::Real) return none_id<ExprId>;
    const TypeId found = element_of(operand);
    if (kind(found) == TypeKind::None)
        return builder_.set_constant(to, Bits(types().cardinality(wanted)), operand.span);
    const bool is_product = valid(operand.as_set) && kind(found) == TypeKind::Tuple;
    if (kind(operand.type) != TypeKind::Set && found != wanted && !is_product) { // an element: convert it first
        const ExprId element = try_convert(operand, types().optional(wanted));
        return valid(element) ? builder_.make(Op::Single, to, {element}, operand.span) : element;
    }
    const ExprId set = as_set(operand);
    if (!valid(set) || found == wanted) return set;
    if (subsets_.contains(wanted)) {
        const bool numbers = kind(found) == TypeKind::Int && kind(subsets_.wider(wanted)) == TypeKind::Int;
        const bool alike = found == subsets_.wider(wanted) || numbers;
        return alike ? subsets_.narrowed_set(set, wanted, operand.span) : none_id<ExprId>;
    }
    if (kind(found) != kind(wanted) || (kind(found) != TypeKind::Int && kind(found) != TypeKind::Tuple))
        return none_id<ExprId>;
    if (kind(found) == TypeKind::Int) return builder_.make(Op::Retype, to, {set}, operand.span);
    // A set of tuples whose parts have other ranges: each member is converted separately.
    const VarId var = builder_.new_var("member", found);
    const Operand member{.expr = builder_.var(var, operand.span), .type = found, .span = operand.span};
    const ExprId fitted = convert_tuple(member, types().optional(wanted));
    if (!valid(fitted)) return none_id<ExprId>;
    const ExprId single = builder_.make(Op::Single, to, {fitted}, operand.span);
    return builder_.bind(Op::UnionOver, to, {var, set, single}, operand.span);
}

// The value that replaces an absent one: the empty set, 0, false or none.
ExprId Conversions::missing(TypeId type, Span at) {
    switch (kind(type)) {
    case TypeKind::Set: return builder_.set_constant(type, Bits(types().cardinality(types().inner(type))), at);
    case TypeKind::Real: return builder_.real(0, at);
    case TypeKind::Bool: return builder_.truth(false, at);
    case TypeKind::Int: return builder_.integer(0, at);
    default: return builder_.constant(types().optional(type), ir::none, at);
    }
}

bool Conversions::is_site_like(const Operand& operand) const {
    const TypeKind k = kind(element_of(operand));
    return k == TypeKind::Site || k == TypeKind::None;
}

Operand Conversions::path_expr(Op op, std::initializer_list<ExprId> args, ir::BoardId board, Span at) {
    const TypeId type = types().path(board);
    return {.expr = builder_.make(op, type, args, at), .type = type, .span = at};
}

Operand Conversions::as_path(const Operand& operand) {
    if (!operand.ok() || kind(operand.type) == TypeKind::Path) return operand;
    const ir::BoardId board = board_of(operand.type);
    if (kind(operand.type) == TypeKind::Set) return path_expr(Op::StepsOf, {operand.expr}, board, operand.span);
    Operand path = path_expr(Op::Step, {operand.expr}, board, operand.span);
    path.functional = true;
    const ir::Board& b = program_.boards[board];
    const auto constant = builder_.scalar(operand.expr);
    path.injective = true;
    for (std::uint32_t i = 0; i < b.dir_count; ++i)
        if (!constant || *constant == i) path.injective &= b.steps[static_cast<ir::StepId>(i)].injective;
    return path;
}

Operand Conversions::part_of(ExprId tuple_value, TypeId tuple, std::size_t i, Span at) {
    return value(project(tuple_value, tuple, i, at), at);
}

ExprId Conversions::project(ExprId tuple_value, TypeId tuple, std::size_t i, Span at) {
    const TypeId type = types()[tuple].parts[i];
    return builder_.make(Op::Project, type, {tuple_value}, static_cast<std::int64_t>(i), at);
}

// Any value except a path can be matched, if it is encoded: of a tuple, that its type is small enough.
Operand Conversions::as_scalar_value(const Operand& found) {
    if (!found.ok()) return found;
    if (kind(found.type) == TypeKind::Path || kind(found.type) == TypeKind::None || !valid(found.expr)) {
        mismatch(found.span, found, "a value to match");
        return poison(found.span);
    }
    return subsets_.unwidened(found);
}

} // namespace zug::lang
