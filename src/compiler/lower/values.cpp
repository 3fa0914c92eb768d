// The representation of values in registers, and lowering of tuples, sites, players and none.

#include "compiler/lower/lowering.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

std::uint16_t Lowering::width_of(ir::TypeId type) const {
    return program_.types.kind(type) == TypeKind::Set ? layout_.shape(program_.types.inner(type)).words
                                                      : std::uint16_t{1};
}

std::size_t Lowering::unroll_limit(ir::TypeId type) const {
    constexpr std::size_t kinds = 64, others = 12;
    return program_.types.kind(type) == TypeKind::Enum ? kinds : others;
}

NodeRef Lowering::universe(ir::TypeId element) {
    const SetShape shape = layout_.shape(element);
    std::vector<std::uint64_t> words(shape.words, 0);
    for (std::uint32_t b = 0; b < shape.bits; ++b)
        if (layout_.value_of_bit(element, b) != ir::none) words[b / 64] |= std::uint64_t{1} << (b % 64);
    return graph_.set(std::move(words), true);
}

NodeRef Lowering::to_bit(ir::TypeId type, NodeRef value) {
    const ir::Type& t = program_.types[type];
    if (t.kind == TypeKind::Optional) return to_bit(t.parts[0], value);
    if (t.kind != TypeKind::Int || t.lo == 0) return value;
    // none - lo could wrap into the range, so `none` is a case of its own.
    return graph_.op(Family::Sub, graph_.op(Family::Max, value, graph_.word(t.lo - 1)), graph_.word(t.lo));
}

NodeRef Lowering::from_bit(ir::TypeId type, NodeRef bit) {
    const ir::Type& t = program_.types[type];
    if (t.kind != TypeKind::Int || t.lo == 0) return bit;
    return graph_.op(Family::Add, bit, graph_.word(t.lo));
}

Lift Lowering::lift_over(ir::TypeId type) {
    Lift lift;
    lift.shape = layout_.shape(type);
    lift.universe = universe(type);
    lift.real.assign(lift.shape.words, 0);
    for (std::uint32_t b = 0; b < lift.shape.bits; ++b)
        lift.real[b / 64] |= std::uint64_t{layout_.value_of_bit(type, b) != ir::none} << (b % 64);
    return lift;
}

namespace {

// Whether each value of a variable is one of an index.
bool can_index(const ir::TypeTable& types, ir::TypeId var, ir::TypeId index) {
    const ir::Type &v = types[var], &i = types[index];
    return var == index || (v.kind == TypeKind::Int && i.kind == TypeKind::Int && v.lo >= i.lo && v.hi <= i.hi);
}

} // namespace

std::optional<EntryLift> Lowering::lift_over_entries(std::span<const ir::VarId> vars) {
    constexpr std::uint32_t most_entries = 4096;
    const ir::TypeTable& types = program_.types;
    const auto can_read = [&](ir::StateId id) {
        const VariableLayout& at = layout_.variable(id);
        const std::vector<ir::TypeId>& indices = program_.states[id].indices;
        if (!program_.states[id].assigned || !at.matrix || at.slots > most_entries) return false;
        return std::ranges::equal(vars, indices, [&](ir::VarId var, ir::TypeId index) {
            return can_index(types, program_.vars[var].type, index);
        });
    };
    for (std::size_t s = 0; s < program_.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        if (!can_read(id)) continue;
        EntryLift found = entry_lift(id);
        for (std::size_t i = 0; i < vars.size(); ++i) {
            std::vector<std::int64_t>& values = found.values[i];
            found.lift.keep(graph_, [&](std::size_t b) {
                return types.ordinal(program_.vars[vars[i]].type, values[b]).has_value();
            });
            for (std::size_t b = 0; b < values.size(); ++b)
                if (!found.lift.is_real(b)) values[b] = undefined;
        }
        return found;
    }
    return std::nullopt;
}

EntryLift Lowering::entry_lift(ir::StateId id) {
    EntryLift found{{.shape = {layout_.variable(id).slots, layout_.variable(id).set_words, -1},
                     .universe = graph_.set(real_entries(id), true),
                     .real = real_entries(id),
                     .entries = true},
                    {}};
    const std::vector<ir::TypeId>& indices = program_.states[id].indices;
    found.values.assign(indices.size(), std::vector<std::int64_t>(found.lift.shape.bits, undefined));
    for (std::uint32_t entry = 0; entry < found.lift.shape.bits; ++entry) {
        std::uint32_t rest = entry;
        for (std::size_t i = indices.size(); i-- > 0; rest /= layout_.entry_radix(id, i))
            if (found.lift.is_real(entry))
                found.values[i][entry] = layout_.value_of_bit(indices[i], rest % layout_.entry_radix(id, i));
    }
    return found;
}

NodeRef Lowering::item_of(ir::TypeId type, const ValueGraph::OpenLoop& loop) {
    graph_.at_most(loop, program_.types.cardinality(type));
    graph_.bound(loop.var, 0, std::int64_t{layout_.shape(type).bits} - 1);
    return from_bit(type, loop.var);
}

NodeRef Lowering::ordinal(ir::TypeId type, NodeRef value) {
    const ir::Type& t = program_.types[type];
    // A value that is stored as planes is read as an ordinal.
    if (const ValueGraph::Node read = graph_[value]; read.family == Family::PlaneGet) {
        std::vector<std::int64_t> ordinals;
        for (std::int64_t word : code_.tables.words[read.extra])
            if (const auto o = program_.types.ordinal(type, layout_.from_register(type, word)))
                ordinals.push_back(static_cast<std::int64_t>(*o));
        if (ordinals.size() == code_.tables.words[read.extra].size())
            return graph_.make(Family::PlaneGet, read.op_width, read.in, read.imm,
                               graph_.add_words(std::move(ordinals)));
    }
    if (t.kind == TypeKind::Optional) {
        const NodeRef inner = graph_.op(Family::Add, ordinal(t.parts[0], value), graph_.word(1));
        return graph_.select(graph_.op(Family::Eq, value, graph_.word(ir::none)), graph_.word(0), inner);
    }
    if (t.kind == TypeKind::Site) {
        const auto& sites = layout_.board(static_cast<ir::BoardId>(t.ref)).site_of_bit;
        return graph_.make(Family::WordTable, 1, {value, no_node, no_node}, 0,
                           graph_.add_words({sites.begin(), sites.end()}));
    }
    return to_bit(type, value);
}

NodeRef Lowering::outside(ir::TypeId wanted, ir::TypeId given, NodeRef value) {
    const ir::TypeTable& types = program_.types;
    const bool optional = types.kind(wanted) == TypeKind::Optional, maybe_none = given != bare(given);
    const NodeRef none = graph_.op(Family::Eq, value, graph_.word(ir::none));
    const ir::Type &w = types[bare(wanted)], &g = types[bare(given)];
    if (w.kind != TypeKind::Int || (g.lo >= w.lo && g.hi <= w.hi))
        return maybe_none && !optional ? none : graph_.word(0);
    const NodeRef wrong = graph_.either(graph_.op(Family::Lt, value, graph_.word(w.lo)),
                                        graph_.op(Family::Lt, graph_.word(w.hi), value)); // none is the least of all
    return optional ? graph_.both(wrong, graph_.not_(none)) : wrong;
}

std::vector<std::int64_t> Lowering::values_by_bit(ir::TypeId type, const Lift& lift) const {
    std::vector<std::int64_t> values;
    for (std::uint32_t b = 0; b < lift.shape.bits; ++b)
        values.push_back(lift.is_real(b) ? layout_.to_register(type, layout_.value_of_bit(type, b)) : undefined);
    return values;
}

// -- scalars with structure

NodeRef Lowering::eval_structure(ir::ExprId e, const Context& in) {
    switch (expr(e).op) {
    case Op::IsNone: return eval_is_none(e, in);
    case Op::MakeTuple: return eval_tuple(e, in);
    case Op::Project: return eval_part(e, in);
    case Op::NextPlayer:
    case Op::PrevPlayer: return eval_player_after(e, in);
    case Op::SiteAt: return eval_site_at(e, in);
    case Op::SiteNumber: return eval_site_number(e, in);
    case Op::CoordX:
    case Op::CoordY:
    case Op::Number: return eval_of_site(e, in);
    default: return no_node;
    }
}

NodeRef Lowering::word_table(NodeRef at, std::vector<std::int64_t> values, std::int64_t low) {
    return graph_.make(Family::WordTable, 1, {at, no_node, no_node}, static_cast<std::int32_t>(low),
                       graph_.add_words(std::move(values)));
}

NodeRef Lowering::eval_is_none(ir::ExprId e, const Context& in) {
    const Scoped r = resolve(program_.argument(e, 0), in);
    if (is_only_member(r)) return graph_.not_(graph_.any(eval(program_.argument(r.expr, 0), r.in)));
    if (expr(r.expr).op == Op::MapGet && assumed_at(r.expr, r.in) == nullptr) {
        const auto id = static_cast<ir::StateId>(expr(r.expr).imm);
        if (program_.states[id].assigned && layout_.variable(id).storage == Storage::Planes) {
            return graph_.not_(test_entry(
                r, [&](NodeRef row) { return graph_.and_not(plane_universe(id, row), plane_of(id, 0, r.in, row)); }));
        }
    }
    return graph_.op(Family::Eq, eval(r.expr, r.in), graph_.word(ir::none));
}

NodeRef Lowering::eval_tuple(ir::ExprId e, const Context& in) {
    const ir::Type& t = program_.types[bare(expr(e).type)];
    NodeRef code = graph_.word(0), missing = graph_.word(0);
    for (std::size_t i = 0; i < expr(e).arg_count; ++i) {
        const ir::ExprId arg = program_.argument(e, i);
        const NodeRef part = eval(arg, in);
        missing = graph_.either(missing, outside(t.parts[i], expr(arg).type, part));
        const NodeRef size = graph_.word(static_cast<std::int64_t>(program_.types.cardinality(t.parts[i])));
        code = graph_.op(Family::Add, graph_.op(Family::Mul, code, size), ordinal(t.parts[i], part));
    }
    return graph_.select(missing, graph_.word(ir::none), code);
}

// A component of a tuple, by a table of all tuples of the type.
NodeRef Lowering::eval_part(ir::ExprId e, const Context& in) {
    constexpr std::uint64_t most_tuples = 65536;
    const Scoped r = resolve(program_.argument(e, 0), in);
    const ir::TypeTable& types = program_.types;
    const auto number = static_cast<std::size_t>(expr(e).imm);
    const ir::TypeId whole = expr(r.expr).type, tuple = bare(whole), part = types[tuple].parts[number];
    const std::uint64_t count = types.cardinality(tuple);
    const std::int64_t first =
        types.kind(part) == TypeKind::Optional ? ir::none : layout_.to_register(part, types.value(part, 0));
    const auto part_of = [&](std::int64_t code) {
        return layout_.to_register(part, types.project(tuple, code, number));
    };
    const bool of_map =
        expr(r.expr).op == Op::MapGet && types.kind(whole) == TypeKind::Optional && assumed_at(r.expr, r.in) == nullptr;
    const NodeRef code = of_map ? no_node : eval(r.expr, r.in);
    // The table is as large as the type, which is too much for each of many values.
    if (!of_map && graph_.is_constant(code)) {
        const std::int64_t known = graph_.constant_word(code);
        if (known == ir::none) return graph_.word(first);
        if (types.ordinal(tuple, known)) return graph_.word(part_of(known));
    }
    if (count > most_tuples) return no_node;
    std::vector<std::int64_t> values;
    for (std::uint64_t c = 0; c < count; ++c) values.push_back(part_of(static_cast<std::int64_t>(c)));
    if (of_map) {
        std::vector<std::int64_t> by_ordinal{first};
        by_ordinal.insert(by_ordinal.end(), values.begin(), values.end());
        return eval_map(r.expr, r.in, &by_ordinal);
    }
    const NodeRef found = word_table(code, std::move(values), 0);
    return graph_.select(graph_.op(Family::Eq, code, graph_.word(ir::none)), graph_.word(first), found);
}

// The next or the previous player.
NodeRef Lowering::eval_player_after(ir::ExprId e, const Context& in) {
    const auto n = static_cast<std::int64_t>(program_.player_count());
    const std::int64_t step = expr(e).op == Op::NextPlayer ? 1 : n - 1;
    std::vector<std::int64_t> values;
    for (std::int64_t p = 0; p < n; ++p) values.push_back((p + step) % n);
    return word_table(eval(program_.argument(e, 0), in), std::move(values), 0);
}

// The site in a column and row, or none.
NodeRef Lowering::eval_site_at(ir::ExprId e, const Context& in) {
    const ir::TypeId type = expr(e).type;
    const ir::Board& board = board_of(type);
    std::vector<std::int64_t> values(static_cast<std::size_t>(board.width) * static_cast<std::size_t>(board.height),
                                     ir::none);
    for (std::size_t s = 0; s < board.sites.size(); ++s)
        if (board.sites[s].x > 0)
            values[static_cast<std::size_t>((board.sites[s].y - 1) * board.width + board.sites[s].x - 1)] =
                layout_.to_register(bare(type), static_cast<std::int64_t>(s));
    const NodeRef column = eval(program_.argument(e, 0), in), row = eval(program_.argument(e, 1), in);
    const NodeRef width = graph_.word(board.width);
    const NodeRef wrong =
        graph_.either(graph_.op(Family::Lt, column, graph_.word(1)), graph_.op(Family::Lt, width, column));
    const NodeRef at = graph_.op(Family::Add, graph_.op(Family::Mul, row, width), column);
    return graph_.select(wrong, graph_.word(ir::none), word_table(at, std::move(values), board.width + 1));
}

// The site with a number, counted from 1.
NodeRef Lowering::eval_site_number(ir::ExprId e, const Context& in) {
    const ir::TypeId type = expr(e).type;
    std::vector<std::int64_t> values;
    for (std::size_t s = 0; s < board_of(type).sites.size(); ++s)
        values.push_back(layout_.to_register(bare(type), static_cast<std::int64_t>(s)));
    return word_table(eval(program_.argument(e, 0), in), std::move(values), 1);
}

// A number that the board gives for each site, such as its column; 0 for `none`.
NodeRef Lowering::eval_of_site(ir::ExprId e, const Context& in) {
    const Op op = expr(e).op;
    const ir::TypeId type = bare(expr(program_.argument(e, 0)).type);
    const ir::Board& board = board_of(type);
    const auto of_site = [&](std::size_t s) -> std::int64_t {
        if (op == Op::Number) return static_cast<std::int64_t>(s) + 1;
        return op == Op::CoordX ? board.sites[s].x : board.sites[s].y;
    };
    std::vector<std::int64_t> values;
    for (std::uint32_t b = 0; b < layout_.shape(type).bits; ++b) {
        const std::int64_t s = layout_.value_of_bit(type, b);
        values.push_back(s == ir::none ? 0 : of_site(static_cast<std::size_t>(s)));
    }
    return graph_.op(Family::Max, word_table(eval(program_.argument(e, 0), in), std::move(values), 0), graph_.word(0));
}

} // namespace zug::run
