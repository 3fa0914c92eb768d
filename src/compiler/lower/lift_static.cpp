// Lifting of sets that have a table by the values of their names (compiler/analysis/static_tables.hpp).

#include "compiler/analysis/static_tables.hpp"
#include "compiler/lower/set_lifter.hpp"

#include <algorithm>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

// What the names of a set are bound to, by name.
struct SetLifter::StaticNames {
    std::vector<NodeRef> values;                   // no_node: it depends on the lifted variable
    std::vector<std::vector<std::int64_t>> tables; // by bit of that: the value, or -1
};

// `lift`: null if no name may depend on a lifted variable. False: a name is bound to something else, or may be outside
// of its type.
bool SetLifter::bind_static(const Scoped& e, const StaticRows& rows, const Lift* lift, StaticNames& out) {
    for (const ir::VarId name : rows.names) {
        const Binding* const b = lowering_.find(name, e.in);
        if (b == nullptr) return false;
        LiftedScalar scalar;
        scalar.kind = b->kind == Binding::Kind::Table ? LiftedScalar::Kind::Table : LiftedScalar::Kind::Word;
        if (b->kind == Binding::Kind::Value) {
            scalar.word = b->node;
        } else if (b->kind == Binding::Kind::Table) {
            scalar.table = b->table;
        } else if (const Context around = e.in.with_env(b->env); !depends(b->expr, around)) {
            scalar.word = eval(b->expr, around);
        } else if (lift == nullptr || !lift_scalar(b->expr, around, *lift, scalar)) {
            return false;
        }
        const bool is_word = scalar.kind == LiftedScalar::Kind::Word;
        if (!is_word && (lift == nullptr || scalar.kind != LiftedScalar::Kind::Table)) return false;
        const ir::TypeId type = program_.vars[name].type;
        const ir::Type& t = program_.types[type];
        if (is_word && t.kind == TypeKind::Int && (graph_[scalar.word].low < t.lo || graph_[scalar.word].high > t.hi))
            return false;
        out.values.push_back(is_word ? scalar.word : no_node);
        out.tables.push_back(is_word ? std::vector<std::int64_t>{} : to_bits(type, std::move(scalar.table)));
    }
    return true;
}

// The number of a row, given the values that do not depend on the lifted variable.
NodeRef SetLifter::static_row(const StaticRows& rows, const StaticNames& names) {
    NodeRef row = graph_.word(0);
    for (std::size_t k = 0; k < rows.names.size(); ++k) {
        if (names.values[k] == no_node) continue;
        const NodeRef bit = lowering_.to_bit(program_.vars[rows.names[k]].type, names.values[k]);
        row = graph_.op(Family::Add, graph_.op(Family::Mul, row, graph_.word(rows.radix[k])), bit);
    }
    return row;
}

NodeRef SetLifter::static_set(const Scoped& e) {
    const StaticRows& rows = lowering_.statics().rows_of(e.expr);
    StaticNames names;
    if (rows.bits.empty() || !bind_static(e, rows, nullptr, names)) return no_node;
    const NodeRef row = static_row(rows, names);
    if (graph_.is_constant(row)) return no_node;
    return graph_.make(Family::SetTable, rows.words, {row, no_node, no_node}, 0, graph_.add_sets(rows.bits));
}

// By the values that do not depend on the lifted variable.
NodeRef SetLifter::static_truth(ir::ExprId unresolved, const Context& in, const Lift& lift) {
    const Scoped e = resolve(unresolved, in);
    if (expr(e.expr).op != Op::Eq && expr(e.expr).op != Op::Lt) return no_node;
    const StaticRows& rows = lowering_.statics().rows_of(e.expr);
    StaticNames names;
    if (rows.bits.empty() || !bind_static(e, rows, &lift, names)) return no_node;
    const auto table = transposed(rows, names, 1, lift);
    if (!table) return no_node;
    return graph_.make(Family::SetTable, lift.shape.words, {static_row(rows, names), no_node, no_node}, 0,
                       graph_.add_sets(table->some));
}

// A truth or number that depends on a lifted tuple only, such as a set that is a parameter, for the values that matter.
// There may be thousands of them, and for each the expression is long, so none is worked out that is not asked for, and
// no nodes are made for it. Null: it is another expression.
const StaticValues* SetLifter::static_values(const Scoped& e, const Lift& lift, std::vector<std::uint64_t>& matter) {
    const std::optional<ir::VarId> name = lowering_.statics().only_name(e.expr);
    if (!name || program_.types.kind(program_.vars[*name].type) != TypeKind::Tuple) return nullptr;
    const Binding* const b = lowering_.find(*name, e.in);
    if (b == nullptr || b->kind != Binding::Kind::Table || b->table.size() != lift.shape.bits) return nullptr;
    for (std::size_t bit = 0; bit < lift.shape.bits; ++bit)
        if (lift.is_real(bit) && b->table[bit] != static_cast<std::int64_t>(bit)) return nullptr;
    matter = lift.real;
    if (lift.within != no_node) {
        const ValueGraph::Node& within = graph_[lift.within];
        const std::vector<std::uint64_t>& all = graph_.is_constant(lift.within) ? within.value : within.superset;
        for (std::size_t w = 0; w < all.size(); ++w) matter[w] &= all[w];
    }
    return lowering_.statics().values_of(e.expr, *name, matter);
}

// no_node: it is no such truth.
NodeRef SetLifter::known_truth(const Scoped& e, const Lift& lift) {
    std::vector<std::uint64_t> matter;
    const StaticValues* const values = static_values(e, lift, matter);
    if (values == nullptr) return no_node;
    for (std::size_t w = 0; w < matter.size(); ++w) matter[w] &= values->holds[w];
    return constant(std::move(matter), lift);
}

// False: it is no such number.
bool SetLifter::known_numbers(const Scoped& e, const Lift& lift, std::vector<std::int64_t>& out) {
    std::vector<std::uint64_t> matter;
    const StaticValues* const values = static_values(e, lift, matter);
    if (values == nullptr) return false;
    out.assign(lift.shape.bits, undefined);
    for (std::size_t bit = 0; bit < lift.shape.bits; ++bit)
        if ((matter[bit / 64] >> (bit % 64) & 1) != 0) out[bit] = values->numbers[bit];
    return true;
}

// Of sets that have a table by the lifted variable alone.
NodeRef SetLifter::union_of_rows(const Scoped& set, NodeRef over, const Lift& lift) {
    const std::uint16_t words = lowering_.width_of(expr(set.expr).type);
    if (words != lift.shape.words || lift.entries) return no_node;
    std::vector<std::uint64_t> rows = expr(set.expr).op == Op::MapGet ? rows_of_map(set, lift) : chosen_rows(set, lift);
    if (rows.empty()) return no_node;
    return graph_.make(Family::Image, words, {over, no_node, no_node}, 0, graph_.add_sets(std::move(rows)));
}

// By the lifted variable: what a map that never changes holds. Empty: it is another map, or there is no such table.
std::vector<std::uint64_t> SetLifter::rows_of_map(const Scoped& read, const Lift& lift) {
    const auto id = static_cast<ir::StateId>(expr(read.expr).imm);
    const ir::StateVariable& variable = program_.states[id];
    std::vector<std::int64_t> entries;
    if (variable.assigned || variable.indices.size() != 1 ||
        program_.types.kind(variable.indices[0]) == TypeKind::Optional ||
        !lift_table(program_.argument(read.expr, 0), read.in, lift, entries))
        return {};
    entries = index_bits(variable.indices[0], std::move(entries));
    const std::vector<std::uint64_t> held = lowering_.constant_rows(id);
    const std::size_t words = lowering_.width_of(variable.value);
    std::vector<std::uint64_t> rows(held.empty() ? 0 : lift.shape.bits * words, 0);
    for (std::size_t bit = 0; bit * words < rows.size(); ++bit)
        for (std::size_t w = 0; w < words && lift.is_real(bit) && entries[bit] >= 0; ++w)
            rows[bit * words + w] = held[static_cast<std::size_t>(entries[bit]) * words + w];
    return rows;
}

// By the lifted variable: a set that a name chooses. Between the sites of boards there are paths, which need no table.
std::vector<std::uint64_t> SetLifter::chosen_rows(const Scoped& set, const Lift& lift) {
    if (expr(set.expr).op != Op::If || lift.shape.board >= 0) return {};
    const StaticRows& rows = lowering_.statics().choices_of(set.expr);
    StaticNames names;
    if (rows.bits.empty() || !bind_static(set, rows, &lift, names)) return {};
    if (std::ranges::any_of(names.values, [](NodeRef value) { return value != no_node; })) return {};
    std::vector<std::uint64_t> by_bit(std::size_t{lift.shape.bits} * rows.words, 0);
    for (std::size_t bit = 0; bit < lift.shape.bits; ++bit) {
        const auto row = lift.is_real(bit) ? row_at(rows, names, 0, bit) : std::nullopt;
        for (std::size_t w = 0; row && w < rows.words; ++w)
            by_bit[bit * rows.words + w] = rows.bits[*row * rows.words + w];
    }
    return by_bit;
}

// By the members of the target: the union of those v whose rows have the member.
NodeRef SetLifter::static_meets(const Scoped& e, NodeRef target, const Lift& lift) {
    const StaticRows& rows = lowering_.statics().rows_of(e.expr);
    StaticNames names;
    if (rows.bits.empty() || !bind_static(e, rows, &lift, names)) return no_node;
    const std::uint32_t members = layout_.shape(element(e.expr)).bits;
    const auto table = transposed(rows, names, members, lift);
    if (!table) return no_node;
    const std::uint32_t by_member = graph_.add_sets(table->by_member);
    const NodeRef row = static_row(rows, names);
    if (graph_.is_constant(row) && rows.words == lift.shape.words && table->combinations == 1)
        return graph_.make(Family::Image, rows.words, {target, no_node, no_node}, 0, by_member);
    // All members count: whether a row has any is known, too.
    if (graph_.is_universe(target))
        return graph_.make(Family::SetTable, lift.shape.words, {row, no_node, no_node}, 0,
                           graph_.add_sets(table->some));
    const NodeRef any =
        graph_.make(Family::SetTable, rows.words, {row, no_node, no_node}, 0, graph_.add_sets(table->any));
    const NodeRef domain = graph_.and_(target, any);
    const auto open = graph_.open_loop(Reduce::Or, domain, lift.shape.words, empty(lift.shape.words));
    graph_.at_most(open, members);
    graph_.bound(open.var, 0, std::int64_t{members} - 1);
    const NodeRef at = graph_.op(Family::Add, graph_.op(Family::Mul, row, graph_.word(members)), open.var);
    return graph_.close_loop(open,
                             graph_.make(Family::SetTable, lift.shape.words, {at, no_node, no_node}, 0, by_member));
}

// Nothing: the table would be too large.
std::optional<SetLifter::Transposed> SetLifter::transposed(const StaticRows& rows, const StaticNames& names,
                                                           std::uint32_t members, const Lift& lift) {
    const std::size_t width = lift.shape.words;
    Transposed result;
    for (std::size_t k = 0; k < rows.names.size(); ++k)
        if (names.values[k] != no_node) result.combinations *= rows.radix[k];
    if (result.combinations * members * width > StaticTables::most_words) return std::nullopt;
    result.any.assign(result.combinations * rows.words, 0);
    result.some.assign(result.combinations * width, 0);
    result.by_member.assign(result.combinations * members * width, 0);
    for (std::size_t c = 0; c < result.combinations; ++c)
        for (std::size_t bit = 0; bit < lift.shape.bits; ++bit) {
            const auto row = lift.is_real(bit) ? row_at(rows, names, c, bit) : std::nullopt;
            for (std::size_t m = 0; row && m < members; ++m) {
                if (!rows.has(*row, m)) continue;
                result.any[c * rows.words + m / 64] |= std::uint64_t{1} << m % 64;
                result.some[c * width + bit / 64] |= std::uint64_t{1} << bit % 64;
                result.by_member[(c * members + m) * width + bit / 64] |= std::uint64_t{1} << bit % 64;
            }
        }
    return result;
}

// The row for a combination of the values that do not depend on the lifted variable, and a bit of that.
std::optional<std::size_t> SetLifter::row_at(const StaticRows& rows, const StaticNames& names, std::size_t combination,
                                             std::size_t bit) {
    std::size_t row = 0, stride = 1;
    for (std::size_t k = rows.names.size(); k-- > 0;) {
        std::size_t part = 0;
        if (names.values[k] != no_node) {
            part = combination % rows.radix[k];
            combination /= rows.radix[k];
        } else if (const std::int64_t v = names.tables[k][bit]; v >= 0 && v < std::int64_t{rows.radix[k]}) {
            part = static_cast<std::size_t>(v);
        } else {
            return std::nullopt;
        }
        row += part * stride;
        stride *= rows.radix[k];
    }
    return row;
}

} // namespace zug::run
