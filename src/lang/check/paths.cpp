// Operators on paths: joins with sites and paths, converses, steps to neighbours, offsets.

#include "lang/check/operators.hpp"
#include "lang/core/conversions.hpp"
#include "lang/resolve/boards.hpp"
#include "lang/resolve/shapes.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::lang {

// `adj`: the neighbouring directions, and on boards whose directions have no opposites also the way back.
Operand Operators::adjacency(ir::BoardId id, Span at) {
    const ir::Board& board = program_.boards[id];
    if (!board.edges.empty()) {
        const Operand out = edge_path(id, at);
        return conversions_.path_expr(Op::Alt, {out.expr, converse(out, at).expr}, id, at);
    }
    const bool two_way = board.shape == ir::BoardShape::Lines;
    const ExprId dirs = builder_.set_constant(types().set(types().dir(id)), board.adjacent, at);
    const Operand steps = conversions_.path_expr(Op::StepsOf, {dirs}, id, at);
    if (!two_way || covers_converses(board)) return steps;
    return conversions_.path_expr(Op::Alt, {steps.expr, converse(steps, at).expr}, id, at);
}

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

Operand Operators::edge_path(ir::BoardId id, Span at) {
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

Operand Operators::converse(const Operand& operand, Span at) {
    if (!is_path_like(operand.type)) {
        mismatch(operand.span, operand, "a direction or a path");
        return poison(at);
    }
    const Operand path = conversions_.as_path(operand);
    Operand result = conversions_.path_expr(Op::Converse, {path.expr}, board_of(path.type), at);
    result.functional = path.injective;
    result.injective = path.functional;
    return result;
}

Operand Operators::join_operands(const Operand& a, const Operand& b, Span at) {
    if (!a.ok() || !b.ok()) return poison(at);
    const bool path_left = is_path_like(a.type);
    if (!path_left && !conversions_.is_site_like(a)) {
        mismatch(a.span, a, "sites, a path or a state map before `.`");
        return poison(at);
    }
    const bool nothing = kind(b.type) == TypeKind::Set && kind(types().inner(b.type)) == TypeKind::None;
    if (!is_path_like(b.type) && !nothing) {
        mismatch(b.span, b, "a path after `.`", path_hint(b));
        return poison(at);
    }
    if (nothing) return value(builder_.set_constant(b.type, Bits(0), at), at);
    const Operand path = conversions_.as_path(b);
    if (!path_left) return image(a, path, at);
    const Operand first = conversions_.as_path(a);
    if (board_of(first.type) != board_of(path.type)) {
        error(Message::OtherBoard, at);
        return poison(at);
    }
    Operand result = conversions_.path_expr(Op::Seq, {first.expr, path.expr}, board_of(path.type), at);
    result.functional = first.functional && path.functional;
    result.injective = first.injective && path.injective;
    return result;
}

Operand Operators::image(const Operand& sites, const Operand& path, Span at) {
    const ir::BoardId board = board_of(path.type);
    const TypeId set = types().set(types().site(board));
    if (kind(conversions_.element_of(sites)) == TypeKind::None)
        return value(builder_.set_constant(set, Bits(types().cardinality(types().site(board))), at), at);
    if (board_of(sites.type) != board) {
        const bool first = board < board_of(sites.type);
        error(Message::OtherBoard, at, {},
              first ? fmt::format("`dir`, and a direction that stands by itself, are of the board `{}`; directions of "
                                  "another board stand behind its sites, as in `c.(N | E)`",
                                  program_.boards[board].name)
                    : "");
        return poison(at);
    }
    const ExprId from = conversions_.as_set(sites);
    const ExprId image = builder_.make(Op::Image, set, {from, path.expr}, at);
    if (kind(sites.type) == TypeKind::Set || !path.functional) return value(image, at);
    const TypeId type = types().optional(types().site(board));
    return {.expr = builder_.make(Op::The, type, {image}, at), .type = type, .span = at, .as_set = image};
}

Operand Operators::offset_path(ir::BoardId id, std::int64_t dx, std::int64_t dy, bool reflected, Span at) {
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
        const auto step = static_cast<std::int64_t>(index(boards_.offset_step(id, x, y)));
        const ExprId table = builder_.make(Op::Table, type, {}, step, at);
        result = valid(result) ? builder_.make(Op::Alt, type, {result, table}, at) : table;
    }
    Operand path{.expr = result, .type = type, .span = at};
    path.functional = path.injective = offsets.size() == 1;
    return path;
}

} // namespace zug::lang
