// The representation of values in registers.

#include "compiler/lower/lowering.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace zug::run {

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
        EntryLift found{{.shape = {layout_.variable(id).slots, layout_.variable(id).set_words, -1},
                         .real = real_entries(id),
                         .entries = true},
                        {}};
        found.values.assign(vars.size(), std::vector<std::int64_t>(found.lift.shape.bits, undefined));
        for (std::uint32_t entry = 0; entry < found.lift.shape.bits; ++entry) {
            std::uint32_t rest = entry;
            for (std::size_t i = vars.size(); i-- > 0; rest /= layout_.entry_radix(id, i)) {
                const std::int64_t value =
                    layout_.value_of_bit(program_.states[id].indices[i], rest % layout_.entry_radix(id, i));
                if (types.ordinal(program_.vars[vars[i]].type, value))
                    found.values[i][entry] = value;
                else
                    found.lift.real[entry / 64] &= ~(std::uint64_t{1} << (entry % 64));
            }
        }
        found.lift.universe = graph_.set(std::vector(found.lift.real), found.lift.real == real_entries(id));
        return found;
    }
    return std::nullopt;
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

} // namespace zug::run
