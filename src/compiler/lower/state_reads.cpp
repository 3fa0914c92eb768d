// Reads of the state: variables, maps, and the planes of maps.

#include "compiler/lower/lowering.hpp"

#include "base/narrow.hpp"

#include <algorithm>
#include <bit>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

// Whether the expression may have this value. Only constants and tuples with constant parts are excluded.
bool may_be(const ir::Program& program, ir::ExprId id, std::int64_t value) {
    const ir::Expr& x = program.exprs[id];
    if (x.op == Op::Const) return x.imm == value;
    if (x.op != Op::MakeTuple || value == ir::none) return true;
    for (std::size_t part = 0; part < program.arguments(id).size(); ++part) {
        const ir::TypeId tuple =
            program.types.kind(x.type) == TypeKind::Optional ? program.types.inner(x.type) : x.type;
        if (!may_be(program, program.argument(id, part), program.types.project(tuple, value, part))) return false;
    }
    return true;
}

// A bound of the change that an effect list makes to the number of sites with this value. Loops and assignments to sets
// count as any number.
std::int64_t sites_gained(const ir::Program& program, const std::vector<ir::EffectId>& list, ir::StateId map,
                          std::int64_t value) {
    constexpr std::int64_t any_number = 4096;
    std::int64_t gained = 0;
    for (ir::EffectId id : list) {
        const ir::Effect& e = program.effects[id];
        if (e.kind == ir::EffectKind::For) {
            gained += any_number * std::max<std::int64_t>(0, sites_gained(program, e.yes, map, value));
        } else {
            gained += sites_gained(program, e.yes, map, value) + sites_gained(program, e.no, map, value);
        }
        const bool writes = e.kind == ir::EffectKind::Assign || e.kind == ir::EffectKind::AssignSet ||
                            e.kind == ir::EffectKind::AssignAll;
        if (!writes || e.state != map) continue;
        const bool gives = may_be(program, e.value, value);
        if (e.kind == ir::EffectKind::Assign)
            gained += gives ? 1 : -1;
        else
            gained += gives ? any_number : 0;
    }
    return gained;
}

// Whether a rule may increase the number of sites with the value.
bool may_grow(const ir::Program& program, ir::StateId map, std::int64_t value) {
    return std::ranges::any_of(program.rules, [&](const ir::Rule& rule) {
        std::int64_t gained = 0;
        for (const ir::Block& block : rule.then) gained += sites_gained(program, block.effects, map, value);
        return gained > 0;
    });
}

} // namespace

void Lowering::find_plane_sizes() {
    for (std::size_t s = 0; s < program_.states.size(); ++s) {
        const VariableLayout& at = layout_.variable(static_cast<ir::StateId>(s));
        if (at.storage != Storage::Planes) continue;
        const auto& initial = program_.states[static_cast<ir::StateId>(s)].initial;
        for (std::uint32_t p = 0; p < at.planes; ++p)
            if (const auto size = std::ranges::count(initial, p + 1);
                size > 0 && !may_grow(program_, static_cast<ir::StateId>(s),
                                      program_.types.value(program_.states[static_cast<ir::StateId>(s)].value, p + 1)))
                plane_sizes_.push_back(
                    {narrow<Reg>(at.reg + p * at.set_words), at.set_words, static_cast<std::uint64_t>(size)});
    }
}

NodeRef Lowering::entry_number(ir::StateId id, std::span<const NodeRef> indices) {
    const ir::StateVariable& variable = program_.states[id];
    NodeRef entry = graph_.word(0);
    NodeRef outside = graph_.word(0);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const NodeRef bit = to_bit(variable.indices[i], indices[i]);
        if (indices.size() == 1) return bit;
        const NodeRef size = graph_.word(layout_.index_radix(variable.indices[i]));
        const NodeRef wrong =
            graph_.either(graph_.op(Family::Lt, bit, graph_.word(0)), graph_.not_(graph_.op(Family::Lt, bit, size)));
        outside = graph_.either(outside, wrong);
        entry = graph_.op(Family::Add, graph_.op(Family::Mul, entry, graph_.word(layout_.entry_radix(id, i))), bit);
    }
    return graph_.select(outside, graph_.word(ir::none), entry);
}

NodeRef Lowering::state_words(ir::StateId id, const Context& in) {
    const VariableLayout& at = layout_.variable(id);
    if (in.moved != nullptr && in.moved->state == id) in.moved->missed = true;
    const Reg base = base_of(id, in);
    const auto words = narrow<std::uint16_t>(at.words);
    const NodeRef value = base == at.reg ? graph_.read(base, words) : graph_.fixed(base, words);
    // Between the blocks of a move no number is out of its range.
    if (const ir::Type& type = program_.types[program_.states[id].value];
        at.storage == Storage::Word && type.kind == TypeKind::Int)
        graph_.bound(value, type.lo, type.hi);
    return value;
}

NodeRef Lowering::number_at(const VariableLayout& at, NodeRef row, NodeRef entry, std::int64_t otherwise) {
    const Family family = at.storage == Storage::Bytes ? Family::ByteAt : Family::WordAt;
    return graph_.make(family, 1, {row, entry, graph_.word(otherwise)}, static_cast<std::int32_t>(at.slots));
}

Reg Lowering::base_of(ir::StateId id, const Context& in) const {
    const Reg copy = in.snapshot == nullptr ? Reg{0} : (*in.snapshot)[index(id)];
    return copy != 0 ? copy : layout_.variable(id).reg;
}

std::vector<std::uint64_t> Lowering::real_entries(ir::StateId id) const {
    std::vector<std::uint64_t> result((layout_.entry_count(id) + 63) / 64, 0);
    layout_.for_each_entry(
        id, [&](std::uint32_t entry, std::uint32_t) { result[entry / 64] |= std::uint64_t{1} << (entry % 64); });
    return result;
}

// A variable without indices that no rule assigns.
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

// The stored plane of an ordinal above 0, or a row of it.
NodeRef Lowering::stored_plane(ir::StateId state, std::uint64_t ordinal, const Context& in, NodeRef row) {
    const VariableLayout& at = layout_.variable(state);
    const Reg base = base_of(state, in);
    const auto read = [&](std::uint64_t from, std::uint16_t words) {
        const Reg reg = narrow<Reg>(base + (ordinal - 1) * at.set_words + from);
        return base == at.reg ? graph_.read(reg, words) : graph_.fixed(reg, words);
    };
    if (at.matrix && row != no_node)
        return matrix_row(
            at, [&](std::uint64_t w) { return read(w, 1); }, row);
    const auto number = row != no_node && graph_.is_constant(row) ? graph_.constant_word(row) : -1;
    NodeRef set = no_node;
    if (number >= 0 && number < at.rows)
        set = read(static_cast<std::uint64_t>(number) * at.row_words, at.row_words);
    else if (row == no_node)
        set = read(0, at.set_words);
    else
        set = graph_.make(Family::SetAt, at.row_words, {read(0, at.set_words), row, no_node},
                          static_cast<std::int32_t>(at.rows));
    const std::uint32_t bits = at.matrix ? at.slots : layout_.shape(program_.states[state].indices.back()).bits;
    if (bits < 63 && graph_.width(set) == 1) graph_.bound(set, 0, (std::int64_t{1} << bits) - 1);
    return set;
}

// The row of a plane of a matrix, whose words are given.
NodeRef Lowering::matrix_row(const VariableLayout& at, const std::function<NodeRef(std::uint64_t)>& word, NodeRef row) {
    const std::uint64_t members = ~std::uint64_t{0} >> (64 - at.row_entries);
    const auto row_at = [&](std::uint32_t number) {
        const std::uint32_t first = number * at.row_entries, skipped = first % 64;
        const NodeRef here =
            graph_.shift_and(word(first / 64), -static_cast<std::int32_t>(skipped), graph_.set({members}));
        if (skipped + at.row_entries <= 64) return here;
        const NodeRef rest =
            graph_.shift_and(word(first / 64 + 1), static_cast<std::int32_t>(64 - skipped), graph_.set({members}));
        return graph_.or_(here, rest);
    };
    if (graph_.is_constant(row)) {
        const std::int64_t number = graph_.constant_word(row);
        return number >= 0 && number < at.rows ? row_at(static_cast<std::uint32_t>(number)) : empty(1);
    }
    NodeRef set = empty(1);
    for (std::uint32_t number = 0; number < at.rows; ++number)
        set = graph_.or_(set, graph_.bcast(graph_.op(Family::Eq, row, graph_.word(number)), row_at(number)));
    return set;
}

// All entries of a map that is stored as planes, or of a row of it.
NodeRef Lowering::plane_universe(ir::StateId state, NodeRef row) {
    const std::vector<ir::TypeId>& indices = program_.states[state].indices;
    return indices.size() == 1 || row != no_node ? universe(indices.back()) : graph_.set(real_entries(state));
}

NodeRef Lowering::plane_of(ir::StateId state, std::uint64_t ordinal, const Context& in, NodeRef row) {
    const VariableLayout& at = layout_.variable(state);
    const auto plane = [&](std::uint64_t o) { return stored_plane(state, o, in, row); };
    const NodeRef all = plane_universe(state, row);
    std::vector<NodeRef> planes;
    for (std::uint64_t o = 1; o <= at.planes; ++o) planes.push_back(plane(o));
    graph_.are_planes(planes, all);
    if (in.moved != nullptr && in.moved->state == state) {
        if (program_.states[state].indices.size() == 1) return moved_plane(ordinal, in);
        in.moved->missed = true;
    }
    if (ordinal > 0) return plane(ordinal);
    // Tuples with the same first part are united first: the union of a player's pieces is often needed, too.
    const ir::TypeId value = program_.states[state].value;
    const ir::TypeId inner = program_.types.kind(value) == TypeKind::Optional ? program_.types.inner(value) : value;
    const std::uint64_t groups = program_.types.kind(inner) == TypeKind::Tuple && inner != value
                                     ? program_.types.cardinality(program_.types[inner].parts[0])
                                     : 1;
    const std::uint64_t size = at.planes / groups;
    NodeRef held = empty(graph_.width(all));
    for (std::uint64_t first = 1; first <= at.planes; first += size) {
        NodeRef group = plane(first);
        for (std::uint64_t o = first + 1; o < first + size; ++o) group = graph_.or_(group, plane(o));
        held = graph_.or_(held, group);
    }
    return graph_.and_not(all, held);
}

// Whether a map that is stored as planes holds one of these values at an entry. `held`: plane_of() or the like, of the
// row, or, if the read has none that is known beforehand, of the map.
NodeRef Lowering::test_entry(const Scoped& read, const std::function<NodeRef(NodeRef)>& held) {
    const auto id = static_cast<ir::StateId>(expr(read.expr).imm);
    const std::vector<ir::TypeId>& types = program_.states[id].indices;
    const auto args = program_.arguments(read.expr);
    std::vector<NodeRef> indices;
    for (const ir::ExprId a : args) indices.push_back(eval(a, read.in));
    const NodeRef row = indices.size() == 1 ? no_node : entry_number(id, std::span(indices).first(indices.size() - 1));
    const bool in_row = row == no_node || graph_.is_constant(row);
    const NodeRef set = held(in_row ? row : no_node);
    const NodeRef entry = in_row ? to_bit(types.back(), indices.back()) : entry_number(id, indices);
    const std::uint32_t bits = in_row ? layout_.shape(types.back()).bits : 64U * graph_.width(set);
    return graph_.make(Family::Test, graph_.width(set), {entry, set, no_node}, static_cast<std::int32_t>(bits));
}

// plane_of() as if one site had changed (Context::moved).
NodeRef Lowering::moved_plane(std::uint64_t ordinal, const Context& in) {
    const Moved& moved = *in.moved;
    const Context before = in.with_moved(nullptr);
    const std::uint16_t width = layout_.variable(moved.state).set_words;
    const NodeRef single =
        graph_.make(Family::Bit, width, {moved.site, no_node, no_node},
                    static_cast<std::int32_t>(layout_.index_radix(program_.states[moved.state].indices[0])));
    NodeRef result = no_node;
    if (ordinal == 0 && moved.now == 0) {
        const NodeRef all = universe(program_.states[moved.state].indices[0]);
        result = graph_.and_not(all, graph_.and_not(graph_.and_not(all, plane_of(moved.state, 0, before)), single));
    } else {
        result = plane_of(moved.state, ordinal, before);
        if (ordinal == moved.before) result = moved.only ? empty(width) : graph_.and_not(result, single);
        if (ordinal == moved.now) result = graph_.or_(result, single);
    }
    return result;
}

// The assumed value of this read, or null.
const std::int64_t* Lowering::assumed_at(ir::ExprId map_get, const Context& in) {
    if (!in.assumed || static_cast<ir::StateId>(expr(map_get).imm) != in.assumed->state || expr(map_get).arg_count != 1)
        return nullptr;
    const Scoped site = resolve(program_.argument(map_get, 0), in);
    const ir::Expr& x = expr(site.expr);
    return x.op == Op::Var && static_cast<ir::VarId>(x.imm) == in.assumed->var ? &in.assumed->value : nullptr;
}

// Whether it is a part of what a map is assumed to hold, and so the same for all values of the lifted variable.
bool Lowering::is_assumed(ir::ExprId e, const Context& in) {
    const ir::Expr& x = expr(e);
    switch (x.op) {
    case Op::MapGet: return assumed_at(e, in) != nullptr;
    case Op::Project: return is_assumed(program_.argument(e, 0), in);
    case Op::Var: {
        const Binding* const b = find(static_cast<ir::VarId>(x.imm), in);
        return b != nullptr && b->kind == Binding::Kind::Closure && is_assumed(b->expr, in.with_env(b->env));
    }
    default: return false;
    }
}

std::uint64_t Lowering::expected_size(NodeRef set, int depth) const {
    constexpr std::uint64_t many = 1'000'000;
    const auto& node = graph_[set];
    if (depth == 0) return many;
    const auto of = [&](std::size_t i) { return expected_size(node.in[i], depth - 1); };
    switch (node.family) {
    case Family::Bit: return 1;
    case Family::Constant: {
        std::uint64_t count = 0;
        for (std::uint64_t word : node.value) count += static_cast<unsigned>(std::popcount(word));
        return count;
    }
    case Family::RegRead: {
        const auto found = std::ranges::find(plane_sizes_, narrow<Reg>(node.extra), &PlaneSize::reg);
        return found == plane_sizes_.end() || found->words != node.width ? many : found->size;
    }
    case Family::And: return std::min(of(0), of(1));
    case Family::AndNot:
    case Family::ShlAnd:
    case Family::ShrAnd: return of(0);
    case Family::Or: return std::min(many, of(0) + of(1));
    case Family::Bcast: return of(1);
    default: return many;
    }
}

// A map that no rule assigns: a table by slot. `by_ordinal`: the result for each value.
NodeRef Lowering::constant_map(ir::StateId id, NodeRef entry, const std::vector<std::int64_t>& by_ordinal) {
    const ir::StateVariable& variable = program_.states[id];
    const bool optional = program_.types.kind(variable.value) == TypeKind::Optional;
    const std::int64_t outside = optional ? ir::none : by_ordinal[0];
    const auto real = real_entries(id);
    std::vector<std::int64_t> table(real.size() * 64, outside);
    for (std::size_t p = 0, number = 0; p < table.size(); ++p)
        if ((real[p / 64] >> (p % 64) & 1) != 0) table[p] = by_ordinal[variable.initial[number++]];
    const NodeRef found = graph_.make(Family::WordTable, 1, {entry, no_node, no_node}, 0, graph_.add_words(table));
    if (outside == ir::none) return found;
    return graph_.select(graph_.op(Family::Eq, found, graph_.word(ir::none)), graph_.word(outside), found);
}

// The same of a map to sets: empty outside.
NodeRef Lowering::constant_sets(ir::StateId id, NodeRef entry) {
    std::vector<std::uint64_t> rows = constant_rows(id);
    if (rows.empty()) return fail();
    return graph_.make(Family::SetTable, width_of(program_.states[id].value), {entry, no_node, no_node}, 0,
                       graph_.add_sets(std::move(rows)));
}

std::vector<std::uint64_t> Lowering::constant_rows(ir::StateId id) const {
    const ir::StateVariable& variable = program_.states[id];
    const ir::TypeId element = program_.types.inner(variable.value);
    const std::size_t members = program_.types.cardinality(element), width = width_of(variable.value);
    constexpr std::size_t most_words = std::size_t{1} << 20;
    const auto real = real_entries(id);
    if (real.size() * 64 * width > most_words) return {};
    std::vector<std::uint64_t> rows(real.size() * 64 * width, 0);
    for (std::size_t p = 0, slot = 0; p < real.size() * 64; ++p) {
        if ((real[p / 64] >> (p % 64) & 1) == 0) continue;
        Bits set(members);
        for (std::size_t o = 0; o < members; ++o)
            if (variable.initial[slot++] != 0) set.set(o);
        std::ranges::copy(layout_.words(element, set), rows.begin() + static_cast<std::ptrdiff_t>(p * width));
    }
    return rows;
}

// `values`: by ordinal of the stored value, the result, if it is not the value itself.
NodeRef Lowering::eval_map(ir::ExprId e, const Context& in, const std::vector<std::int64_t>* values) {
    const auto id = static_cast<ir::StateId>(expr(e).imm);
    const ir::StateVariable& variable = program_.states[id];
    const VariableLayout& at = layout_.variable(id);
    std::vector<NodeRef> indices;
    for (ir::ExprId a : program_.arguments(e)) indices.push_back(eval(a, in));
    const NodeRef entry = entry_number(id, indices);
    const ir::TypeTable& types = program_.types;
    const std::uint64_t count = types.kind(variable.value) == TypeKind::Set ? 0 : types.cardinality(variable.value);
    const auto value_at = [&](std::uint64_t o) {
        return values != nullptr ? (*values)[o] : layout_.to_register(variable.value, types.value(variable.value, o));
    };
    const TypeKind k = types.kind(variable.value);
    // Between the blocks of a move no number is out of its range.
    const auto in_range = [&](NodeRef found) {
        const ir::Type& type = types[variable.value];
        if (values == nullptr && k == TypeKind::Int) graph_.bound(found, type.lo, type.hi);
        return found;
    };
    const auto by_ordinal = [&] {
        std::vector<std::int64_t> table;
        for (std::uint64_t o = 0; o < count; ++o) table.push_back(value_at(o));
        return table;
    };
    if (!variable.assigned && k != TypeKind::Set) return constant_map(id, entry, by_ordinal());
    if (!variable.assigned) return constant_sets(id, entry);
    switch (at.storage) {
    case Storage::Planes:
        return in_range(graph_.make(Family::PlaneGet, at.set_words, {entry, state_words(id, in), no_node},
                                    static_cast<std::int32_t>(at.planes), graph_.add_words(by_ordinal())));
    case Storage::Words:
    case Storage::Bytes: {
        const std::int64_t low =
            k == TypeKind::Optional ? ir::none : layout_.to_register(variable.value, types.value(variable.value, 0));
        const NodeRef found = number_at(at, state_words(id, in), entry, low);
        if (values == nullptr) return in_range(found);
        return graph_.make(Family::WordTable, 1, {ordinal(variable.value, found), no_node, no_node}, 0,
                           graph_.add_words(*values));
    }
    case Storage::Sets:
        return graph_.make(Family::SetAt, at.set_words, {state_words(id, in), entry, no_node},
                           static_cast<std::int32_t>(at.slots));
    default: return fail();
    }
}

} // namespace zug::run
