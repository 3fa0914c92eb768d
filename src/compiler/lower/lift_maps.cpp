// Conditions on the values of maps.
//
// A condition on the value at one site is true for some values and false for the others. It is evaluated for each value
// at compile time, so that at run time it is a union of planes, however it was written. A number that is stored as a
// word is compared with one number for all sites at once.
//
// What can't be lifted as a whole is lifted for each value of a map. What a piece attacks, say, depends on what stands
// at its site: paths from all sites can't be followed at once, but they can from all sites with rooks, from all with
// knights, and so on.

#include "compiler/lower/set_lifter.hpp"

#include "base/narrow.hpp"

#include <algorithm>
#include <tuple>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::uint64_t most_split = 64;      // values of a map
constexpr int most_depth = 24;                // of an expression that is searched
constexpr std::uint32_t most_row_words = 256; // of a row whose number is not known beforehand

} // namespace

// -- value by value

// The condition that is evaluated. `about`: the read of the map; empty until the first is found, and all others must
// read the same map at the same site.
struct SetLifter::ByValue {
    const Lift& lift;
    std::optional<LiftedScalar> about = std::nullopt;
};

// The truth of `e` for each value of the map, by ordinal. False: it is not a condition on the value at one site.
bool SetLifter::truth_by_value(ir::ExprId unresolved, const Context& in, ByValue& known, std::vector<bool>& truth) {
    const Scoped e = resolve(unresolved, in);
    const Op op = expr(e.expr).op;
    switch (op) {
    case Op::Not:
        if (!truth_by_value(program_.argument(e.expr, 0), e.in, known, truth)) return false;
        truth.flip();
        return true;
    case Op::And:
    case Op::Or: {
        std::vector<bool> joined;
        for (ir::ExprId a : program_.arguments(e.expr)) {
            if (!truth_by_value(a, e.in, known, truth)) return false;
            if (joined.empty()) joined = truth;
            for (std::size_t o = 0; o < truth.size(); ++o)
                joined[o] = op == Op::And ? joined[o] && truth[o] : joined[o] || truth[o];
        }
        truth = std::move(joined);
        return !truth.empty();
    }
    case Op::Const:
        if (!known.about) return false;
        truth.assign(known.about->values.size(), expr(e.expr).imm != 0);
        return true;
    case Op::IsNone:
    case Op::Eq: return compare_by_value(e, known, truth);
    default: return false;
    }
}

bool SetLifter::compare_by_value(const Scoped& e, ByValue& known, std::vector<bool>& truth) {
    std::optional<LiftedScalar>& about = known.about;
    const auto arg = [&](std::size_t i) { return program_.argument(e.expr, i); };
    const bool equal = expr(e.expr).op == Op::Eq;
    // Accepts constants and reads of the one map. A constant gets its row of values once the number of values is known.
    const auto scalar = [&](ir::ExprId a, LiftedScalar& out) {
        if (kind(a) == TypeKind::Set || !lift_scalar(a, e.in, known.lift, out)) return false;
        if (out.kind == LiftedScalar::Kind::Table && !depends(a, e.in)) return true;
        if (out.kind != LiftedScalar::Kind::Map) return false;
        if (about)
            return about->state == out.state && about->row == out.row && about->rows == out.rows &&
                   about->table == out.table;
        about = out;
        return true;
    };
    const auto values = [&](const LiftedScalar& t) {
        return t.kind == LiftedScalar::Kind::Map ? t.values : std::vector(about->values.size(), t.table.front());
    };
    LiftedScalar a, b;
    if (equal && kind(arg(0)) == TypeKind::Real) return false;
    if (!scalar(arg(0), a) || (equal && !scalar(arg(1), b)) || !about) return false;
    const auto left = values(a), right = equal ? values(b) : std::vector(left.size(), ir::none);
    truth.resize(left.size());
    for (std::size_t o = 0; o < left.size(); ++o) truth[o] = left[o] == right[o];
    return true;
}

// The condition as a set; no_node: it is not a condition on the value at one site.
NodeRef SetLifter::lift_by_value(ir::ExprId e, const Context& in, const Lift& lift) {
    ByValue known{lift};
    std::vector<bool> truth;
    if (!truth_by_value(e, in, known, truth)) return no_node;
    if (std::ranges::count(truth, true) == 0) return empty(lift.shape.words);
    // The value with ordinal 0 has no plane: if it satisfies the condition, the complement takes fewer planes.
    const bool inverse = truth[0] && std::ranges::count(truth, true) > 1;
    for (std::size_t o = 0; o < truth.size(); ++o) known.about->values[o] = truth[o] != inverse ? 1 : 0;
    const NodeRef sites = map_equals(*known.about, 1, in, lift);
    return sites == no_node || !inverse ? sites : graph_.and_not(lift.universe, sites);
}

// -- numbers

// The bits that no value of the type has.
NodeRef SetLifter::padding(ir::TypeId type) {
    const SetShape shape = layout_.shape(type);
    std::vector<std::uint64_t> words(shape.words, 0);
    for (std::uint32_t b = 0; b < shape.bits; ++b)
        words[b / 64] |= std::uint64_t{layout_.value_of_bit(type, b) == ir::none} << (b % 64);
    return graph_.set(std::move(words));
}

// The words or bytes of the slots that a read of a map may mean, by its last index; the others don't depend on the
// lifted variable.
struct SetLifter::Row {
    NodeRef words = no_node;
    bool bytes = false;
    NodeRef outside = no_node; // the truth that there is no such row: what is read there is `least`
    std::int64_t least = 0;
};

// False: the map is not stored so, or there is no row for all values of the variable.
bool SetLifter::find_row(const Scoped& read, Row& out) {
    const auto id = static_cast<ir::StateId>(expr(read.expr).imm);
    const ir::StateVariable& variable = program_.states[id];
    const VariableLayout& at = layout_.variable(id);
    out.bytes = at.storage == Storage::Bytes;
    if (!variable.assigned || (!out.bytes && at.storage != Storage::Words)) return false;
    std::vector<NodeRef> indices;
    for (const ir::ExprId e : program_.arguments(read.expr).first(variable.indices.size() - 1)) {
        if (depends(e, read.in)) return false;
        indices.push_back(eval(e, read.in));
    }
    const std::uint32_t size = layout_.index_radix(variable.indices.back());
    const std::uint32_t rows = out.bytes ? at.rows : at.slots / size;
    const NodeRef row = lowering_.entry_number(id, indices);
    out.outside =
        graph_.either(graph_.op(Family::Lt, row, graph_.word(0)), graph_.op(Family::Lt, graph_.word(rows - 1), row));
    out.least = layout_.to_register(variable.value, program_.types.value(variable.value, 0));
    const std::uint16_t words = out.bytes ? at.row_words : narrow<std::uint16_t>(size);
    if (!graph_.is_constant(row) || !graph_.is_constant(out.outside)) {
        if (words > most_row_words) return false;
        out.words = graph_.make(Family::SetAt, words, {lowering_.state_words(id, read.in), row, no_node},
                                static_cast<std::int32_t>(rows));
        return true;
    }
    if (graph_.constant_word(out.outside) != 0) return false;
    const Reg base = lowering_.base_of(id, read.in);
    const auto first = narrow<Reg>(base + static_cast<std::uint64_t>(graph_.constant_word(row)) * words);
    out.words = base == at.reg ? graph_.read(first, words) : graph_.fixed(first, words);
    return true;
}

// {v | bound < map(v)}, where `map` reads scalars stored as words or bytes, in a slot that depends on v. no_node: it is
// another expression, or the slot is not a table over v.
NodeRef SetLifter::lift_above(ir::ExprId map, const Context& in, NodeRef bound, const Lift& lift) {
    const Scoped r = resolve(map, in);
    if (expr(r.expr).op != Op::MapGet || !depends(r.expr, r.in)) return no_node;
    const ir::StateVariable& variable = program_.states[static_cast<ir::StateId>(expr(r.expr).imm)];
    const ir::TypeId type = variable.indices.back();
    if (program_.types.kind(type) == TypeKind::Optional) return no_node;
    std::vector<std::int64_t> columns;
    Row row;
    if (!lift_table(program_.arguments(r.expr).back(), r.in, lift, columns) || !find_row(r, row)) return no_node;
    const SetShape shape = layout_.shape(type);
    const std::uint32_t size = layout_.index_radix(type);
    columns = index_bits(type, std::move(columns));
    for (std::int64_t& column : columns) column = std::max<std::int64_t>(column, -1); // nowhere
    const NodeRef nowhere = constant_where(lift, [&](std::size_t b) { return columns[b] < 0; });
    NodeRef above = graph_.make(row.bytes ? Family::BytesAbove : Family::WordsAbove, shape.words,
                                {row.words, bound, no_node}, static_cast<std::int32_t>(size));
    // The slots of padding hold zeros, which may exceed the bound: they are no sites, and no steps lead to them.
    above = graph_.and_not(above, padding(type));
    NodeRef found = preimage(columns, above, shape, lift);
    if (found == no_node) return no_node;
    const NodeRef least = graph_.op(Family::Lt, bound, graph_.word(row.least));
    found = graph_.or_(found, graph_.bcast(least, nowhere));
    return graph_.select(row.outside, graph_.bcast(least, lift.universe), found);
}

// {v | a(v) < b(v)}, or equality, where one side is such a scalar and the other does not depend on v; no_node: other
// expressions.
NodeRef SetLifter::lift_number(const Scoped& a, const Scoped& b, bool equal, const Lift& lift) {
    const auto is_number = [&](const Scoped& e) { return kind(e.expr) == TypeKind::Int; };
    const auto is_word = [&](const Scoped& e) {
        return kind(e.expr) != TypeKind::Set && kind(e.expr) != TypeKind::Real && kind(e.expr) != TypeKind::Path;
    };
    if (equal ? !is_word(a) || !is_word(b) : !is_number(a) || !is_number(b)) return no_node;
    const bool left = depends(a.expr, a.in);
    if (left == depends(b.expr, b.in)) return no_node;
    const auto& [map, other] = left ? std::tie(a, b) : std::tie(b, a);
    const auto above = [&](NodeRef bound) { return lift_above(map.expr, map.in, bound, lift); };
    const NodeRef value = eval(other.expr, other.in);
    if (!equal && !left) return above(value);
    const NodeRef not_less = above(graph_.op(Family::Sub, value, graph_.word(1)));
    if (not_less == no_node) return no_node;
    if (!equal) return graph_.and_not(lift.universe, not_less);
    const NodeRef found = graph_.and_not(not_less, above(value));
    if (is_number(other)) return found;
    // Nothing is less than `none`.
    const NodeRef none = graph_.word(ir::none);
    return graph_.select(graph_.op(Family::Eq, value, none), lift_stored_none(map, lift), found);
}

// {v | map(v) = none}, of such a map.
NodeRef SetLifter::lift_stored_none(const Scoped& map, const Lift& lift) {
    const NodeRef some = lift_above(map.expr, map.in, graph_.word(ir::none), lift);
    return some == no_node ? no_node : graph_.and_not(lift.universe, some);
}

// -- whole expressions, value by value

// A map stored as planes, and the name of the lifted variable, at which it is read.
struct SetLifter::ReadAtLifted {
    ir::StateId state{};
    ir::VarId var{};
};

std::optional<SetLifter::ReadAtLifted> SetLifter::read_at_lifted(ir::ExprId unresolved, const Context& in,
                                                                 const Lift& lift, int depth) {
    if (depth == 0 || !depends(unresolved, in)) return std::nullopt;
    // Names that are bound further inside have no value here, but other parts may be about the lifted variable.
    const bool known = names_known(unresolved, in);
    const Scoped e = known ? resolve(unresolved, in) : Scoped{unresolved, in};
    const ir::Expr& x = expr(e.expr);
    if (known && x.op == Op::MapGet && x.arg_count == 1) {
        const auto id = static_cast<ir::StateId>(x.imm);
        const Scoped site = resolve(program_.argument(e.expr, 0), e.in);
        const bool named = expr(site.expr).op == Op::Var && program_.states[id].assigned &&
                           layout_.variable(id).storage == Storage::Planes &&
                           program_.types.cardinality(program_.states[id].value) <= most_split;
        const auto var = static_cast<ir::VarId>(expr(site.expr).imm);
        const Binding* const b = named ? lowering_.find(var, site.in) : nullptr;
        if (b != nullptr && b->kind == Binding::Kind::Table &&
            b->table == lowering_.values_by_bit(expr(site.expr).type, lift))
            return ReadAtLifted{id, var};
    }
    for (const ir::ExprId part : program_.arguments(e.expr))
        if (const auto found = read_at_lifted(part, e.in, lift, depth - 1)) return found;
    return std::nullopt;
}

// The union, or the sum, of f(context, sites) over the values of a map that `e` reads at the lifted variable: the sites
// that hold the value, and a context in which it is assumed. `none`: the union, or the sum, of nothing.
template <class F>
NodeRef SetLifter::value_by_value(ir::ExprId e, const Context& in, const Lift& lift, Joined joined, F&& f) {
    if (in.assumed || failed() || lift.shape.board < 0) return no_node;
    const auto read = read_at_lifted(e, in, lift, most_depth);
    if (!read) return no_node;
    const ir::TypeId type = program_.states[read->state].value;
    NodeRef result = joined.none;
    for (std::uint64_t o = 0; o < program_.types.cardinality(type); ++o) {
        const std::int64_t value = layout_.to_register(type, program_.types.value(type, o));
        const NodeRef sites = plane_of(read->state, o, in);
        if (lift.within != no_node && graph_.is_empty(graph_.and_(lift.within, sites))) continue;
        const NodeRef part = f(in.with_assumed(Assumption{read->state, read->var, value}), sites);
        if (part == no_node) return no_node;
        result = joined.by == Family::Or ? graph_.or_(result, part) : graph_.op(joined.by, result, part);
    }
    return result;
}

bool SetLifter::for_each_value(std::span<const ir::ExprId> list, const Context& in, NodeRef over, const Lift& lift,
                               const std::function<bool(const Context&, NodeRef)>& f) {
    if (!in.assumed && lift.shape.board >= 0)
        for (const ir::ExprId e : list) {
            if (!read_at_lifted(e, in, lift, most_depth)) continue;
            return value_by_value(e, in, lift.narrowed(graph_, over), {Family::Or, empty(1)},
                                  [&](const Context& assuming, NodeRef sites) {
                                      return f(assuming, graph_.and_(over, sites)) ? empty(1) : no_node;
                                  }) != no_node;
        }
    return f(in, over);
}

NodeRef SetLifter::truth_value_by_value(ir::ExprId e, const Context& in, const Lift& lift) {
    return value_by_value(e, in, lift, {Family::Or, empty(lift.shape.words)},
                          [&](const Context& assuming, NodeRef sites) {
                              const NodeRef truth = lift_truth(e, assuming, lift);
                              return truth == no_node ? no_node : graph_.and_(sites, truth);
                          });
}

// The sum over the members of `over`, where the body is the same for all members at which the map holds the same.
NodeRef SetLifter::sum_value_by_value(ir::ExprId body, const Context& in, NodeRef over, const Lift& lift) {
    return value_by_value(body, in, lift, {Family::Add, graph_.word(0)}, [&](const Context& assuming, NodeRef sites) {
        if (depends(body, assuming)) return no_node;
        const NodeRef members = graph_.and_(over, sites);
        return graph_.op(Family::Mul, graph_.count(members), eval(body, assuming));
    });
}

NodeRef SetLifter::meets_value_by_value(ir::ExprId set, const Context& in, NodeRef target, const Lift& lift) {
    return value_by_value(set, in, lift, {Family::Or, empty(lift.shape.words)},
                          [&](const Context& assuming, NodeRef sites) {
                              const NodeRef met = lift_meets(set, assuming, target, lift);
                              return met == no_node ? no_node : graph_.and_(sites, met);
                          });
}

NodeRef SetLifter::union_value_by_value(ir::ExprId set, const Context& in, NodeRef over, const Lift& lift) {
    const NodeRef none = empty(lowering_.width_of(expr(set).type));
    return value_by_value(set, in, lift, {Family::Or, none}, [&](const Context& assuming, NodeRef sites) {
        return lift_union(set, assuming, graph_.and_(over, sites), lift);
    });
}

} // namespace zug::run
