// Scalars that depend on the lifted variable, and the preimages of sets under them.

#include "compiler/lower/candidate_finder.hpp"
#include "compiler/lower/set_lifter.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

// Whether the table has values that are not negative, and all of these are the same.
bool all_equal(const std::vector<std::int64_t>& table, std::int64_t& value) {
    bool found = false;
    for (const std::int64_t here : table) {
        if (here < 0) continue;
        if (found && here != value) return false;
        value = here;
        found = true;
    }
    return found;
}

} // namespace

std::vector<std::int64_t> sums_within(std::vector<std::int64_t> table, std::int64_t number, const ir::Type& type) {
    for (std::int64_t& value : table) {
        const bool inside = value != undefined && value + number >= type.lo && value + number <= type.hi;
        value = inside ? value + number : undefined;
    }
    return table;
}

NodeRef SetLifter::constant(std::vector<std::uint64_t> members, const Lift& lift) {
    lowering_.pay_for_constant(members.size());
    for (std::size_t w = 0; w < members.size(); ++w) members[w] &= lift.real[w];
    return members == lift.real ? lift.universe : graph_.set(std::move(members));
}

// {v | table[v] in set}, of a set of the shape `of`
NodeRef SetLifter::preimage(const std::vector<std::int64_t>& given, NodeRef set, const SetShape& of, const Lift& lift) {
    std::vector<std::int64_t> table(given);
    for (std::size_t b = 0; b < table.size(); ++b)
        if (!lift.is_real(b)) table[b] = -1;
    std::int64_t value = 0;
    const std::uint16_t words = graph_.width(set);
    if (graph_.is_constant(set)) {
        const auto& bits = graph_[set].value;
        return constant_where(lift, [&](std::size_t b) {
            return table[b] >= 0 && table[b] < words * 64 &&
                   (bits[static_cast<std::size_t>(table[b]) / 64] >> (table[b] % 64) & 1) != 0;
        });
    }
    const NodeRef domain = constant_where(lift, [&](std::size_t b) { return table[b] >= 0; });
    if (graph_.is_empty(domain)) return domain;
    if (all_equal(table, value)) {
        const NodeRef is_in = graph_.make(Family::Test, words, {graph_.word(value), set, no_node}, words * 64);
        return graph_.bcast(is_in, domain);
    }
    if (words != lift.shape.words) {
        const NodeRef by_runs = preimage_of_runs(table, set, lift);
        return by_runs != no_node ? by_runs : preimage_by_value(table, set, lift);
    }
    return shifted_preimage(table, set, domain, of.board >= 0 && of.board == lift.shape.board, lift);
}

// Between sets of the same width. `domain`: the bits for which the table is defined. `same_board`: all are of the sites
// of one board.
NodeRef SetLifter::shifted_preimage(const std::vector<std::int64_t>& table, NodeRef set, NodeRef domain,
                                    bool same_board, const Lift& lift) {
    // A table of constant distance is a shift of the set towards the variable.
    std::optional<std::int64_t> d;
    bool constant = true;
    for (std::size_t b = 0; b < table.size() && constant; ++b) {
        if (table[b] < 0) continue;
        const std::int64_t here = static_cast<std::int64_t>(b) - table[b];
        constant = !d || *d == here;
        d = here;
    }
    if (!constant && lift.entries)
        if (const NodeRef found = preimage_by_distance(table, set, lift); found != no_node) return found;
    if (!constant) {
        std::vector<std::int64_t> gather(table);
        for (auto& t : gather) t = t < 0 ? -1 : t;
        return graph_.gather(set, std::move(gather));
    }
    // The shift is exact if it moves no site to a site for which the table is undefined; else the domain is its mask.
    bool exact = same_board;
    for (std::size_t b = 0; b < table.size() && exact; ++b) {
        if (!lift.is_real(b) || table[b] >= 0) continue;
        const std::int64_t from = static_cast<std::int64_t>(b) - *d;
        exact = from < 0 || from >= static_cast<std::int64_t>(table.size()) ||
                !lift.is_real(static_cast<std::size_t>(from));
    }
    // A set of numbers or tuples may be over a larger type, whose other members the mask has to remove. So the mask
    // must not be marked as a universe, which every set over the type is known to be a subset of.
    const bool larger = !same_board && graph_.is_universe(domain);
    const NodeRef mask = exact ? lift.universe : larger ? graph_.set(ValueGraph::Node(graph_[domain]).value) : domain;
    return graph_.shift_and(set, static_cast<std::int32_t>(*d), mask);
}

// The bits of a table, as a set of that many words, by how far above them their members are.
static SetLifter::Runs runs_of(const std::vector<std::int64_t>& table, std::uint16_t words) {
    SetLifter::Runs runs;
    for (std::size_t b = 0; b < table.size(); ++b) {
        if (table[b] < 0) continue;
        auto& bits = runs[table[b] - static_cast<std::int64_t>(b)];
        bits.resize(words);
        bits[b / 64] |= std::uint64_t{1} << (b % 64);
    }
    return runs;
}

// A shift for each of a few distances: at the edges of a matrix numbers are often kept in range. no_node: they are
// many.
NodeRef SetLifter::preimage_by_distance(const std::vector<std::int64_t>& table, NodeRef set, const Lift& lift) {
    constexpr std::size_t most_distances = 4;
    const Runs runs = runs_of(table, lift.shape.words);
    return runs.size() > most_distances ? no_node : shifted_runs(runs, set);
}

NodeRef SetLifter::shifted_runs(const Runs& runs, NodeRef set) {
    NodeRef result = empty(graph_.width(set));
    for (const auto& [above, bits] : runs)
        result = graph_.or_(result, graph_.shift_and(set, static_cast<std::int32_t>(-above), graph_.set(bits)));
    return result;
}

// From a set to one of fewer words, by a table of a few distances, such as that of all tuples with the same first
// parts: a shift for each. no_node: it is another table.
NodeRef SetLifter::preimage_of_runs(const std::vector<std::int64_t>& table, NodeRef set, const Lift& lift) {
    constexpr std::size_t most_runs = 12;
    if (graph_.width(set) < lift.shape.words) return no_node;
    const Runs runs = runs_of(table, graph_.width(set));
    if (runs.size() > most_runs) return no_node;
    if (lift.shape.words > 1)
        return graph_.make(Family::SetAt, lift.shape.words, {shifted_runs(runs, set), graph_.word(0), no_node}, 1);
    NodeRef result = empty(1);
    for (const auto& [above, bits] : runs) result = graph_.or_(result, run_in_word(set, above, bits[0]));
    return result;
}

// Those of the bits whose members, so far above them, are in the set, which lie in two words at most.
NodeRef SetLifter::run_in_word(NodeRef set, std::int64_t above, std::uint64_t bits) {
    const std::int64_t words = graph_.width(set), skipped = (above % 64 + 64) % 64, word = (above - skipped) / 64;
    const std::uint64_t in_next = skipped == 0 ? 0 : ~std::uint64_t{0} << (64 - skipped);
    const auto part = [&](std::int64_t number, std::int64_t shift, std::uint64_t mask) {
        if (mask == 0 || number < 0 || number >= words) return empty(1);
        const NodeRef all =
            graph_.make(Family::SetAt, 1, {set, graph_.word(number), no_node}, static_cast<std::int32_t>(words));
        return graph_.shift_and(all, static_cast<std::int32_t>(shift), graph_.set({mask}));
    };
    return graph_.or_(part(word, -skipped, bits & ~in_next), part(word + 1, 64 - skipped, bits & in_next));
}

// Between sets of different widths: for each value of the table a test of membership.
NodeRef SetLifter::preimage_by_value(const std::vector<std::int64_t>& table, NodeRef set, const Lift& lift) {
    constexpr std::size_t most_values = 64;
    const std::uint16_t words = graph_.width(set);
    std::vector<std::int64_t> values;
    for (std::int64_t t : table)
        if (t >= 0 && std::find(values.begin(), values.end(), t) == values.end()) values.push_back(t);
    if (values.size() > most_values) return no_node;
    NodeRef result = empty(lift.shape.words);
    for (std::int64_t v : values) {
        const NodeRef here = constant_where(lift, [&](std::size_t b) { return table[b] == v; });
        const NodeRef is_in = graph_.make(Family::Test, words, {graph_.word(v), set, no_node}, words * 64);
        result = graph_.or_(result, graph_.bcast(is_in, here));
    }
    return result;
}

// -- scalars

bool SetLifter::lift_table(ir::ExprId e, const Context& in, const Lift& lift, std::vector<std::int64_t>& out) {
    LiftedScalar scalar;
    if (!lift_scalar(e, in, lift, scalar) || scalar.kind != LiftedScalar::Kind::Table) return false;
    out = std::move(scalar.table);
    return true;
}

// A scalar that is the same for all values of the variable: a table, if it is constant.
bool SetLifter::uniform_scalar(NodeRef value, const Lift& lift, LiftedScalar& out) {
    out.kind = graph_.is_constant(value) ? LiftedScalar::Kind::Table : LiftedScalar::Kind::Word;
    out.word = value;
    if (graph_.is_constant(value)) out.table.assign(lift.shape.bits, graph_.constant_word(value));
    return true;
}

bool SetLifter::find_scalar(ir::ExprId unresolved, const Context& in, const Lift& lift, LiftedScalar& out) {
    const Scoped e = resolve(unresolved, in);
    const TypeKind type = kind(e.expr);
    const bool scalar = type != TypeKind::Set && type != TypeKind::Real;
    if (!depends(e.expr, e.in))
        return scalar && type != TypeKind::Path && uniform_scalar(eval(e.expr, e.in), lift, out);
    switch (expr(e.expr).op) {
    case Op::Var: {
        const Binding* b = lowering_.find(static_cast<ir::VarId>(expr(e.expr).imm), e.in);
        if (b->kind != Binding::Kind::Table || b->table.size() != lift.shape.bits) return false;
        out.kind = LiftedScalar::Kind::Table;
        out.table = b->table;
        return true;
    }
    case Op::MapGet: return map_scalar(e, lift, out);
    case Op::Project: return part_scalar(e, lift, out);
    case Op::The: return lowering_.is_only_member(e) && member_scalar(e, lift, out);
    case Op::CoordX:
    case Op::CoordY:
    case Op::Number:
    case Op::SiteAt:
    case Op::SiteNumber:
    case Op::NextPlayer:
    case Op::PrevPlayer:
    case Op::MakeTuple:
    case Op::If: return scalar && folded_scalar(e, lift, out);
    default: return scalar && ir::is_arithmetic(expr(e.expr).op) && folded_scalar(e, lift, out);
    }
}

// What a map holds at a site that depends on the variable.
bool SetLifter::map_scalar(const Scoped& e, const Lift& lift, LiftedScalar& out) {
    if (const std::int64_t* const assumed = lowering_.assumed_at(e.expr, e.in); assumed != nullptr)
        return uniform_scalar(graph_.word(*assumed), lift, out);
    const auto id = static_cast<ir::StateId>(expr(e.expr).imm);
    const ir::StateVariable& variable = program_.states[id];
    if (!variable.assigned) return program_.types.kind(variable.value) != TypeKind::Set && folded_scalar(e, lift, out);
    if (layout_.variable(id).storage != Storage::Planes) return false;
    if (!lift_table(program_.arguments(e.expr).back(), e.in, lift, out.table)) return false;
    out.table = index_bits(variable.indices.back(), std::move(out.table));
    out.row = no_node;
    out.rows.clear();
    if (variable.indices.size() > 1 && !lift_row(e, lift, out)) return false;
    out.kind = LiftedScalar::Kind::Map;
    out.state = id;
    const std::uint64_t count = program_.types.cardinality(variable.value);
    out.values.clear();
    for (std::uint64_t o = 0; o < count; ++o)
        out.values.push_back(layout_.to_register(variable.value, program_.types.value(variable.value, o)));
    return true;
}

// The rows that a read of a map with several indices means, and the bits in them.
bool SetLifter::lift_row(const Scoped& read, const Lift& lift, LiftedScalar& out) {
    const auto id = static_cast<ir::StateId>(expr(read.expr).imm);
    const std::vector<ir::TypeId>& types = program_.states[id].indices;
    const auto leading = program_.arguments(read.expr).first(types.size() - 1);
    if (std::ranges::none_of(leading, [&](ir::ExprId index) { return depends(index, read.in); })) {
        std::vector<NodeRef> row;
        for (const ir::ExprId index : leading) row.push_back(eval(index, read.in));
        out.row = lowering_.entry_number(id, row);
        return true;
    }
    const VariableLayout& at = layout_.variable(id);
    // Else bits would have to be moved one by one.
    if (lift.shape.words != at.row_words && !(at.matrix && lift.shape.words == at.set_words)) return false;
    out.rows.assign(out.table.size(), 0);
    for (std::size_t i = 0; i < leading.size(); ++i) {
        std::vector<std::int64_t> index;
        if (!lift_table(leading[i], read.in, lift, index)) return false;
        index = index_bits(types[i], std::move(index));
        for (std::size_t b = 0; b < index.size(); ++b) {
            if (index[b] == undefined || index[b] == ir::none)
                out.table[b] = out.table[b] == undefined ? undefined : index[b];
            else
                out.rows[b] = out.rows[b] * layout_.entry_radix(id, i) + index[b];
        }
    }
    return true;
}

// A component of a tuple.
bool SetLifter::part_scalar(const Scoped& e, const Lift& lift, LiftedScalar& out) {
    const ir::ExprId tuple_expr = program_.argument(e.expr, 0);
    const auto number = static_cast<std::size_t>(expr(e.expr).imm);
    LiftedScalar whole;
    if (!lift_scalar(tuple_expr, e.in, lift, whole) || whole.kind == LiftedScalar::Kind::Word) return false;
    const ir::TypeTable& types = program_.types;
    const ir::TypeId given = expr(tuple_expr).type;
    const ir::TypeId tuple = types.kind(given) == TypeKind::Optional ? types.inner(given) : given;
    const ir::TypeId part = types[tuple].parts[number];
    const std::int64_t first =
        types.kind(part) == TypeKind::Optional ? ir::none : layout_.to_register(part, types.value(part, 0));
    out = std::move(whole);
    for (std::int64_t& v : out.kind == LiftedScalar::Kind::Map ? out.values : out.table)
        if (v != undefined) v = v == ir::none ? first : layout_.to_register(part, types.project(tuple, v, number));
    return true;
}

// The only member of a set. Supported if the set has at most one candidate, with a constant guard.
bool SetLifter::member_scalar(const Scoped& e, const Lift& lift, LiftedScalar& out) {
    std::vector<Candidate> list;
    if (!lowering_.candidates().find(program_.argument(e.expr, 0), e.in, lift, list)) return false;
    if (list.size() > 1) return false;
    out.kind = LiftedScalar::Kind::Table;
    out.table.assign(lift.shape.bits, ir::none);
    if (list.empty()) return true;
    if (!graph_.is_constant(list[0].guard)) return false;
    const auto& words = graph_[list[0].guard].value;
    for (std::uint32_t b = 0; b < lift.shape.bits; ++b)
        if ((words[b / 64] >> (b % 64) & 1) != 0 && list[0].table[b] >= 0) out.table[b] = list[0].table[b];
    return true;
}

// An operation on tables, evaluated at compile time: for each value of the variable, constant folding of the
// expression.
bool SetLifter::folded_scalar(const Scoped& e, const Lift& lift, LiftedScalar& out) {
    std::vector<std::pair<ir::VarId, std::vector<std::int64_t>>> tables;
    for (ir::VarId v : lowering_.free_vars(e.expr)) {
        const Binding* b = lowering_.find(v, e.in);
        if (b == nullptr) return false;
        if (b->kind == Binding::Kind::Table) tables.emplace_back(v, b->table);
        if (b->kind != Binding::Kind::Closure) continue;
        LiftedScalar named;
        if (!lift_scalar(b->expr, e.in.with_env(b->env), lift, named) || named.kind != LiftedScalar::Kind::Table)
            return false;
        tables.emplace_back(v, std::move(named.table));
    }
    out.kind = LiftedScalar::Kind::Table;
    if (kind(e.expr) == TypeKind::Int && known_numbers(e, lift, out.table)) return true;
    out.table.assign(lift.shape.bits, undefined);
    for (std::uint32_t bit = 0; bit < lift.shape.bits; ++bit) {
        if (!lift.is_real(bit)) continue;
        Context at = e.in;
        bool defined = true;
        for (const auto& [v, table] : tables) {
            const std::int64_t value = table[bit];
            defined = defined && value != undefined;
            at = bind_node(v, graph_.word(value), at);
        }
        if (!defined) continue;
        const NodeRef n = eval(e.expr, at);
        if (!graph_.is_constant(n)) return false;
        out.table[bit] = graph_.constant_word(n);
    }
    return true;
}

// Row by row, where the row depends on the lifted variable.
NodeRef SetLifter::map_equals_by_row(const LiftedScalar& scalar, std::int64_t value, const Context& in,
                                     const Lift& lift) {
    constexpr std::size_t most_rows = 16;
    std::vector<std::int64_t> numbers = scalar.rows;
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    if (numbers.size() > most_rows) return no_node; // a loop over members is better then
    NodeRef result = empty(lift.shape.words);
    for (const std::int64_t number : numbers) {
        LiftedScalar row = scalar;
        row.rows.clear();
        row.row = graph_.word(number);
        for (std::size_t b = 0; b < row.table.size(); ++b)
            if (scalar.rows[b] != number) row.table[b] = undefined;
        const NodeRef here = map_equals(row, value, in, lift);
        if (here == no_node) return no_node;
        result = graph_.or_(result, here);
    }
    return result;
}

NodeRef SetLifter::map_equals(const LiftedScalar& scalar, std::int64_t value, const Context& in, const Lift& lift) {
    const VariableLayout& at = layout_.variable(scalar.state);
    const bool of_entries = lift.entries && at.matrix && lift.shape.words == at.set_words;
    if (!scalar.rows.empty() && !of_entries) return map_equals_by_row(scalar, value, in, lift);
    // Reading at `none` gives the value with ordinal 0.
    std::vector<std::int64_t> sites(scalar.table);
    for (std::size_t b = 0; b < sites.size(); ++b) {
        if (sites[b] == ir::none || sites[b] == undefined)
            sites[b] = -1;
        else if (!scalar.rows.empty())
            sites[b] += scalar.rows[b] * at.row_entries;
    }
    const SetShape of =
        of_entries ? lift.shape : layout_.shape(lowering_.bare(program_.states[scalar.state].indices.back()));
    const auto plane = [&](std::size_t o) { return plane_of(scalar.state, o, in, scalar.row); };
    NodeRef planes = no_node;
    bool zero = false;
    for (std::size_t o = 0; o < scalar.values.size(); ++o) {
        if (scalar.values[o] != value) continue;
        if (o == 0)
            zero = true;
        else
            planes = planes == no_node ? plane(o) : graph_.or_(planes, plane(o));
    }
    NodeRef result = planes == no_node ? empty(lift.shape.words) : preimage(sites, planes, of, lift);
    if (zero && result != no_node) {
        const NodeRef zeros = preimage(sites, plane(0), of, lift);
        if (zeros == no_node) return no_node;
        const NodeRef nowhere = constant_where(lift, [&](std::size_t b) { return scalar.table[b] == ir::none; });
        result = graph_.or_(result, graph_.or_(zeros, nowhere));
    }
    return result;
}

} // namespace zug::run
