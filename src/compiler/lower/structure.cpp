// Lowering of tuples, sites, players and none.

#include "compiler/lower/lowering.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

// The truth that a value is none of the type's, which is known of the type it was given as.
NodeRef Lowering::outside(ir::TypeId wanted, ir::TypeId given, NodeRef value) {
    const ir::TypeTable& types = program_.types;
    const auto bare = [&](ir::TypeId t) { return types.kind(t) == TypeKind::Optional ? types.inner(t) : t; };
    const bool optional = types.kind(wanted) == TypeKind::Optional, maybe_none = given != bare(given);
    const NodeRef none = graph_.op(Family::Eq, value, graph_.word(ir::none));
    const ir::Type &w = types[bare(wanted)], &g = types[bare(given)];
    if (w.kind != TypeKind::Int || (g.lo >= w.lo && g.hi <= w.hi))
        return maybe_none && !optional ? none : graph_.word(0);
    const NodeRef wrong = graph_.either(graph_.op(Family::Lt, value, graph_.word(w.lo)),
                                        graph_.op(Family::Lt, graph_.word(w.hi), value)); // none is the least of all
    return optional ? graph_.both(wrong, graph_.not_(none)) : wrong;
}

NodeRef Lowering::eval_structure(ir::ExprId e, const Context& in) {
    const ir::Expr& x = expr(e);
    const ir::TypeTable& types = program_.types;
    const auto arg = [&](std::size_t i) { return eval(program_.argument(e, i), in); };
    const auto table = [&](NodeRef at, std::vector<std::int64_t> values, std::int64_t low) {
        return graph_.make(Family::WordTable, 1, {at, no_node, no_node}, static_cast<std::int32_t>(low),
                           graph_.add_words(std::move(values)));
    };
    const auto site_table = [&](auto&& of_site) {
        const ir::TypeId type = expr(program_.argument(e, 0)).type;
        const ir::TypeId site = types.kind(type) == TypeKind::Optional ? types.inner(type) : type;
        std::vector<std::int64_t> values;
        for (std::uint32_t b = 0; b < layout_.shape(site).bits; ++b) {
            const std::int64_t s = layout_.value_of_bit(site, b);
            values.push_back(s == ir::none ? 0 : of_site(static_cast<std::size_t>(s)));
        }
        return graph_.op(Family::Max, table(arg(0), std::move(values), 0), graph_.word(0));
    };
    const auto board_of = [&](ir::TypeId type) -> const ir::Board& {
        const ir::TypeId site = types.kind(type) == TypeKind::Optional ? types.inner(type) : type;
        return program_.boards[static_cast<ir::BoardId>(types[site].ref)];
    };
    switch (x.op) {
    case Op::IsNone: {
        const Scoped r = resolve(program_.argument(e, 0), in);
        if (expr(r.expr).op == Op::The && functional(program_.argument(r.expr, 0), r.in))
            return graph_.not_(graph_.any(eval(program_.argument(r.expr, 0), r.in)));
        if (expr(r.expr).op == Op::MapGet) {
            const auto id = static_cast<ir::StateId>(expr(r.expr).imm);
            if (program_.states[id].assigned && layout_.variable(id).storage == Storage::Planes) {
                const NodeRef place = eval(program_.argument(r.expr, 0), r.in);
                const ir::TypeId index_type = program_.states[id].indices[0];
                const NodeRef taken = graph_.and_not(universe(index_type), plane_of(id, 0, r.in));
                return graph_.not_(graph_.make(Family::Test, layout_.variable(id).set_words, {place, taken, no_node},
                                               static_cast<std::int32_t>(layout_.shape(index_type).bits)));
            }
        }
        return graph_.op(Family::Eq, eval(r.expr, r.in), graph_.word(ir::none));
    }
    case Op::MakeTuple: {
        const ir::Type& t = types[types.kind(x.type) == TypeKind::Optional ? types.inner(x.type) : x.type];
        NodeRef code = graph_.word(0), missing = graph_.word(0);
        for (std::size_t i = 0; i < x.arg_count; ++i) {
            const NodeRef part = arg(i);
            missing = graph_.either(missing, outside(t.parts[i], expr(program_.argument(e, i)).type, part));
            const NodeRef size = graph_.word(static_cast<std::int64_t>(types.cardinality(t.parts[i])));
            code = graph_.op(Family::Add, graph_.op(Family::Mul, code, size), ordinal(t.parts[i], part));
        }
        return graph_.select(missing, graph_.word(ir::none), code);
    }
    case Op::Project: {
        const Scoped r = resolve(program_.argument(e, 0), in);
        const ir::TypeId whole = expr(r.expr).type;
        const ir::TypeId tuple = types.kind(whole) == TypeKind::Optional ? types.inner(whole) : whole;
        const ir::TypeId part = types[tuple].parts[static_cast<std::size_t>(x.imm)];
        const std::uint64_t count = types.cardinality(tuple);
        const std::int64_t first =
            types.kind(part) == TypeKind::Optional ? ir::none : layout_.to_register(part, types.value(part, 0));
        if (count > 65536) return no_node;
        std::vector<std::int64_t> values;
        for (std::uint64_t c = 0; c < count; ++c)
            values.push_back(layout_.to_register(
                part, types.project(tuple, static_cast<std::int64_t>(c), static_cast<std::size_t>(x.imm))));
        if (expr(r.expr).op == Op::MapGet && types.kind(whole) == TypeKind::Optional &&
            assumed_at(r.expr, r.in) == nullptr) {
            std::vector<std::int64_t> by_ordinal{first};
            by_ordinal.insert(by_ordinal.end(), values.begin(), values.end());
            return eval_map(r.expr, r.in, &by_ordinal);
        }
        const NodeRef code = eval(r.expr, r.in);
        const NodeRef found = table(code, std::move(values), 0);
        return graph_.select(graph_.op(Family::Eq, code, graph_.word(ir::none)), graph_.word(first), found);
    }
    case Op::NextPlayer:
    case Op::PrevPlayer: {
        const auto n = static_cast<std::int64_t>(program_.player_count());
        std::vector<std::int64_t> values;
        for (std::int64_t p = 0; p < n; ++p) values.push_back((p + (x.op == Op::NextPlayer ? 1 : n - 1)) % n);
        return table(arg(0), std::move(values), 0);
    }
    case Op::SiteAt: {
        const ir::Board& board = board_of(x.type);
        std::vector<std::int64_t> values(static_cast<std::size_t>(board.width) * static_cast<std::size_t>(board.height),
                                         ir::none);
        const ir::TypeId site = types.kind(x.type) == TypeKind::Optional ? types.inner(x.type) : x.type;
        for (std::size_t s = 0; s < board.sites.size(); ++s)
            if (board.sites[s].x > 0)
                values[static_cast<std::size_t>((board.sites[s].y - 1) * board.width + board.sites[s].x - 1)] =
                    layout_.to_register(site, static_cast<std::int64_t>(s));
        const NodeRef column = arg(0), row = arg(1), width = graph_.word(board.width);
        const NodeRef wrong =
            graph_.either(graph_.op(Family::Lt, column, graph_.word(1)), graph_.op(Family::Lt, width, column));
        const NodeRef at = graph_.op(Family::Add, graph_.op(Family::Mul, row, width), column);
        return graph_.select(wrong, graph_.word(ir::none), table(at, std::move(values), board.width + 1));
    }
    case Op::SiteNumber: {
        const ir::Board& board = board_of(x.type);
        const ir::TypeId site = types.kind(x.type) == TypeKind::Optional ? types.inner(x.type) : x.type;
        std::vector<std::int64_t> values;
        for (std::size_t s = 0; s < board.sites.size(); ++s)
            values.push_back(layout_.to_register(site, static_cast<std::int64_t>(s)));
        return table(arg(0), std::move(values), 1);
    }
    case Op::CoordX:
    case Op::CoordY: {
        const ir::Board& board = board_of(expr(program_.argument(e, 0)).type);
        return site_table(
            [&](std::size_t s) -> std::int64_t { return x.op == Op::CoordX ? board.sites[s].x : board.sites[s].y; });
    }
    case Op::Number: return site_table([](std::size_t s) { return static_cast<std::int64_t>(s) + 1; });
    default: return no_node;
    }
}

} // namespace zug::run
