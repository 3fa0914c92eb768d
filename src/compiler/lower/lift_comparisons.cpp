// Comparisons of two scalars, at least one of which depends on the lifted variable.

#include "compiler/lower/candidate_finder.hpp"
#include "compiler/lower/set_lifter.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::size_t most_values = 64;       // of a scalar that is compared value by value
constexpr std::size_t most_count_steps = 160; // operations that count the members of sets
constexpr std::size_t most_counted = 16;      // candidates, where the number is not known beforehand

} // namespace

std::vector<std::int64_t> distinct_values(const LiftedScalar& scalar) {
    std::vector<std::int64_t> values = scalar.kind == LiftedScalar::Kind::Map ? scalar.values : scalar.table;
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

NodeRef SetLifter::lift_equal(const Scoped& a, const Scoped& b, const Lift& lift) {
    const Scoped ra = resolve(a.expr, a.in), rb = resolve(b.expr, b.in);
    for (const auto& [candidate, other] : {std::pair{ra, rb}, std::pair{rb, ra}}) {
        if (expr(candidate.expr).op != Op::If) continue;
        const NodeRef c = lift_truth(program_.argument(candidate.expr, 0), candidate.in, lift);
        if (c == no_node) return no_node;
        const NodeRef yes = lift_equal({program_.argument(candidate.expr, 1), candidate.in}, other, lift);
        const NodeRef no = lift_equal({program_.argument(candidate.expr, 2), candidate.in}, other, lift);
        if (yes == no_node || no == no_node) return no_node;
        return graph_.or_(graph_.and_(c, yes), graph_.and_not(no, c));
    }
    if (const NodeRef counts = lift_count(ra, rb, true, lift); counts != no_node) return counts;
    if (const NodeRef numbers = lift_number(ra, rb, true, lift); numbers != no_node) return numbers;
    LiftedScalar x, y;
    if (!lift_scalar(ra.expr, ra.in, lift, x) || !lift_scalar(rb.expr, rb.in, lift, y)) {
        for (const auto& [map, other] : {std::pair{ra, rb}, std::pair{rb, ra}})
            if (const NodeRef found = lift_stored_there(map, other, lift); found != no_node) return found;
        return compare_cases(ra, rb, true, lift);
    }
    if (x.kind != LiftedScalar::Kind::Map && y.kind == LiftedScalar::Kind::Map) std::swap(x, y);
    if (x.kind == LiftedScalar::Kind::Word && y.kind == LiftedScalar::Kind::Table) std::swap(x, y);
    return equal_scalars(x, y, a.in, lift);
}

// The sets {v | at least k members}, of a set with a few candidates, for each k up to `known` and one more: a further
// candidate makes of those with k, where it is a member, some with k + 1.
bool SetLifter::lift_at_least(const Scoped& counted, std::optional<std::int64_t> known, const Lift& lift,
                              std::vector<NodeRef>& at_least) {
    if (expr(counted.expr).op == Op::Add) return sum_at_least(counted, known, lift, at_least);
    std::vector<NodeRef> list;
    if (expr(counted.expr).op == Op::SumOver) {
        if (!sum_of_truths(counted, lift.universe, lift, list) || (!known && list.size() > most_counted)) return false;
    } else {
        std::vector<Candidate> members;
        if (!lowering_.candidates().find(program_.argument(counted.expr, 0), counted.in, lift, members)) return false;
        if ((!known && members.size() > most_counted) || costs_more_than_a_loop(members, lift)) return false;
        lowering_.candidates().disjoin(members, lift);
        for (const Candidate& member : members) list.push_back(member.guard);
    }
    const auto all = static_cast<std::int64_t>(list.size());
    const auto most = static_cast<std::size_t>(known ? std::clamp<std::int64_t>(*known + 1, 0, all) : all);
    // Along a path each candidate is one only where those before it are.
    const auto nested = [&](std::size_t i) { return i == 0 || graph_.known_subset(list[i], list[i - 1]); };
    std::size_t chain = 0;
    while (chain < list.size() && nested(chain)) ++chain;
    if ((list.size() - chain) * (most + 1) > most_count_steps) return false;
    at_least.assign(most + 1, empty(lift.shape.words));
    at_least[0] = lift.universe;
    for (std::size_t k = 1; k <= std::min(most, chain); ++k) at_least[k] = list[k - 1];
    for (std::size_t i = chain; i < list.size(); ++i)
        for (std::size_t k = most; k > 0; --k)
            at_least[k] = graph_.or_(at_least[k], graph_.and_(at_least[k - 1], list[i]));
    return true;
}

// Of two such numbers that are added: k of both are i of the one and k - i of the other.
bool SetLifter::sum_at_least(const Scoped& sum, std::optional<std::int64_t> known, const Lift& lift,
                             std::vector<NodeRef>& at_least) {
    std::array<std::vector<NodeRef>, 2> parts;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
        if (!lift_at_least(resolve(program_.argument(sum.expr, i), sum.in), known, lift, parts[i])) return false;
    const auto& [a, b] = parts;
    std::size_t most = a.size() + b.size() - 2;
    if (known) most = std::min(most, static_cast<std::size_t>(std::max<std::int64_t>(*known + 1, 0)));
    if ((a.size() + b.size()) * (most + 1) > most_count_steps) return false;
    at_least.assign(most + 1, empty(lift.shape.words));
    for (std::size_t k = 0; k <= most; ++k)
        for (std::size_t i = 0; i < a.size() && i <= k; ++i)
            if (k - i < b.size()) at_least[k] = graph_.or_(at_least[k], graph_.and_(a[i], b[k - i]));
    return true;
}

// The sets whose members a sum counts: where its conditions hold, once or a few times each. `where`: those that count.
// False: it is another sum.
bool SetLifter::sum_of_truths(const Scoped& unresolved, NodeRef where, const Lift& lift, std::vector<NodeRef>& out) {
    constexpr std::int64_t most_times = 3;
    if (failed() || !lowering_.within_budget() || out.size() > most_count_steps) return false;
    const Scoped e = resolve(unresolved.expr, unresolved.in);
    const auto part = [&](std::size_t i, NodeRef there) {
        return sum_of_truths({program_.argument(e.expr, i), e.in}, there, lift, out);
    };
    if (graph_.is_empty(where)) return true;
    switch (expr(e.expr).op) {
    case Op::Const:
        if (expr(e.expr).imm < 0 || expr(e.expr).imm > most_times) return false;
        out.insert(out.end(), static_cast<std::size_t>(expr(e.expr).imm), where);
        return true;
    case Op::Add: return part(0, where) && part(1, where);
    case Op::If: {
        const NodeRef holds = lift_truth(program_.argument(e.expr, 0), e.in, lift.narrowed(graph_, where));
        return holds != no_node && part(1, graph_.and_(where, holds)) && part(2, graph_.and_not(where, holds));
    }
    case Op::SumOver:
        return kind(e.expr) == TypeKind::Int && each_member(e, lift, [&](NodeRef is_in, const Context& inner) {
                   return sum_of_truths({program_.argument(e.expr, 1), inner}, graph_.and_(where, is_in), lift, out);
               });
    default: return false;
    }
}

NodeRef SetLifter::exactly_so_many(const std::vector<NodeRef>& at_least, std::size_t k) {
    return k + 1 == at_least.size() ? at_least[k] : graph_.and_not(at_least[k], at_least[k + 1]);
}

// Whether it is the number of members of a set, of conditions that hold, or a sum of such numbers, each of which
// depends on the lifted variable.
bool SetLifter::counts_members(const Scoped& e) {
    const Op op = expr(e.expr).op;
    if (kind(e.expr) != TypeKind::Int || !depends(e.expr, e.in)) return false;
    if (op != Op::Add) return op == Op::Count || op == Op::SumOver;
    return std::ranges::all_of(program_.arguments(e.expr),
                               [&](ir::ExprId part) { return counts_members(resolve(part, e.in)); });
}

// {v | a(v) = b(v)}, or `<`, where one is the number of members of a set with a few candidates, and the other is the
// same for all v.
NodeRef SetLifter::lift_count(const Scoped& a, const Scoped& b, bool equal, const Lift& lift) {
    const auto is_count = [&](const Scoped& e) { return counts_members(e); };
    const bool left = is_count(a);
    const auto& [counted, other] = left ? std::tie(a, b) : std::tie(b, a);
    if (!is_count(counted) || kind(other.expr) != TypeKind::Int || depends(other.expr, other.in)) return no_node;
    const NodeRef number = eval(other.expr, other.in);
    // No more are told than `number` and one more, where it is known.
    const std::optional<std::int64_t> known =
        graph_.is_constant(number) ? std::optional(graph_.constant_word(number)) : std::nullopt;
    std::vector<NodeRef> at_least;
    if (!lift_at_least(counted, known, lift, at_least)) return no_node;
    if (known && !equal) {
        const std::int64_t least = left ? *known : *known + 1;
        const auto k = static_cast<std::size_t>(std::max<std::int64_t>(least, 0));
        const NodeRef many = k < at_least.size() ? at_least[k] : empty(lift.shape.words);
        return left ? graph_.and_not(lift.universe, many) : many;
    }
    NodeRef result = empty(lift.shape.words);
    for (std::size_t k = 0; k < at_least.size(); ++k) {
        const NodeRef count = graph_.word(static_cast<std::int64_t>(k)); // or more, if it is the last
        const NodeRef exactly = exactly_so_many(at_least, k);
        const NodeRef holds = equal  ? graph_.op(Family::Eq, count, number)
                              : left ? graph_.op(Family::Lt, count, number)
                                     : graph_.op(Family::Lt, number, count);
        result = graph_.or_(result, graph_.bcast(holds, exactly));
    }
    return result;
}

// That S is a part of another set, written `S & other = S`, or that S, all of which is in a set that does not depend on
// the lifted variable, is empty.
NodeRef SetLifter::lift_equal_sets(const Scoped& e, const Lift& lift) {
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        const Scoped part = resolve(program_.argument(e.expr, side), e.in);
        const ir::ExprId whole = program_.argument(e.expr, 1 - side);
        NodeRef outside = no_node;
        if (!depends(whole, e.in)) {
            const NodeRef members = eval(whole, e.in);
            if (!graph_.is_constant(members) || !graph_.is_empty(members)) continue;
            outside = lift_meets(part.expr, part.in, universe(element(whole)), lift);
        } else if (expr(part.expr).op == Op::Inter) {
            for (std::size_t i = 0; i < 2 && outside == no_node; ++i) {
                const ir::ExprId other = program_.argument(part.expr, 1 - i);
                if (!same(program_.argument(part.expr, i), whole) || depends(other, part.in)) continue;
                const NodeRef rest = graph_.and_not(universe(element(whole)), eval(other, part.in));
                outside = lift_meets(whole, e.in, rest, lift);
            }
        }
        if (outside != no_node) return graph_.and_not(lift.universe, outside);
    }
    return no_node;
}

// The operands are ordered: Map before Table before Word.
NodeRef SetLifter::equal_scalars(const LiftedScalar& x, const LiftedScalar& y, const Context& in, const Lift& lift) {
    if (x.kind == LiftedScalar::Kind::Word) return graph_.bcast(graph_.op(Family::Eq, x.word, y.word), lift.universe);
    if (x.kind == LiftedScalar::Kind::Table && y.kind == LiftedScalar::Kind::Table)
        return constant_where(lift, [&](std::size_t b) { return x.table[b] == y.table[b] && x.table[b] != undefined; });
    if (x.kind == LiftedScalar::Kind::Table && y.kind == LiftedScalar::Kind::Word) {
        if (const NodeRef found = lift_by_identity(x, y.word, lift); found != no_node) return found;
        if (const NodeRef found = lift_by_row(x.table, y.word, lift); found != no_node) return found;
    }
    // Case by case, for each value that the left side can have.
    std::vector<std::int64_t> values = distinct_values(x);
    if (values.size() > most_values) return no_node;
    // What holds at sites off the board comes last: the rest may be what another direction needs, too.
    std::ranges::stable_partition(values, [](std::int64_t v) { return v != ir::none; });
    NodeRef result = empty(lift.shape.words);
    for (std::int64_t v : values) {
        if (v == undefined) continue;
        const NodeRef left = where_equal(x, v, in, lift);
        const NodeRef both = left == no_node ? no_node : equal_where(y, v, left, in, lift);
        if (both == no_node) return no_node;
        result = graph_.or_(result, both);
    }
    return result;
}

// {v in `where` | y(v) = value}
NodeRef SetLifter::equal_where(const LiftedScalar& y, std::int64_t value, NodeRef where, const Context& in,
                               const Lift& lift) {
    if (y.kind == LiftedScalar::Kind::Word)
        return graph_.bcast(graph_.op(Family::Eq, y.word, graph_.word(value)), where);
    const NodeRef right = where_equal(y, value, in, lift);
    return right == no_node ? no_node : graph_.and_(where, right);
}

// {v | scalar(v) = value}, of a Map or Table.
NodeRef SetLifter::where_equal(const LiftedScalar& scalar, std::int64_t value, const Context& in, const Lift& lift) {
    if (!lowering_.within_budget()) return no_node;
    if (scalar.kind == LiftedScalar::Kind::Map) return map_equals(scalar, value, in, lift);
    return constant_where(lift, [&](std::size_t b) { return scalar.table[b] == value; });
}

// {v | x(v) = word}, where x is the number of the bit plus a constant.
NodeRef SetLifter::lift_by_identity(const LiftedScalar& x, NodeRef word, const Lift& lift) {
    std::size_t first = 0;
    while (!lift.is_real(first)) ++first;
    if (x.table[first] == undefined || x.table[first] == ir::none) return no_node;
    const std::int64_t low = x.table[first] - static_cast<std::int64_t>(first);
    std::vector<std::int64_t> identity(x.table.size(), undefined);
    for (std::size_t b = 0; b < identity.size(); ++b)
        if (lift.is_real(b)) identity[b] = static_cast<std::int64_t>(b) + low;
    if (x.table != identity) return no_node;
    const NodeRef bit = low == 0 ? word : graph_.op(Family::Sub, word, graph_.word(low));
    return graph_.make(Family::Bit, lift.shape.words, {bit, no_node, no_node},
                       static_cast<std::int32_t>(lift.shape.bits));
}

// {v | table[v] = word}, read from a table of sets.
NodeRef SetLifter::lift_by_row(const std::vector<std::int64_t>& table, NodeRef word, const Lift& lift) {
    constexpr std::int64_t most_rows = 1024;
    const auto holds = [&](std::size_t b) { return lift.is_real(b) && table[b] != undefined && table[b] != ir::none; };
    std::vector<std::int64_t> values;
    for (std::size_t b = 0; b < table.size(); ++b)
        if (holds(b)) values.push_back(table[b]);
    if (values.size() < 3) return no_node;
    const auto [low, high] = std::ranges::minmax(values);
    if (high - low >= most_rows) return no_node;
    const std::uint16_t words = lift.shape.words;
    std::vector<std::uint64_t> rows(static_cast<std::size_t>(high - low + 1) * words, 0);
    for (std::size_t b = 0; b < table.size(); ++b) {
        if (!holds(b)) continue;
        rows[static_cast<std::size_t>(table[b] - low) * words + b / 64] |= std::uint64_t{1} << (b % 64);
    }
    const NodeRef found = graph_.make(Family::SetTable, words, {word, no_node, no_node}, static_cast<std::int32_t>(low),
                                      graph_.add_sets(std::move(rows)));
    const NodeRef none = graph_.op(Family::Eq, word, graph_.word(ir::none));
    const NodeRef nowhere = constant_where(lift, [&](std::size_t b) { return table[b] == ir::none; });
    return graph_.or_(found, graph_.bcast(none, nowhere));
}

NodeRef SetLifter::lift_less(const Scoped& a, const Scoped& b, const Lift& lift) {
    const Scoped ra = resolve(a.expr, a.in), rb = resolve(b.expr, b.in);
    const bool real = kind(a.expr) == TypeKind::Real;
    for (const bool first : {true, false}) {
        const Scoped& candidate = first ? ra : rb;
        if (expr(candidate.expr).op != Op::If || real) continue;
        const NodeRef c = lift_truth(program_.argument(candidate.expr, 0), candidate.in, lift);
        if (c == no_node) break;
        const auto way = [&](std::size_t i) {
            const Scoped e{program_.argument(candidate.expr, i), candidate.in};
            return first ? lift_less(e, rb, lift) : lift_less(ra, e, lift);
        };
        const NodeRef yes = way(1), no = way(2);
        if (yes == no_node || no == no_node) break;
        return graph_.or_(graph_.and_(c, yes), graph_.and_not(no, c));
    }
    if (const NodeRef counts = lift_count(ra, rb, false, lift); counts != no_node) return counts;
    if (const NodeRef numbers = lift_number(ra, rb, false, lift); numbers != no_node) return numbers;
    LiftedScalar x, y;
    if (real) return no_node;
    if (!lift_scalar(ra.expr, ra.in, lift, x) || !lift_scalar(rb.expr, rb.in, lift, y))
        return compare_cases(ra, rb, false, lift);
    if (x.kind == LiftedScalar::Kind::Word && y.kind == LiftedScalar::Kind::Word)
        return graph_.bcast(graph_.op(Family::Lt, x.word, y.word), lift.universe);
    return less_scalars(x, y, a.in, lift);
}

// Case by case, for each value of the operand that depends on the lifted variable, or of both.
NodeRef SetLifter::less_scalars(const LiftedScalar& x, const LiftedScalar& y, const Context& in, const Lift& lift) {
    const auto values_of = [](const LiftedScalar& t) {
        std::vector<std::int64_t> values = distinct_values(t);
        std::erase(values, undefined);
        return values;
    };
    NodeRef result = empty(lift.shape.words);
    const bool left_word = x.kind == LiftedScalar::Kind::Word;
    const LiftedScalar& outer = left_word ? y : x;
    const LiftedScalar& inner = left_word ? x : y;
    if (values_of(outer).size() > most_values) return no_node;
    for (std::int64_t v : values_of(outer)) {
        const NodeRef here = where_equal(outer, v, in, lift);
        if (here == no_node) return no_node;
        if (inner.kind == LiftedScalar::Kind::Word) {
            const NodeRef less = left_word ? graph_.op(Family::Lt, inner.word, graph_.word(v))
                                           : graph_.op(Family::Lt, graph_.word(v), inner.word);
            result = graph_.or_(result, graph_.bcast(less, here));
            continue;
        }
        for (std::int64_t w : values_of(inner)) {
            if (!(v < w)) continue; // outer is x here: a Word on the left was handled above
            const NodeRef there = where_equal(inner, w, in, lift);
            if (there == no_node) return no_node;
            result = graph_.or_(result, graph_.and_(here, there));
        }
    }
    return result;
}

} // namespace zug::run
