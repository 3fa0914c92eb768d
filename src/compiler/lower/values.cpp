// How values lie in registers and in the state.

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
    // none - lo could wrap into the range, so it is kept apart.
    return graph_.op(Family::Sub, graph_.op(Family::Max, value, graph_.word(t.lo - 1)), graph_.word(t.lo));
}

NodeRef Lowering::from_bit(ir::TypeId type, NodeRef bit) {
    const ir::Type& t = program_.types[type];
    if (t.kind != TypeKind::Int || t.lo == 0) return bit;
    return graph_.op(Family::Add, bit, graph_.word(t.lo));
}

NodeRef Lowering::item_of(ir::TypeId type, const ValueGraph::OpenLoop& loop) {
    graph_.at_most(loop, program_.types.cardinality(type));
    graph_.bound(loop.var, 0, std::int64_t{layout_.shape(type).bits} - 1);
    return from_bit(type, loop.var);
}

NodeRef Lowering::ordinal(ir::TypeId type, NodeRef value) {
    const ir::Type& t = program_.types[type];
    // What planes hold is read as an ordinal at once.
    if (const ValueGraph::Node read = graph_[value]; read.family == Family::Plane) {
        std::vector<std::int64_t> ordinals;
        for (std::int64_t word : code_.tables.words[read.extra])
            if (const auto o = program_.types.ordinal(type, layout_.from_register(type, word)))
                ordinals.push_back(static_cast<std::int64_t>(*o));
        if (ordinals.size() == code_.tables.words[read.extra].size())
            return graph_.make(Family::Plane, read.op_width, read.in, read.imm, graph_.add_words(std::move(ordinals)));
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

NodeRef Lowering::place_number(const ir::StateVariable& variable, std::span<const NodeRef> indices) {
    NodeRef place = graph_.word(0);
    NodeRef outside = graph_.word(0);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const NodeRef bit = to_bit(variable.indices[i], indices[i]);
        if (indices.size() == 1) return bit;
        const NodeRef size = graph_.word(layout_.place_bits(variable.indices[i]));
        const NodeRef wrong =
            graph_.either(graph_.op(Family::Lt, bit, graph_.word(0)), graph_.not_(graph_.op(Family::Lt, bit, size)));
        outside = graph_.either(outside, wrong);
        place = graph_.op(Family::Add, graph_.op(Family::Mul, place, size), bit);
    }
    return graph_.select(outside, graph_.word(ir::none), place);
}

// -- state

NodeRef Lowering::state_place(ir::StateId id, const Context& in) {
    const VariableLayout& at = layout_.variable(id);
    if (in.moved != nullptr && in.moved->state == id) in.moved->missed = true;
    const Reg base = base_of(id, in);
    const auto words = static_cast<std::uint16_t>(at.words);
    return base == at.reg ? graph_.place(base, words) : graph_.fixed(base, words);
}

Reg Lowering::base_of(ir::StateId id, const Context& in) const {
    const Reg copy = in.snapshot == nullptr ? Reg{0} : (*in.snapshot)[index(id)];
    return copy != 0 ? copy : layout_.variable(id).reg;
}

std::vector<std::uint64_t> Lowering::real_places(const ir::StateVariable& variable) const {
    std::uint32_t places = 1;
    for (ir::TypeId t : variable.indices) places *= layout_.place_bits(t);
    std::vector<std::uint64_t> result((places + 63) / 64, 0);
    for (std::uint32_t p = 0; p < places; ++p) {
        std::uint32_t rest = p;
        bool real = true;
        for (std::size_t i = variable.indices.size(); i-- > 0;) {
            const std::uint32_t size = layout_.place_bits(variable.indices[i]);
            real = real && layout_.value_of_bit(variable.indices[i], rest % size) != ir::none;
            rest /= size;
        }
        if (real) result[p / 64] |= std::uint64_t{1} << (p % 64);
    }
    return result;
}

// A variable that no rule assigns, without index.
NodeRef Lowering::constant_state(ir::StateId id) {
    const ir::StateVariable& variable = program_.states[id];
    if (program_.types.kind(variable.value) == TypeKind::Set) {
        Bits set(variable.initial.size());
        for (std::size_t o = 0; o < set.size(); ++o)
            if (variable.initial[o] != 0) set.set(o);
        return graph_.set(layout_.words(program_.types.inner(variable.value), set));
    }
    return graph_.word(layout_.to_register(variable.value, program_.types.value(variable.value, variable.initial[0])));
}

NodeRef Lowering::plane_of(ir::StateId state, std::uint64_t ordinal, const Context& in) {
    const VariableLayout& at = layout_.variable(state);
    const Reg base = base_of(state, in);
    const auto plane = [&](std::uint64_t o) {
        const Reg reg = static_cast<Reg>(base + (o - 1) * at.set_words);
        const NodeRef set = base == at.reg ? graph_.place(reg, at.set_words) : graph_.fixed(reg, at.set_words);
        const std::uint32_t bits = layout_.shape(program_.states[state].indices[0]).bits;
        if (bits < 63) graph_.bound(set, 0, (std::int64_t{1} << bits) - 1);
        return set;
    };
    std::vector<NodeRef> planes;
    for (std::uint64_t o = 1; o <= at.planes; ++o) planes.push_back(plane(o));
    graph_.are_planes(planes, universe(program_.states[state].indices[0]));
    if (in.moved != nullptr && in.moved->state == state) return moved_plane(ordinal, in);
    if (ordinal > 0) return plane(ordinal);
    // Pairs that begin alike are united first: the pieces of a player are often asked for, too.
    const ir::TypeId value = program_.states[state].value;
    const ir::TypeId inner = program_.types.kind(value) == TypeKind::Optional ? program_.types.inner(value) : value;
    const std::uint64_t groups = program_.types.kind(inner) == TypeKind::Tuple && inner != value
                                     ? program_.types.cardinality(program_.types[inner].parts[0])
                                     : 1;
    const std::uint64_t size = at.planes / groups;
    NodeRef held = empty(at.set_words);
    for (std::uint64_t first = 1; first <= at.planes; first += size) {
        NodeRef group = plane(first);
        for (std::uint64_t o = first + 1; o < first + size; ++o) group = graph_.or_(group, plane(o));
        held = graph_.or_(held, group);
    }
    return graph_.and_not(universe(program_.states[state].indices[0]), held);
}

// The same with one place changed.
NodeRef Lowering::moved_plane(std::uint64_t ordinal, const Context& in) {
    const Moved& moved = *in.moved;
    const Context before = in.with_moved(nullptr);
    const std::uint16_t width = layout_.variable(moved.state).set_words;
    const NodeRef place =
        graph_.make(Family::Bit, width, {moved.site, no_node, no_node},
                    static_cast<std::int32_t>(layout_.place_bits(program_.states[moved.state].indices[0])));
    NodeRef result = no_node;
    if (ordinal == 0 && moved.now == 0) {
        const NodeRef all = universe(program_.states[moved.state].indices[0]);
        result = graph_.and_not(all, graph_.and_not(graph_.and_not(all, plane_of(moved.state, 0, before)), place));
    } else {
        result = plane_of(moved.state, ordinal, before);
        if (ordinal == moved.before) result = moved.only ? empty(width) : graph_.and_not(result, place);
        if (ordinal == moved.now) result = graph_.or_(result, place);
    }
    return result;
}

// The value that is assumed of this read, or null.
const std::int64_t* Lowering::assumed_at(ir::ExprId map_get, const Context& in) {
    if (!in.assumed || static_cast<ir::StateId>(expr(map_get).imm) != in.assumed->state || expr(map_get).arg_count != 1)
        return nullptr;
    const Scoped place = resolve(program_.argument(map_get, 0), in);
    const ir::Expr& x = expr(place.expr);
    return x.op == Op::Var && static_cast<ir::VarId>(x.imm) == in.assumed->var ? &in.assumed->value : nullptr;
}

// `values`: what the result is by ordinal of the stored value, instead of the value itself.
NodeRef Lowering::eval_map(ir::ExprId e, const Context& in, const std::vector<std::int64_t>* values) {
    const auto id = static_cast<ir::StateId>(expr(e).imm);
    const ir::StateVariable& variable = program_.states[id];
    const VariableLayout& at = layout_.variable(id);
    std::vector<NodeRef> indices;
    for (ir::ExprId a : program_.arguments(e)) indices.push_back(eval(a, in));
    const NodeRef place = place_number(variable, indices);
    const ir::TypeTable& types = program_.types;
    const std::uint64_t count = types.kind(variable.value) == TypeKind::Set ? 0 : types.cardinality(variable.value);
    const auto value_at = [&](std::uint64_t o) {
        return values != nullptr ? (*values)[o] : layout_.to_register(variable.value, types.value(variable.value, o));
    };
    const TypeKind k = types.kind(variable.value);
    const std::int64_t outside = k == TypeKind::Optional ? ir::none : value_at(0);
    if (!variable.assigned && k != TypeKind::Set) {
        const auto real = real_places(variable);
        std::vector<std::int64_t> table(real.size() * 64, outside);
        for (std::size_t p = 0, number = 0; p < table.size(); ++p)
            if ((real[p / 64] >> (p % 64) & 1) != 0) table[p] = value_at(variable.initial[number++]);
        const NodeRef found = graph_.make(Family::WordTable, 1, {place, no_node, no_node}, 0, graph_.add_words(table));
        if (outside == ir::none) return found;
        return graph_.select(graph_.op(Family::Eq, found, graph_.word(ir::none)), graph_.word(outside), found);
    }
    if (!variable.assigned) return fail(); // a constant table of sets: the checker folds those
    switch (at.storage) {
    case Storage::Planes: {
        std::vector<std::int64_t> table;
        for (std::uint64_t o = 0; o < count; ++o) table.push_back(value_at(o));
        return graph_.make(Family::Plane, at.set_words, {place, state_place(id, in), no_node},
                           static_cast<std::int32_t>(at.planes), graph_.add_words(std::move(table)));
    }
    case Storage::Words: {
        const std::int64_t low =
            k == TypeKind::Optional ? ir::none : layout_.to_register(variable.value, types.value(variable.value, 0));
        const NodeRef found = graph_.make(Family::WordAt, 1, {state_place(id, in), place, graph_.word(low)},
                                          static_cast<std::int32_t>(at.places));
        if (values == nullptr) return found;
        return graph_.make(Family::WordTable, 1, {ordinal(variable.value, found), no_node, no_node}, 0,
                           graph_.add_words(*values));
    }
    case Storage::Sets:
        return graph_.make(Family::SetAt, at.set_words, {state_place(id, in), place, no_node},
                           static_cast<std::int32_t>(at.places));
    default: return fail();
    }
}

} // namespace zug::run
