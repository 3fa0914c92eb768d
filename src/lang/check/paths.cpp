// Paths, and joins: where sites lead along a path, paths one after the other, the sites where a map matches.

#include "lang/checker.hpp"

#include "lang/resolve/shapes.hpp"

#include <algorithm>

namespace zug::lang {

bool Checker::is_path_like(TypeId id) const {
    const TypeKind k = kind(id);
    if (k == TypeKind::Path) return true;
    const TypeId inner = k == TypeKind::Optional || k == TypeKind::Set ? program_.types.inner(id) : id;
    return kind(inner) == TypeKind::Dir;
}

bool Checker::is_site_like(const Operand& operand) const {
    const TypeKind k = kind(element_of(operand));
    return k == TypeKind::Site || k == TypeKind::None;
}

ir::BoardId Checker::board_of(TypeId id) const {
    const TypeKind k = kind(id);
    const TypeId inner = k == TypeKind::Optional || k == TypeKind::Set ? program_.types.inner(id) : id;
    return static_cast<ir::BoardId>(program_.types[inner].ref);
}

Operand Checker::path_expr(Op op, std::initializer_list<ExprId> args, ir::BoardId board, Span at) {
    const TypeId type = types().path(board);
    return {.expr = builder_.make(op, type, args, at), .type = type, .span = at};
}

Operand Checker::as_path(const Operand& operand) {
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

// `adj`: the neighbouring directions, and on boards whose directions have no opposites also the way back.
Operand Checker::adjacency(ir::BoardId id, Span at) {
    const ir::Board& board = program_.boards[id];
    if (!board.edges.empty()) {
        const Operand out = edge_path(id, at);
        return path_expr(Op::Alt, {out.expr, converse(out, at).expr}, id, at);
    }
    const bool two_way = board.shape == ir::BoardShape::Ring || board.shape == ir::BoardShape::Lines;
    const ExprId dirs = builder_.set_constant(types().set(types().dir(id)), board.adjacent, at);
    const Operand steps = path_expr(Op::StepsOf, {dirs}, id, at);
    if (!two_way || covers_converses(board)) return steps;
    return path_expr(Op::Alt, {steps.expr, converse(steps, at).expr}, id, at);
}

// Whether each step of each direction can be gone back along another direction.
bool covers_converses(const ir::Board& board) {
    for (std::uint32_t d = 0; d < board.dir_count; ++d) {
        const auto& to = board.steps[static_cast<ir::StepId>(d)].to;
        for (std::size_t i = 0; i < to.size(); ++i) {
            if (to[i] < 0) continue;
            bool back = false;
            for (std::uint32_t e = 0; e < board.dir_count; ++e)
                back |= board.steps[static_cast<ir::StepId>(e)].to[static_cast<std::size_t>(to[i])] ==
                        static_cast<std::int32_t>(i);
            if (!back) return false;
        }
    }
    return true;
}

Operand Checker::edge_path(ir::BoardId id, Span at) {
    const TypeId type = types().path(id);
    const std::vector<ir::StepId> edges = program_.boards[id].edges;
    ExprId result = none_id<ExprId>;
    for (ir::StepId step : edges) {
        const ExprId table = builder_.make(Op::Table, type, {}, static_cast<std::int64_t>(index(step)), at);
        result = valid(result) ? builder_.make(Op::Alt, type, {result, table}, at) : table;
    }
    Operand path{.expr = result, .type = type, .span = at};
    path.functional = edges.size() == 1;
    path.injective = path.functional && program_.boards[id].steps[edges.front()].injective;
    return path;
}

Operand Checker::converse(const Operand& operand, Span at) {
    if (!is_path_like(operand.type)) {
        mismatch(operand.span, operand, "a direction or a path");
        return poison(at);
    }
    const Operand path = as_path(operand);
    Operand result = path_expr(Op::Converse, {path.expr}, board_of(path.type), at);
    result.functional = path.injective;
    result.injective = path.functional;
    return result;
}

Operand Checker::power(NodeId id) {
    const Span at = span(id);
    const Operand base = expr(child(id, 0));
    const std::string& text = node(id).text;
    Operand low, high;
    if (text.empty()) {
        low = as_integer(expr(child(id, 1)));
        const NodeId high_node = child(id, 2);
        high = valid(high_node) ? as_integer(expr(high_node)) : low;
        if (!low.ok() || !high.ok()) return poison(at);
    }
    if (!base.ok()) return poison(at);
    if (!is_path_like(base.type)) {
        mismatch(base.span, base, "a direction or a path to repeat");
        return poison(at);
    }
    const Operand path = as_path(base);
    const ir::BoardId board = board_of(path.type);
    if (!text.empty()) {
        const ExprId from = builder_.integer(text == "*" ? 0 : 1, at);
        return path_expr(Op::Closure, {path.expr, from}, board, at);
    }
    const bool exact = low.expr == high.expr;
    if (exact && builder_.scalar(low.expr) == 1) return path;
    Operand result = path_expr(Op::Power, {path.expr, low.expr, high.expr}, board, at);
    result.functional = exact && path.functional;
    result.injective = exact && path.injective;
    return result;
}

// ---- joins

Operand Checker::join(NodeId id) {
    const Span at = span(id);
    const NodeId left = child(id, 0), right = child(id, 1);
    const ir::StateId map = map_named(left);
    if (valid(map)) return valid(right) ? matching_sites(map, right, at) : poison(at);
    const Operand a = expr(left);
    const bool offset = valid(right) && node(right).kind == Kind::Tuple && children(right).size() == 2;
    if (!offset) return join_operands(a, expr(right), at);
    const auto dx = constant_int(child(right, 0)), dy = constant_int(child(right, 1));
    if (!a.ok() || !dx || !dy) return poison(at);
    if (!is_path_like(a.type) && !is_site_like(a)) return join_operands(a, expr(right), at);
    const ir::BoardId board = kind(element_of(a)) == TypeKind::None ? ir::BoardId{} : board_of(a.type);
    return join_operands(a, offset_path(board, *dx, *dy, false, span(right)), at);
}

Operand Checker::join_operands(const Operand& a, const Operand& b, Span at) {
    if (!a.ok() || !b.ok()) return poison(at);
    const bool path_left = is_path_like(a.type);
    if (!path_left && !is_site_like(a)) {
        mismatch(a.span, a, "sites, a path or a state map before `.`");
        return poison(at);
    }
    const bool nothing = kind(b.type) == TypeKind::Set && kind(types().inner(b.type)) == TypeKind::None;
    if (!is_path_like(b.type) && !nothing) {
        mismatch(b.span, b, "a path after `.`");
        return poison(at);
    }
    if (nothing) return value(builder_.set_constant(b.type, Bits(0), at), at);
    const Operand path = as_path(b);
    if (!path_left) return image(a, path, at);
    const Operand first = as_path(a);
    if (board_of(first.type) != board_of(path.type)) {
        error(Message::OtherBoard, at);
        return poison(at);
    }
    Operand result = path_expr(Op::Seq, {first.expr, path.expr}, board_of(path.type), at);
    result.functional = first.functional && path.functional;
    result.injective = first.injective && path.injective;
    return result;
}

Operand Checker::image(const Operand& sites, const Operand& path, Span at) {
    const ir::BoardId board = board_of(path.type);
    const TypeId set = types().set(types().site(board));
    if (kind(element_of(sites)) == TypeKind::None)
        return value(builder_.set_constant(set, Bits(types().cardinality(types().site(board))), at), at);
    if (board_of(sites.type) != board) {
        error(Message::OtherBoard, at);
        return poison(at);
    }
    const ExprId from = as_set(sites);
    const ExprId image = builder_.make(Op::Image, set, {from, path.expr}, at);
    if (kind(sites.type) == TypeKind::Set || !path.functional) return value(image, at);
    const TypeId type = types().optional(types().site(board));
    return {.expr = builder_.make(Op::The, type, {image}, at), .type = type, .span = at, .as_set = image};
}

// at.v: the index values where the map holds a value that matches the pattern.
Operand Checker::matching_sites(ir::StateId map, NodeId pattern_node, Span at) {
    const std::vector<TypeId> indices = program_.states[map].indices;
    const TypeId value_type = program_.states[map].value;
    const TypeId element = indices.size() == 1 ? indices[0] : types().tuple(indices);
    const TypeId set = set_type(element, at);
    const Pattern wanted = pattern(pattern_node, value_type, false, true);
    if (!valid(set) || wanted.shape == Pattern::Shape::Wrong) return poison(at);
    const VarId var = builder_.new_var(indices.size() == 1 ? "site" : "place", element);
    const ExprId place = builder_.var(var, at);
    std::vector<ExprId> args{place};
    if (indices.size() > 1) {
        args.clear();
        for (std::size_t i = 0; i < indices.size(); ++i) args.push_back(part_of(place, element, i, at).expr);
    }
    const ExprId held = builder_.make(Op::MapGet, value_type, args, static_cast<std::int64_t>(index(map)), at);
    const ExprId matches = test(wanted, held, value_type, nullptr);
    return value(builder_.bind(Op::SetOf, set, var, builder_.universe(element, at), matches, at), at);
}

// ---- offsets

Operand Checker::offset_path(ir::BoardId id, std::int64_t dx, std::int64_t dy, bool reflected, Span at) {
    const auto shape = program_.boards[id].shape;
    if (shape == ir::BoardShape::Ring || shape == ir::BoardShape::Graph || program_.boards[id].height == 0) {
        error(Message::OffsetHere, at, {program_.boards[id].name});
        return poison(at);
    }
    std::vector<std::pair<std::int64_t, std::int64_t>> offsets{{dx, dy}};
    if (reflected) {
        for (auto [x, y] : {std::pair(dx, dy), std::pair(dy, dx)})
            for (auto offset : {std::pair(x, y), std::pair(x, -y), std::pair(-x, y), std::pair(-x, -y)})
                if (std::ranges::find(offsets, offset) == offsets.end()) offsets.push_back(offset);
    }
    const TypeId type = types().path(id);
    ExprId result = none_id<ExprId>;
    for (auto [x, y] : offsets) {
        const auto step = static_cast<std::int64_t>(index(offset_step(id, x, y)));
        const ExprId table = builder_.make(Op::Table, type, {}, step, at);
        result = valid(result) ? builder_.make(Op::Alt, type, {result, table}, at) : table;
    }
    Operand path{.expr = result, .type = type, .span = at};
    path.functional = path.injective = offsets.size() == 1;
    return path;
}

} // namespace zug::lang
