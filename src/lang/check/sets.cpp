// Set literals, and the operators | & \ over sets and paths.

#include "lang/checker.hpp"

namespace zug::lang {

Operand Checker::set_literal(NodeId id) {
    const Span at = span(id);
    std::vector<Operand> elements;
    std::optional<TypeId> element = types().none_type();
    bool fine = true;
    for (NodeId item : children(id)) {
        Operand found = expr(item);
        fine &= found.ok();
        if (!found.ok()) continue;
        const TypeKind k = kind(bare(found.type));
        const auto joined =
            k == TypeKind::Path || k == TypeKind::Real ? std::nullopt : unify_elements(*element, element_of(found));
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
        const ExprId part = convert(found, type);
        if (!valid(part)) return poison(at);
        result = builder_.make(Op::Union, type, {result, part}, at);
    }
    return value(result, at);
}

Operand Checker::set_operator(std::string_view op, const Operand& a, const Operand& b, Span at) {
    const bool a_path = is_path_like(a.type), b_path = is_path_like(b.type);
    const bool whole_path = kind(a.type) == TypeKind::Path || kind(b.type) == TypeKind::Path;
    if (op == "|") {
        if (a_path && b_path && whole_path) {
            const Operand x = as_path(a), y = as_path(b);
            return path_expr(Op::Alt, {x.expr, y.expr}, board_of(x.type), at);
        }
        return combine_sets(Op::Union, a, b, at);
    }
    if (a_path && !b_path) { // steps that end in the set, or outside it
        const Operand path = as_path(a);
        ExprId sites =
            valid(path.type) ? try_convert(b, types().set(types().site(board_of(path.type)))) : none_id<ExprId>;
        if (!valid(sites)) {
            mismatch(b.span, b, "a set of sites");
            return poison(at);
        }
        if (op == "\\")
            sites = builder_.make(Op::Diff, builder_.type(sites),
                                  {builder_.universe(types().site(board_of(path.type)), at), sites}, at);
        Operand result = path_expr(Op::Into, {path.expr, sites}, board_of(path.type), at);
        result.functional = path.functional;
        result.injective = path.injective;
        return result;
    }
    return combine_sets(op == "&" ? Op::Inter : Op::Diff, a, b, at);
}

Operand Checker::combine_sets(Op op, const Operand& a, const Operand& b, Span at) {
    for (const Operand* x : {&a, &b}) {
        const TypeKind k = kind(bare(x->type));
        if (k != TypeKind::Path && k != TypeKind::Real && k != TypeKind::Bool) continue;
        const bool logic = k == TypeKind::Bool;
        mismatch(x->span, *x, "a set",
                 logic ? (op == Op::Inter ? "between conditions stands `and`" : "between conditions stands `or`") : "");
        return poison(at);
    }
    const auto element = unify_elements(element_of(a), element_of(b));
    if (!element) {
        error(Message::MixedSet, b.span, {found_text(b), type_text(element_of(a))});
        return poison(at);
    }
    if (kind(*element) == TypeKind::None) return a;
    const TypeId type = set_type(*element, at);
    if (!valid(type)) return poison(at);
    const ExprId x = convert(a, type), y = convert(b, type);
    if (!valid(x) || !valid(y)) return poison(at);
    return value(builder_.make(op, type, {x, y}, at), at);
}

} // namespace zug::lang
