// Sets that depend on the lifted variable as finitely many terms, each with the values for which it is a member.

#include "compiler/lower/lowering.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::size_t candidate_limit = 600; // ways to choose one parameter of a rule

} // namespace

// What an expression depends on besides the state, tables included; without `values`, only which of its names stand for
// what sort of thing. False: a name without a value.
bool Lowering::hash_of(ir::ExprId e, const Context& in, bool values, WordsHasher& hasher) {
    hasher.add(index(e));
    for (ir::VarId var : free_vars(e)) {
        const Binding* b = find(var, in);
        if (b == nullptr) return false;
        hasher.add(static_cast<std::uint64_t>(b->kind));
        if (values && b->kind == Binding::Kind::Value) hasher.add(static_cast<std::uint64_t>(b->node));
        if (values)
            for (std::int64_t value : b->table) hasher.add(static_cast<std::uint64_t>(value));
        if (b->kind == Binding::Kind::Closure && !hash_of(b->expr, in.with_env(b->env), values, hasher)) return false;
    }
    return true;
}

// The same set is asked for once for each value of another parameter, and for each player: its choices are remembered,
// and so is that there were too many for one of them.
bool Lowering::candidates(ir::ExprId set, const Context& in, const Lift& lift, std::vector<Candidate>& out) {
    if (failed_ || !within_budget() || too_large(out)) return false;
    forget_other_epochs();
    WordsHasher exact, sort;
    for (WordsHasher* hasher : {&exact, &sort}) hasher->add(lift.shape.bits);
    for (WordsHasher* hasher : {&exact, &sort}) hash_assumptions(in, *hasher);
    exact.add(in.me);
    exact.add(static_cast<std::uint64_t>(lift.universe));
    if (!hash_of(set, in, true, exact) || !hash_of(set, in, false, sort)) return find_candidates(set, in, lift, out);
    const WordsHash key = exact.done(), too_many = sort.done();
    if (too_large_.contains(too_many)) return false;
    if (const auto known = known_candidates_.find(key); known != known_candidates_.end()) {
        if (!known->second) return false;
        const auto visible = [&](const Candidate& c) { return graph_.visible(c.guard); };
        if (std::ranges::all_of(*known->second, visible)) {
            out.insert(out.end(), known->second->begin(), known->second->end());
            return true;
        }
    }
    const bool outer = std::exchange(is_too_large_, false);
    std::vector<Candidate> list;
    if (!find_candidates(set, in, lift, list)) {
        known_candidates_.insert_or_assign(key, std::nullopt);
        if (is_too_large_ && !valid(failure_reason_.expr)) failure_reason_ = {set, true};
        if (!valid(failure_reason_.expr)) failure_reason_.expr = set;
        if (is_too_large_) too_large_.insert(too_many);
        return false;
    }
    is_too_large_ = outer;
    out.insert(out.end(), list.begin(), list.end());
    known_candidates_.insert_or_assign(key, std::move(list));
    return true;
}

bool Lowering::too_large(const std::vector<Candidate>& list) {
    if (list.size() <= candidate_limit) return false;
    is_too_large_ = true;
    return true;
}

bool Lowering::find_candidates(ir::ExprId set, const Context& in, const Lift& lift, std::vector<Candidate>& out) {
    const ValueGraph::From here(graph_, expr(set).span);
    const Scoped r = resolve(set, in);
    const ir::Expr& x = expr(r.expr);
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    const ir::TypeId type = element(r.expr);
    const SetShape shape = layout_.shape(type);
    if (!depends(r.expr, r.in)) {
        const NodeRef s = eval(r.expr, r.in);
        if (!graph_.is_constant(s) && shape.bits > 64) return false;
        for (std::uint32_t b = 0; b < shape.bits; ++b) {
            const std::int64_t value = layout_.value_of_bit(type, b);
            if (value == ir::none) continue;
            const NodeRef is_in = graph_.make(Family::Test, shape.words, {graph_.word(b), s, no_node},
                                              static_cast<std::int32_t>(shape.bits));
            if (graph_.is_constant(is_in) && graph_.constant_word(is_in) == 0) continue;
            if (too_large(out)) return false;
            out.push_back({std::vector<std::int64_t>(lift.shape.bits, layout_.to_register(type, value)),
                           graph_.bcast(is_in, lift.universe)});
        }
        return true;
    }
    const auto filtered = [&](std::size_t kept, std::size_t filter, bool without) {
        std::vector<Candidate> list;
        if (!candidates(arg(kept), r.in, lift, list)) return false;
        for (Candidate& c : list) {
            const NodeRef is_in = lift_member(c.table, arg(filter), r.in, lift);
            if (is_in == no_node) return false;
            c.guard = without ? graph_.and_not(c.guard, is_in) : graph_.and_(c.guard, is_in);
            if (!graph_.is_empty(c.guard)) out.push_back(std::move(c));
        }
        return true;
    };
    switch (x.op) {
    case Op::Single: {
        const Scoped inner = resolve(arg(0), r.in);
        if (expr(inner.expr).op == Op::The && functional(program_.argument(inner.expr, 0), inner.in))
            return candidates(program_.argument(inner.expr, 0), inner.in, lift, out);
        Term t;
        if (!lift_term(inner.expr, inner.in, lift, t) || t.kind == Term::Kind::Word) return false;
        if (t.kind == Term::Kind::Map) {
            std::vector<std::int64_t> values = t.values;
            std::sort(values.begin(), values.end());
            values.erase(std::unique(values.begin(), values.end()), values.end());
            for (std::int64_t v : values) {
                if (v == ir::none) continue;
                const NodeRef where = map_equals(t, v, inner.in, lift);
                if (where == no_node) return false;
                out.push_back({std::vector<std::int64_t>(lift.shape.bits, v), where});
            }
            return true;
        }
        std::vector<bool> defined(t.table.size());
        for (std::size_t b = 0; b < defined.size(); ++b) defined[b] = t.table[b] != undefined && t.table[b] != ir::none;
        out.push_back({std::move(t.table), lifted_constant(defined, lift)});
        return true;
    }
    case Op::Image: {
        std::vector<Candidate> list;
        if (!candidates(arg(0), r.in, lift, list)) return false;
        for (const Candidate& c : list)
            if (!path_candidates(c, arg(1), {r.in, lift}, out)) return false;
        return true;
    }
    case Op::Union: return candidates(arg(0), r.in, lift, out) && candidates(arg(1), r.in, lift, out);
    case Op::Inter: {
        const std::size_t before = out.size();
        if (depends(arg(0), r.in) && filtered(0, 1, false)) return true;
        out.resize(before);
        return filtered(1, 0, false);
    }
    case Op::Diff: return filtered(0, 1, true);
    case Op::If: {
        const NodeRef c = lift_truth(arg(0), r.in, lift);
        if (c == no_node) return false;
        for (const std::size_t side : {std::size_t{1}, std::size_t{2}}) {
            std::vector<Candidate> list;
            if (!candidates(arg(side), r.in, lift, list)) return false;
            for (Candidate& candidate : list) {
                candidate.guard = side == 1 ? graph_.and_(candidate.guard, c) : graph_.and_not(candidate.guard, c);
                if (!graph_.is_empty(candidate.guard)) out.push_back(std::move(candidate));
            }
        }
        return true;
    }
    case Op::UnionOver: {
        std::vector<Candidate> values;
        if (!candidates(arg(0), r.in, lift, values)) return false;
        for (Candidate& v : values) {
            std::vector<Candidate> list;
            Context inner = bind_table(static_cast<ir::VarId>(x.imm), v.table, r.in);
            if (std::adjacent_find(v.table.begin(), v.table.end(), std::not_equal_to<>()) == v.table.end())
                inner = bind_node(static_cast<ir::VarId>(x.imm), graph_.word(v.table[0]), r.in);
            if (!candidates(arg(1), inner, lift, list)) return false;
            for (Candidate& c : list) {
                c.guard = graph_.and_(c.guard, v.guard);
                if (!graph_.is_empty(c.guard)) out.push_back(std::move(c));
            }
        }
        return !too_large(out);
    }
    case Op::SetOf: {
        std::vector<Candidate> list;
        if (!candidates(arg(0), r.in, lift, list)) return false;
        for (Candidate& c : list) {
            Context inner = bind_table(static_cast<ir::VarId>(x.imm), c.table, r.in);
            if (std::adjacent_find(c.table.begin(), c.table.end(), std::not_equal_to<>()) == c.table.end())
                inner = bind_node(static_cast<ir::VarId>(x.imm), graph_.word(c.table[0]), r.in);
            const NodeRef truth = lift_truth(arg(1), inner, lift);
            if (truth == no_node) return false;
            c.guard = graph_.and_(c.guard, truth);
            if (!graph_.is_empty(c.guard)) out.push_back(std::move(c));
        }
        return true;
    }
    default: return false;
    }
}

bool Lowering::path_candidates(const Candidate& from, ir::ExprId path, const Walk& walk, std::vector<Candidate>& out) {
    if (graph_.is_empty(from.guard)) return true;
    if (failed_ || !within_budget() || too_large(out)) return false;
    const Lift& lift = walk.lift;
    const Scoped r = resolve(path, walk.in);
    const Walk inside{r.in, lift, walk.back};
    const ir::Expr& x = expr(r.expr);
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    const auto along = [&](const std::vector<std::int64_t>& step) {
        Candidate next{std::vector<std::int64_t>(from.table.size(), undefined), from.guard};
        std::vector<bool> defined(from.table.size(), false);
        for (std::size_t b = 0; b < from.table.size(); ++b) {
            if (from.table[b] < 0 || step[static_cast<std::size_t>(from.table[b])] < 0) continue;
            next.table[b] = step[static_cast<std::size_t>(from.table[b])];
            defined[b] = true;
        }
        next.guard = graph_.and_(next.guard, lifted_constant(defined, lift));
        if (!graph_.is_empty(next.guard)) out.push_back(std::move(next));
    };
    std::vector<std::vector<std::int64_t>> steps;
    if (!depends(r.expr, r.in) &&
        (x.op == Op::Step || x.op == Op::StepsOf || x.op == Op::Table || x.op == Op::Converse)) {
        if (!constant_dirs(r.expr, r.in, steps)) return false;
        for (const auto& step : steps) {
            if (!walk.back) {
                along(step);
                continue;
            }
            std::vector<std::int64_t> origin(step.size(), -1);
            for (std::size_t b = 0; b < step.size(); ++b) {
                if (step[b] < 0) continue;
                if (origin[static_cast<std::size_t>(step[b])] >= 0) return false; // from several places
                origin[static_cast<std::size_t>(step[b])] = static_cast<std::int64_t>(b);
            }
            along(origin);
        }
        return true;
    }
    const auto into = [&](const Candidate& c, std::vector<Candidate>& list) {
        const NodeRef is_in = lift_member(c.table, arg(1), r.in, lift);
        if (is_in == no_node) return false;
        Candidate kept{c.table, graph_.and_(c.guard, is_in)};
        if (!graph_.is_empty(kept.guard)) list.push_back(std::move(kept));
        return true;
    };
    const auto every = [&](const std::vector<Candidate>& list, auto&& f) { return std::ranges::all_of(list, f); };
    switch (x.op) {
    case Op::Seq: {
        std::vector<Candidate> middle;
        return path_candidates(from, arg(walk.back ? 1 : 0), inside, middle) && every(middle, [&](const Candidate& c) {
                   return path_candidates(c, arg(walk.back ? 0 : 1), inside, out);
               });
    }
    case Op::Alt: return path_candidates(from, arg(0), inside, out) && path_candidates(from, arg(1), inside, out);
    case Op::Into: {
        std::vector<Candidate> list;
        if (walk.back)
            return into(from, list) &&
                   every(list, [&](const Candidate& c) { return path_candidates(c, arg(0), inside, out); });
        return path_candidates(from, arg(0), inside, list) &&
               every(list, [&](const Candidate& c) { return into(c, out); });
    }
    case Op::Converse: return path_candidates(from, arg(0), {r.in, lift, !walk.back}, out);
    case Op::If: {
        const NodeRef c = lift_truth(arg(0), r.in, lift);
        if (c == no_node) return false;
        return path_candidates({from.table, graph_.and_(from.guard, c)}, arg(1), inside, out) &&
               path_candidates({from.table, graph_.and_not(from.guard, c)}, arg(2), inside, out);
    }
    case Op::PathOver:
        return each_member(r.expr, r.in, lift, [&](NodeRef is_in, const Context& inner) {
            return path_candidates({from.table, graph_.and_(from.guard, is_in)}, arg(1), {inner, lift, walk.back}, out);
        });
    case Op::Power:
    case Op::Closure: return path_repeats(from, r.expr, inside, out);
    default: return false;
    }
}

// A power or closure, one round after the other until nothing is left to reach. Only for paths that don't branch: a
// flood has too many ways.
bool Lowering::path_repeats(const Candidate& from, ir::ExprId path, const Walk& walk, std::vector<Candidate>& out) {
    const Context& in = walk.in;
    const Lift& lift = walk.lift;
    const ir::ExprId inner = program_.argument(path, 0);
    if (depends(program_.argument(path, 1), in)) return false;
    const NodeRef low = eval(program_.argument(path, 1), in);
    if (!graph_.is_constant(low)) return false;
    std::int64_t high = lift.shape.bits;
    if (expr(path).op == Op::Power) {
        if (depends(program_.argument(path, 2), in)) return false;
        const NodeRef h = eval(program_.argument(path, 2), in);
        if (!graph_.is_constant(h)) return false;
        high = graph_.constant_word(h);
    }
    std::vector<Candidate> current{from};
    for (std::int64_t k = 0; k <= high && !current.empty(); ++k) {
        if (k >= graph_.constant_word(low)) out.insert(out.end(), current.begin(), current.end());
        if (too_large(out)) return false;
        if (k == high) break;
        std::vector<Candidate> next;
        for (const Candidate& c : current)
            if (!path_candidates(c, inner, walk, next)) return false;
        if (next.size() > current.size() && k > 0) return false;
        current = std::move(next);
    }
    return true;
}

// Makes the choices disjoint: no value is offered twice for the same value of the lifted variable.
void Lowering::disjoin(std::vector<Candidate>& list, const Lift& lift) {
    std::vector<Candidate> result;
    for (Candidate& c : list) {
        bool merged = false;
        for (Candidate& earlier : result) {
            if (earlier.table == c.table) {
                earlier.guard = graph_.or_(earlier.guard, c.guard);
                merged = true;
                break;
            }
        }
        if (!merged) result.push_back(std::move(c));
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            std::vector<bool> same(lift.shape.bits, false);
            bool any = false;
            for (std::size_t b = 0; b < same.size(); ++b) {
                same[b] = lift.real[b] && result[i].table[b] == result[j].table[b] && result[i].table[b] != undefined;
                any = any || same[b];
            }
            if (any)
                result[i].guard =
                    graph_.and_not(result[i].guard, graph_.and_(result[j].guard, lifted_constant(same, lift)));
        }
    }
    list = std::move(result);
}

} // namespace zug::run
