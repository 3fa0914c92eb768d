// Literals: numbers, tuples, sets and ranges of integers; membership in a set.

#include "lang/check/expressions.hpp"
#include "lang/check/operators.hpp"
#include "lang/core/conversions.hpp"

#include <algorithm>
#include <charconv>

namespace zug::lang {

// Whether it is a set or tuple with `_` in it, which only patterns have.
bool Expressions::has_wildcard(NodeId id) const {
    if (!valid(id)) return false;
    if (is_name(id, "_")) return true;
    const bool holds = node(id).kind == Kind::SetLiteral || node(id).kind == Kind::Tuple;
    return holds && std::ranges::any_of(children(id), [&](NodeId part) { return has_wildcard(part); });
}

// `in {none, (_, k)}`, where a pattern is meant.
void Expressions::report_pattern(NodeId id) {
    const auto text_of = [&](NodeId part) {
        const Span at = span(part);
        return context_.sources.text(at.file).substr(at.begin, at.end - at.begin);
    };
    std::string pattern;
    if (node(id).kind != Kind::SetLiteral)
        pattern = text_of(id);
    else
        for (const NodeId part : children(id))
            if (valid(part)) pattern += (pattern.empty() ? "" : " | ") + text_of(part);
    error(Message::WildcardHere, span(id), {}, "a pattern stands behind `is`: `is " + pattern + "`");
}

// Whether it may lead from one site to several by itself, not only where the state says so.
bool Expressions::leads_to_several(ExprId path) const {
    const ir::Expr& x = builder_[path];
    const auto arg = [&](std::size_t i) { return program_.argument(path, i); };
    switch (x.op) {
    case Op::StepsOf: return builder_[arg(0)].op != Op::SetConst || holds_several(arg(0));
    case Op::Alt:
    case Op::Closure:
    case Op::PathOver: return true;
    case Op::Seq: return leads_to_several(arg(0)) || leads_to_several(arg(1));
    case Op::Into: return leads_to_several(arg(0));
    case Op::Power:
        return leads_to_several(arg(0)) || !builder_.number(arg(1)) ||
               builder_.number(arg(1)) != builder_.number(arg(2));
    default: return false;
    }
}

// Whether the set seems to be one of several members; those that the state alone tells may have one, as that of the
// sites where a king stands has.
bool Expressions::holds_several(ExprId set) const {
    const ir::Expr& x = builder_[set];
    switch (x.op) {
    case Op::SetConst: return program_.set_consts[static_cast<ir::SetConstId>(x.imm)].count() > 1;
    case Op::Universe:
    case Op::IntRange:
    case Op::Union: return true;
    case Op::Image: return leads_to_several(program_.argument(set, 1));
    default: return false;
    }
}

// `x in {a, none}` also holds for none; otherwise none is in no set.
Operand Expressions::membership(NodeId id) {
    const Span at = span(id);
    const Operand left = expr(child(id, 0));
    if (left.ok() && kind(left.type) == TypeKind::Set && holds_several(left.expr))
        warn(Message::SetInSet, left.span, {type_text(left.type)},
             "`no a \\ b` asks whether all members of a are in b, and `some a & b` whether one is");
    const Operand element = conversions_.as_element(left);
    const NodeId right = child(id, 1);
    if (has_wildcard(right)) {
        report_pattern(right);
        return poison(at);
    }
    bool with_none = false;
    if (valid(right) && node(right).kind == Kind::SetLiteral)
        for (NodeId item : children(right)) with_none |= is_name(item, "none");
    const Operand set = expr(right);
    if (!element.ok() || !set.ok()) return poison(at);
    if (is_path_like(set.type) && kind(set.type) == TypeKind::Path) {
        mismatch(set.span, set, "a set", "`a.path` is the set of sites that a path leads to");
        return poison(at);
    }
    const ExprId members = conversions_.as_set(set);
    if (!valid(members)) {
        mismatch(set.span, set, "a set");
        return poison(at);
    }
    const TypeId wanted = conversions_.element_of(set), found = bare(element.type);
    ExprId inside = none_id<ExprId>;
    if (kind(element.type) == TypeKind::None || kind(wanted) == TypeKind::None) {
        inside = builder_.truth(false, at);
    } else {
        const ExprId fitted =
            kind(wanted) == kind(found) ? conversions_.try_convert(element, types().optional(wanted)) : none_id<ExprId>;
        if (!valid(fitted)) {
            error(Message::NotAMember, at, {found_text(element), type_text(types().set(wanted))});
            return poison(at);
        }
        inside = builder_.make(Op::In, types().boolean(), {fitted, members}, at);
    }
    if (!with_none) return value(inside, at);
    const bool maybe_none = kind(element.type) == TypeKind::Optional || kind(element.type) == TypeKind::None;
    const ExprId nothing = maybe_none ? builder_.is_none(element.expr, at) : builder_.truth(false, at);
    return value(builder_.disjunction({nothing, inside}, at), at);
}

Operand Expressions::int_range(NodeId id) {
    const Span at = span(id);
    const Operand low = conversions_.as_integer(expr(child(id, 0)));
    const Operand high = conversions_.as_integer(expr(child(id, 1)));
    if (!low.ok() || !high.ok()) return poison(at);
    const std::int64_t lo = types()[low.type].lo, hi = types()[high.type].hi;
    const TypeId element = types().integer(lo, std::max(lo, hi));
    const TypeId set = set_type(element, at);
    if (!valid(set)) return poison(at);
    return value(builder_.make(Op::IntRange, set, {low.expr, high.expr}, at), at);
}

Operand Expressions::number_literal(NodeId id) {
    const std::string& text = node(id).text;
    const Span at = span(id);
    if (text.find('.') != std::string::npos) {
        double real = 0;
        std::from_chars(text.data(), text.data() + text.size(), real);
        return value(builder_.real(real, at), at);
    }
    std::int64_t whole = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), whole);
    if (failed != std::errc{}) return poison(at); // reported by the parser
    if (whole > ir::int_max) {
        error(Message::NumberTooLarge, at, {std::to_string(ir::int_max)});
        return poison(at);
    }
    return value(builder_.integer(whole, at), at);
}

Operand Expressions::tuple(NodeId id) {
    std::vector<Operand> parts;
    for (NodeId part : children(id)) parts.push_back(expr(part));
    return operators_.make_tuple(std::move(parts), span(id));
}

Operand Expressions::set_literal(NodeId id) {
    const Span at = span(id);
    std::vector<Operand> elements;
    std::optional<TypeId> element = types().none_type();
    bool fine = true;
    for (NodeId item : children(id)) {
        Operand found = expr(item);
        fine &= found.ok();
        if (!found.ok()) continue;
        const TypeKind k = kind(bare(found.type));
        const auto joined = k == TypeKind::Path || k == TypeKind::Real
                                ? std::nullopt
                                : conversions_.unify_elements(*element, conversions_.element_of(found));
        if (!joined) {
            error(Message::MixedSet, found.span, {found_text(found), type_text(*element)});
            fine = false;
            continue;
        }
        element = joined;
        elements.push_back(std::move(found));
    }
    if (!fine) return poison(at);
    const TypeId type = kind(*element) == TypeKind::None ? types().set(*element) : set_type(*element, at);
    if (!valid(type)) return poison(at);
    ExprId result = builder_.set_constant(type, Bits(types().cardinality(*element)), at);
    for (const Operand& found : elements) {
        const ExprId part = conversions_.convert(found, type);
        if (!valid(part)) return poison(at);
        result = builder_.make(Op::Union, type, {result, part}, at);
    }
    return value(result, at);
}

} // namespace zug::lang
