// Conditions about what maps hold.
//
// About the value at one site: true for some values, false for the others. Worked out value by value when the code is
// made, so that at run time such a condition is a union of planes, however it was written. About a number kept as a
// word: compared with one number for all sites at once.

#include "compiler/lower/set_lifter.hpp"

#include <algorithm>
#include <tuple>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

// -- value by value

// What is looked at. `about`: a term of the site; empty until the first is met, and all others must be of the same
// site.
struct SetLifter::ByValue {
    const Lift& lift;
    std::optional<Term> about = std::nullopt;
};

// The condition at `e` for each value, by ordinal. False: it isn't of this kind.
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
    std::optional<Term>& about = known.about;
    const auto arg = [&](std::size_t i) { return program_.argument(e.expr, i); };
    const bool equal = expr(e.expr).op == Op::Eq;
    // A term: its value for each value of the map. Constants have one for all, once it is known how many there are.
    const auto term = [&](ir::ExprId a, Term& out) {
        if (kind(a) == TypeKind::Set || !lift_term(a, e.in, known.lift, out)) return false;
        if (out.kind == Term::Kind::Table && !depends(a, e.in)) return true;
        if (out.kind != Term::Kind::Map) return false;
        if (about) return about->state == out.state && about->table == out.table;
        about = out;
        return true;
    };
    const auto values = [&](const Term& t) {
        return t.kind == Term::Kind::Map ? t.values : std::vector(about->values.size(), t.table.front());
    };
    Term a, b;
    if (equal && kind(arg(0)) == TypeKind::Real) return false;
    if (!term(arg(0), a) || (equal && !term(arg(1), b)) || !about) return false;
    const auto left = values(a), right = equal ? values(b) : std::vector(left.size(), ir::none);
    truth.resize(left.size());
    for (std::size_t o = 0; o < left.size(); ++o) truth[o] = left[o] == right[o];
    return true;
}

// The condition as a set; no_node: it isn't about the value at one site.
NodeRef SetLifter::lift_by_value(ir::ExprId e, const Context& in, const Lift& lift) {
    ByValue known{lift};
    std::vector<bool> truth;
    if (!truth_by_value(e, in, known, truth)) return no_node;
    if (std::ranges::count(truth, true) == 0) return empty(lift.shape.words);
    // Where it holds for the value of ordinal 0, which has no plane, it is simpler to say where it doesn't.
    const bool inverse = truth[0] && std::ranges::count(truth, true) > 1;
    for (std::size_t o = 0; o < truth.size(); ++o) known.about->values[o] = truth[o] != inverse ? 1 : 0;
    const NodeRef sites = map_equals(*known.about, 1, in, lift);
    return sites == no_node || !inverse ? sites : graph_.and_not(lift.universe, sites);
}

// -- numbers

// The bits that stand for no member.
NodeRef SetLifter::padding(const Lift& lift) {
    std::vector<std::uint64_t> words(lift.shape.words, 0);
    for (std::uint32_t b = 0; b < lift.shape.bits; ++b)
        if (!lift.real[b]) words[b / 64] |= std::uint64_t{1} << (b % 64);
    return graph_.set(std::move(words));
}

// {v | bound < map(v)}, where `map` reads numbers kept as words at a site that depends on v. no_node: it is another
// expression, or the site is not known well enough.
NodeRef SetLifter::lift_above(ir::ExprId map, const Context& in, NodeRef bound, const Lift& lift) {
    const Scoped r = resolve(map, in);
    if (expr(r.expr).op != Op::MapGet || !depends(r.expr, r.in)) return no_node;
    const auto id = static_cast<ir::StateId>(expr(r.expr).imm);
    const ir::StateVariable& variable = program_.states[id];
    const VariableLayout& at = layout_.variable(id);
    if (!variable.assigned || at.storage != Storage::Words || program_.types.kind(variable.value) != TypeKind::Int)
        return no_node;
    // All indices but the last must be constants: the slots in question are consecutive.
    std::uint64_t row = 0;
    const auto indices = program_.arguments(r.expr);
    for (std::size_t i = 0; i + 1 < indices.size(); ++i) {
        if (depends(indices[i], r.in)) return no_node;
        const NodeRef bit = lowering_.to_bit(variable.indices[i], eval(indices[i], r.in));
        const std::uint32_t size = layout_.index_radix(variable.indices[i]);
        if (!graph_.is_constant(bit) || static_cast<std::uint64_t>(graph_.constant_word(bit)) >= size) return no_node;
        row = row * size + static_cast<std::uint64_t>(graph_.constant_word(bit));
    }
    std::vector<std::int64_t> columns;
    if (!lift_table(indices.back(), r.in, lift, columns)) return no_node;
    const ir::TypeId type = variable.indices.back();
    const SetShape shape = layout_.shape(type);
    const std::uint32_t size = layout_.index_radix(type);
    const std::int64_t low = program_.types.kind(type) == TypeKind::Int ? program_.types[type].lo : 0;
    if (program_.types.kind(type) == TypeKind::Optional) return no_node;
    std::vector<bool> nowhere(columns.size());
    for (std::size_t b = 0; b < columns.size(); ++b) {
        const std::int64_t column = columns[b] == undefined || columns[b] == ir::none ? -1 : columns[b] - low;
        nowhere[b] = lift.real[b] && (column < 0 || column >= static_cast<std::int64_t>(size));
        columns[b] = column < 0 || column >= static_cast<std::int64_t>(size) ? -1 : column;
    }
    const Reg base = lowering_.base_of(id, in);
    const auto first = static_cast<Reg>(base + row * size);
    const auto words = static_cast<std::uint16_t>(size);
    const NodeRef numbers = base == at.reg ? graph_.read(first, words) : graph_.fixed(first, words);
    const NodeRef above =
        graph_.make(Family::WordsAbove, shape.words, {numbers, bound, no_node}, static_cast<std::int32_t>(size));
    NodeRef found = preimage(columns, above, lift);
    // Padding holds zeros, which may be above the bound, too.
    if (found != no_node) found = graph_.and_not(found, padding(lift));
    // An index that is none reads as the least number.
    const NodeRef least = graph_.op(Family::Lt, bound, graph_.word(program_.types[variable.value].lo));
    return found == no_node ? no_node : graph_.or_(found, graph_.bcast(least, lifted_constant(nowhere, lift)));
}

// `a` < `b`, or a = b, where one side is such a number and the other is the same for all; no_node: it isn't so.
NodeRef SetLifter::lift_number(const Scoped& a, const Scoped& b, bool equal, const Lift& lift) {
    if (kind(a.expr) != TypeKind::Int || kind(b.expr) != TypeKind::Int) return no_node;
    const bool left = depends(a.expr, a.in);
    if (left == depends(b.expr, b.in)) return no_node;
    const auto& [map, other] = left ? std::tie(a, b) : std::tie(b, a);
    const NodeRef number = eval(other.expr, other.in);
    const NodeRef less = graph_.op(Family::Sub, number, graph_.word(1));
    const auto above = [&](NodeRef bound) { return lift_above(map.expr, map.in, bound, lift); };
    if (!equal && !left) return above(number);
    const NodeRef not_less = above(less);
    if (not_less == no_node) return no_node;
    return equal ? graph_.and_not(not_less, above(number)) : graph_.and_not(lift.universe, not_less);
}

} // namespace zug::run
