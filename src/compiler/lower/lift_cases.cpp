// Lifting of numbers by cases: what is no table over the lifted variable, such as the number of pieces in a row, can be
// a few numbers, each for a set of the values of that variable.

#include "compiler/lower/candidate_finder.hpp"
#include "compiler/lower/path_lowering.hpp"
#include "compiler/lower/set_lifter.hpp"
#include "ir/evaluate.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::size_t most_cases = 16;
constexpr std::size_t most_candidates = 16;

} // namespace

// The same for the candidates of a domain that depends on the lifted variable, such as its neighbours.
bool SetLifter::each_candidate(const Scoped& binder, const Lift& lift,
                               const std::function<bool(NodeRef, const Context&)>& f) {
    const ir::ExprId domain = program_.argument(binder.expr, 0);
    std::vector<Candidate> list;
    if (!is_uniform(binder, 0) && lowering_.candidates().find(domain, binder.in, lift, list) &&
        list.size() <= most_candidates && !costs_more_than_a_loop(list, lift)) {
        lowering_.candidates().disjoin(list, lift);
        const auto var = static_cast<ir::VarId>(expr(binder.expr).imm);
        return std::ranges::all_of(list, [&](Candidate& one) {
            const NodeRef is_in = one.guard;
            return graph_.is_empty(is_in) || f(is_in, bind_table(var, std::move(one.table), binder.in));
        });
    }
    return false;
}

bool SetLifter::each_member(const Scoped& binder, const Lift& lift,
                            const std::function<bool(NodeRef, const Context&)>& f) {
    const ir::ExprId domain = program_.argument(binder.expr, 0);
    const auto var = static_cast<ir::VarId>(expr(binder.expr).imm);
    const ir::TypeId type = element(domain);
    const SetShape shape = layout_.shape(type);
    if (shape.bits > inner_unroll(type)) return each_candidate(binder, lift, f);
    for (std::uint32_t b = 0; b < shape.bits; ++b) {
        if (layout_.value_of_bit(type, b) == ir::none) continue;
        const NodeRef bit = graph_.word(b);
        const NodeRef single =
            graph_.make(Family::Bit, shape.words, {bit, no_node, no_node}, static_cast<std::int32_t>(shape.bits));
        const NodeRef is_in = lift_meets(domain, binder.in, single, lift);
        if (is_in == no_node) return false;
        if (graph_.is_empty(is_in)) continue;
        if (!f(is_in, bind_node(var, lowering_.from_bit(type, bit), binder.in))) return false;
    }
    return true;
}

// The sets are disjoint, and together all values of the variable. False: it is no number of this kind.
bool SetLifter::lift_cases(ir::ExprId unresolved, const Context& in, const Lift& lift, Cases& out) {
    if (failed() || !lowering_.within_budget() || kind(unresolved) != TypeKind::Int) return false;
    const Scoped e = resolve(unresolved, in);
    const auto arg = [&](std::size_t i) { return program_.argument(e.expr, i); };
    switch (expr(e.expr).op) {
    case Op::MaxOver:
    case Op::MinOver: return extreme_cases(e, lift, out);
    case Op::If: {
        const NodeRef condition = lift_truth(arg(0), e.in, lift);
        Cases yes, no;
        if (condition == no_node || !lift_cases(arg(1), e.in, lift, yes) || !lift_cases(arg(2), e.in, lift, no))
            return false;
        for (const auto& [number, set] : yes) add_case(number, graph_.and_(set, condition), out);
        for (const auto& [number, set] : no) add_case(number, graph_.and_not(set, condition), out);
        return out.size() <= most_cases;
    }
    case Op::SumOver:
    case Op::Count: return count_cases(e, lift, out);
    default: break;
    }
    LiftedScalar scalar;
    if (lift_scalar(e.expr, e.in, lift, scalar)) return scalar_cases(scalar, e.in, lift, out);
    Cases a, b;
    const Op op = expr(e.expr).op;
    if (!ir::is_arithmetic(op) || expr(e.expr).arg_count != 2 || !lift_cases(arg(0), e.in, lift, a) ||
        !lift_cases(arg(1), e.in, lift, b))
        return false;
    for (const auto& [x, here] : a)
        for (const auto& [y, there] : b) add_case(ir::arithmetic(op, x, y), graph_.and_(here, there), out);
    return out.size() <= most_cases;
}

NodeRef SetLifter::lift_sum(ir::ExprId body, const Context& in, NodeRef over, const Lift& lift) {
    if (failed() || !lowering_.within_budget()) return fail();
    const Scoped e = resolve(body, in);
    if (!depends(e.expr, e.in)) return graph_.op(Family::Mul, graph_.count(over), eval(e.expr, e.in));
    const NodeRef found = sum_value_by_value(body, in, over, lift);
    return found != no_node ? found : sum_of_parts(e, over, lift);
}

// Of `if`, by the members for which its condition holds; of a sum, by its parts.
NodeRef SetLifter::sum_of_parts(const Scoped& e, NodeRef over, const Lift& lift) {
    const auto part = [&](std::size_t i, NodeRef members) {
        return lift_sum(program_.argument(e.expr, i), e.in, members, lift);
    };
    const auto joined = [&](Family by, NodeRef a, NodeRef b) {
        return a == no_node || b == no_node ? no_node : graph_.op(by, a, b);
    };
    switch (expr(e.expr).op) {
    case Op::If: {
        const NodeRef condition = lift_truth(program_.argument(e.expr, 0), e.in, lift.narrowed(graph_, over));
        if (condition == no_node) return no_node;
        const NodeRef yes = part(1, graph_.and_(over, condition));
        return yes == no_node ? no_node : joined(Family::Add, yes, part(2, graph_.and_not(over, condition)));
    }
    case Op::Add: return joined(Family::Add, part(0, over), part(1, over));
    case Op::Sub: return joined(Family::Sub, part(0, over), part(1, over));
    default: return no_node;
    }
}

bool SetLifter::for_each_case(ir::ExprId unresolved, const Context& in, const Lift& lift,
                              const std::function<bool(NodeRef, NodeRef)>& f) {
    const Scoped e = resolve(unresolved, in);
    if (!depends(e.expr, e.in)) return f(eval(e.expr, e.in), lift.universe);
    LiftedScalar scalar;
    if (lift_scalar(e.expr, e.in, lift, scalar)) {
        if (scalar.kind == LiftedScalar::Kind::Word) return f(scalar.word, lift.universe);
        return std::ranges::all_of(distinct_values(scalar), [&](std::int64_t value) {
            const NodeRef where = where_equal(scalar, value, e.in, lift);
            return where != no_node && (graph_.is_empty(where) || (value != undefined && f(graph_.word(value), where)));
        });
    }
    if (expr(e.expr).op == Op::If) {
        const NodeRef condition = lift_truth(program_.argument(e.expr, 0), e.in, lift);
        const auto way = [&](std::size_t i, NodeRef chosen) {
            return for_each_case(program_.argument(e.expr, i), e.in, lift,
                                 [&](NodeRef value, NodeRef where) { return f(value, graph_.and_(chosen, where)); });
        };
        return condition != no_node && way(1, condition) && way(2, graph_.and_not(lift.universe, condition));
    }
    if (kind(e.expr) == TypeKind::Bool) {
        const NodeRef holds = lift_truth(e.expr, e.in, lift);
        return holds != no_node && f(graph_.word(1), holds) && f(graph_.word(0), graph_.and_not(lift.universe, holds));
    }
    Cases cases;
    return lift_cases(e.expr, e.in, lift, cases) &&
           std::ranges::all_of(cases, [&](const auto& one) { return f(graph_.word(one.first), one.second); });
}

void SetLifter::add_case(std::int64_t number, NodeRef set, Cases& out) {
    if (graph_.is_empty(set)) return;
    const auto [at, is_new] = out.try_emplace(number, set);
    if (!is_new) at->second = graph_.or_(at->second, set);
}

bool SetLifter::count_cases(const Scoped& e, const Lift& lift, Cases& out) {
    std::vector<NodeRef> at_least;
    if (!depends(e.expr, e.in) || !lift_at_least(e, std::nullopt, lift, at_least)) return false;
    for (std::size_t k = 0; k < at_least.size(); ++k)
        add_case(static_cast<std::int64_t>(k), exactly_so_many(at_least, k), out);
    return out.size() <= most_cases;
}

bool SetLifter::scalar_cases(const LiftedScalar& scalar, const Context& in, const Lift& lift, Cases& out) {
    if (scalar.kind == LiftedScalar::Kind::Word) return false;
    const std::vector<std::int64_t> numbers = distinct_values(scalar);
    if (numbers.size() > most_cases + 1) return false;
    for (const std::int64_t number : numbers) {
        if (number == undefined) continue;
        const NodeRef set = where_equal(scalar, number, in, lift);
        if (set == no_node || number == ir::none) return false;
        add_case(number, set, out);
    }
    return out.size() <= most_cases;
}

// The greatest or least of a few numbers: from that end on, each for those that are left.
bool SetLifter::extreme_cases(const Scoped& e, const Lift& lift, Cases& out) {
    Cases numbers;
    const bool done = each_member(e, lift, [&](NodeRef is_in, const Context& inner) {
        Cases own;
        if (!lift_cases(program_.argument(e.expr, 1), inner, lift, own)) return false;
        for (const auto& [number, set] : own) add_case(number, graph_.and_(set, is_in), numbers);
        return numbers.size() <= most_cases;
    });
    if (!done) return false;
    NodeRef left = lift.universe;
    const auto take = [&](const Cases::value_type& one) {
        add_case(one.first, graph_.and_(left, one.second), out);
        left = graph_.and_not(left, one.second);
    };
    const bool greatest = expr(e.expr).op == Op::MaxOver;
    if (greatest)
        std::for_each(numbers.rbegin(), numbers.rend(), take);
    else
        std::for_each(numbers.begin(), numbers.end(), take);
    const ir::Type& type = program_.types[expr(e.expr).type];
    add_case(greatest ? type.lo : type.hi, left, out); // of none
    return true;
}

// {v | a(v) < b(v)}, or equality.
NodeRef SetLifter::compare_cases(const Scoped& a, const Scoped& b, bool equal, const Lift& lift) {
    if (kind(a.expr) != TypeKind::Int || kind(b.expr) != TypeKind::Int) return no_node;
    const auto compared = [&](NodeRef x, NodeRef y) { return graph_.op(equal ? Family::Eq : Family::Lt, x, y); };
    Cases left, right;
    const bool varies_a = depends(a.expr, a.in), varies_b = depends(b.expr, b.in);
    if ((varies_a && !lift_cases(a.expr, a.in, lift, left)) || (varies_b && !lift_cases(b.expr, b.in, lift, right)))
        return no_node;
    NodeRef result = empty(lift.shape.words);
    if (!varies_a || !varies_b) {
        const NodeRef other = varies_a ? eval(b.expr, b.in) : eval(a.expr, a.in);
        for (const auto& [number, set] : varies_a ? left : right) {
            const NodeRef word = graph_.word(number);
            const NodeRef holds = varies_a ? compared(word, other) : compared(other, word);
            result = graph_.or_(result, graph_.bcast(holds, set));
        }
        return result;
    }
    for (const auto& [x, here] : left)
        for (const auto& [y, there] : right)
            if (equal ? x == y : x < y) result = graph_.or_(result, graph_.and_(here, there));
    return result;
}

// Of where a path leads that is repeated a number of times which depends on the lifted variable: those for which it
// meets the target.
NodeRef SetLifter::meets_repeated(const Scoped& image, NodeRef target, const Lift& lift) {
    const Scoped path = resolve(program_.argument(image.expr, 1), image.in);
    Cases cases;
    if (!repeated_cases(path, lift, cases)) return no_node;
    const ir::ExprId once = program_.argument(path.expr, 0);
    NodeRef result = empty(lift.shape.words), there = target;
    std::int64_t repeated = 0;
    for (const auto& [number, set] : cases) {
        if (number < 0) continue;
        for (; repeated < number; ++repeated) there = lowering_.paths().image(there, once, path.in, true);
        const NodeRef met = lift_meets(program_.argument(image.expr, 0), image.in, there, lift);
        if (met == no_node) return no_node;
        result = graph_.or_(result, graph_.and_(set, met));
    }
    return result;
}

// The sites that such paths lead to from the members of `over`: each is as many steps behind as are still to be made.
NodeRef SetLifter::union_of_repeated(const Scoped& image, NodeRef over, const Lift& lift) {
    const Scoped path = resolve(program_.argument(image.expr, 1), image.in);
    Cases cases;
    if (!repeated_cases(path, lift, cases)) return no_node;
    NodeRef reached = empty(lowering_.width_of(expr(image.expr).type));
    std::int64_t left = 0;
    for (auto at = cases.rbegin(); at != cases.rend() && at->first >= 0; ++at) {
        for (left = std::max(left, at->first); left > at->first; --left) reached = repeat_once(reached, path);
        const NodeRef from =
            lift_union(program_.argument(image.expr, 0), image.in, graph_.and_(over, at->second), lift);
        if (from == no_node) return no_node;
        reached = graph_.or_(reached, from);
    }
    for (; left > 0; --left) reached = repeat_once(reached, path);
    return reached;
}

NodeRef SetLifter::repeat_once(NodeRef set, const Scoped& power) {
    return lowering_.paths().image(set, program_.argument(power.expr, 0), power.in, false);
}

// How often a path is repeated, by the value of the lifted variable; false: it is another path.
bool SetLifter::repeated_cases(const Scoped& path, const Lift& lift, Cases& cases) {
    if (expr(path.expr).op != Op::Power) return false;
    const ir::ExprId once = program_.argument(path.expr, 0), times = program_.argument(path.expr, 1);
    return program_.argument(path.expr, 2) == times && !depends(once, path.in) &&
           lift_cases(times, path.in, lift, cases) &&
           (cases.empty() || cases.rbegin()->first <= static_cast<std::int64_t>(lift.shape.bits));
}

// {v | map[the site that S(v) has] = value}, where the value does not depend on v.
NodeRef SetLifter::lift_stored_there(const Scoped& map, const Scoped& other, const Lift& lift) {
    const ir::Expr& x = expr(map.expr);
    if (x.op != Op::MapGet || x.arg_count != 1 || depends(other.expr, other.in)) return no_node;
    const auto id = static_cast<ir::StateId>(x.imm);
    const ir::StateVariable& variable = program_.states[id];
    const std::uint64_t count = program_.types.cardinality(variable.value);
    const Scoped site = resolve(program_.argument(map.expr, 0), map.in);
    if (!variable.assigned || layout_.variable(id).storage != Storage::Planes || count > most_cases ||
        !lowering_.is_only_member(site))
        return no_node;
    const ir::ExprId set = program_.argument(site.expr, 0);
    const NodeRef value = eval(other.expr, other.in);
    NodeRef result = empty(lift.shape.words);
    for (std::uint64_t o = 0; o < count; ++o) {
        const NodeRef own = graph_.word(layout_.to_register(variable.value, program_.types.value(variable.value, o)));
        const NodeRef equal = graph_.op(Family::Eq, value, own);
        if (graph_.is_constant(equal) && graph_.constant_word(equal) == 0) continue;
        NodeRef here = lift_meets(set, site.in, plane_of(id, o, map.in), lift);
        if (here == no_node) return no_node;
        if (o == 0) { // what is read nowhere
            const NodeRef some = lift_meets(set, site.in, universe(element(set)), lift);
            if (some == no_node) return no_node;
            here = graph_.or_(here, graph_.and_not(lift.universe, some));
        }
        result = graph_.or_(result, graph_.bcast(equal, here));
    }
    return result;
}

} // namespace zug::run
