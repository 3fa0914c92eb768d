// Joins and powers of paths: where sites lead along a path, paths one after the other, the sites where a map matches.

#include "lang/check/expressions.hpp"
#include "lang/check/operators.hpp"
#include "lang/check/patterns.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/constants.hpp"
#include "lang/resolve/states.hpp"

namespace zug::lang {
Operand Expressions::power(NodeId id) {
    const Span at = span(id);
    const Operand base = expr(child(id, 0));
    const std::string& text = node(id).text;
    Operand low, high;
    if (text.empty()) {
        low = conversions_.as_integer(expr(child(id, 1)));
        const NodeId high_node = child(id, 2);
        high = valid(high_node) ? conversions_.as_integer(expr(high_node)) : low;
        if (!low.ok() || !high.ok()) return poison(at);
    }
    if (!base.ok()) return poison(at);
    if (kind(bare(base.type)) == TypeKind::Int || kind(bare(base.type)) == TypeKind::Real)
        if (text.empty() && low.expr == high.expr) return operators_.number_power(base, low, at);
    if (!is_path_like(base.type)) {
        mismatch(base.span, base, "a direction or a path to repeat");
        return poison(at);
    }
    const Operand path = conversions_.as_path(base);
    const ir::BoardId board = board_of(path.type);
    if (!text.empty()) {
        const ExprId from = builder_.integer(text == "*" ? 0 : 1, at);
        return conversions_.path_expr(Op::Closure, {path.expr, from}, board, at);
    }
    const bool exact = low.expr == high.expr;
    if (exact && builder_.scalar(low.expr) == 1) return path;
    Operand result = conversions_.path_expr(Op::Power, {path.expr, low.expr, high.expr}, board, at);
    result.functional = exact && path.functional;
    result.injective = exact && path.injective;
    return result;
}

Operand Expressions::join(NodeId id) {
    const Span at = span(id);
    const NodeId left = child(id, 0), right = child(id, 1);
    const ir::StateId map = states_.map_named(left);
    if (valid(map)) return valid(right) ? matching_sites(map, right, at) : poison(at);
    const Operand a = expr(left);
    if (!a.ok()) return poison(at); // what is on the right may be a pattern
    std::optional<JoinedBoard> path_of;
    if ((is_path_like(a.type) || conversions_.is_site_like(a)) && kind(conversions_.element_of(a)) != TypeKind::None)
        path_of.emplace(context_, board_of(a.type));
    const bool offset = valid(right) && node(right).kind == Kind::Tuple && children(right).size() == 2;
    if (!offset) return operators_.join_operands(a, expr(right), at);
    const auto dx = constants_.constant_int(child(right, 0)), dy = constants_.constant_int(child(right, 1));
    if (!dx || !dy) return poison(at);
    if (!is_path_like(a.type) && !conversions_.is_site_like(a)) return operators_.join_operands(a, expr(right), at);
    const ir::BoardId board = kind(conversions_.element_of(a)) == TypeKind::None ? ir::BoardId{} : board_of(a.type);
    return operators_.join_operands(a, operators_.offset_path(board, *dx, *dy, false, span(right)), at);
}

// `at.v`: the indices at which the map holds a value that matches the pattern.
Operand Expressions::matching_sites(ir::StateId map, NodeId pattern_node, Span at) {
    const std::vector<TypeId> indices = program_.states[map].indices;
    const TypeId value_type = program_.states[map].value;
    const TypeId element = indices.size() == 1 ? indices[0] : types().tuple(indices);
    const TypeId set = set_type(element, at);
    const Pattern wanted = patterns_.pattern(pattern_node, value_type, false, true);
    if (!valid(set) || wanted.shape == Pattern::Shape::Wrong) return poison(at);
    const VarId var = builder_.new_var(indices.size() == 1 ? "site" : "entry", element);
    const ExprId entry = builder_.var(var, at);
    std::vector<ExprId> args{entry};
    if (indices.size() > 1) {
        args.clear();
        for (std::size_t i = 0; i < indices.size(); ++i) args.push_back(conversions_.project(entry, element, i, at));
    }
    const ExprId held = builder_.make(Op::MapGet, value_type, args, static_cast<std::int64_t>(index(map)), at);
    const ExprId matches = patterns_.test(wanted, held, value_type, nullptr);
    return value(builder_.bind(Op::SetOf, set, {var, builder_.universe(element, at), matches}, at), at);
}

} // namespace zug::lang
