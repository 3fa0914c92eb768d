// The operators | & \ over sets and paths.

#include "lang/check/operators.hpp"
#include "lang/core/conversions.hpp"

namespace zug::lang {

Operand Operators::set_operator(std::string_view op, const Operand& a, const Operand& b, Span at) {
    const bool a_path = is_path_like(a.type), b_path = is_path_like(b.type);
    const bool whole_path = kind(a.type) == TypeKind::Path || kind(b.type) == TypeKind::Path;
    if (op == "|") {
        if (a_path && b_path && whole_path) {
            const Operand x = conversions_.as_path(a), y = conversions_.as_path(b);
            return conversions_.path_expr(Op::Alt, {x.expr, y.expr}, board_of(x.type), at);
        }
        return combine_sets(Op::Union, a, b, at);
    }
    if (a_path && !b_path) { // the steps of the path that end in the set, or outside it
        const Operand path = conversions_.as_path(a);
        ExprId sites = valid(path.type) ? conversions_.try_convert(b, types().set(types().site(board_of(path.type))))
                                        : none_id<ExprId>;
        if (!valid(sites)) {
            mismatch(b.span, b, "a set of sites");
            return poison(at);
        }
        if (op == "\\")
            sites = builder_.make(Op::Diff, builder_.type(sites),
                                  {builder_.universe(types().site(board_of(path.type)), at), sites}, at);
        Operand result = conversions_.path_expr(Op::Into, {path.expr, sites}, board_of(path.type), at);
        result.functional = path.functional;
        result.injective = path.injective;
        return result;
    }
    return combine_sets(op == "&" ? Op::Inter : Op::Diff, a, b, at);
}

Operand Operators::combine_sets(Op op, const Operand& a, const Operand& b, Span at) {
    for (const Operand* x : {&a, &b}) {
        const TypeKind k = kind(bare(x->type));
        if (k != TypeKind::Path && k != TypeKind::Real && k != TypeKind::Bool) continue;
        const bool logic = k == TypeKind::Bool;
        mismatch(x->span, *x, "a set",
                 logic ? (op == Op::Inter ? "between conditions stands `and`" : "between conditions stands `or`") : "");
        return poison(at);
    }
    const auto element = conversions_.unify_elements(conversions_.element_of(a), conversions_.element_of(b));
    if (!element) {
        error(Message::MixedSet, b.span, {found_text(b), type_text(conversions_.element_of(a))},
              is_path_like(a.type)   ? path_hint(b)
              : is_path_like(b.type) ? path_hint(a)
                                     : "");
        return poison(at);
    }
    if (kind(*element) == TypeKind::None) return a;
    const TypeId type = set_type(*element, at);
    if (!valid(type)) return poison(at);
    const ExprId x = conversions_.convert(a, type), y = conversions_.convert(b, type);
    if (!valid(x) || !valid(y)) return poison(at);
    return value(builder_.make(op, type, {x, y}, at), at);
}

} // namespace zug::lang
