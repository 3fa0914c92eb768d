#include "compiler/lower/candidate_finder.hpp"
#include "compiler/lower/set_lifter.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::size_t candidate_limit = 600; // for one parameter of a rule

} // namespace

// Hashes what an expression depends on besides the state: the bindings of its names; without `values`, only the kinds
// of these bindings. False: a name is not bound.
bool CandidateFinder::hash_of(ir::ExprId e, const Context& in, bool values, WordsHasher& hasher) {
    hasher.add(index(e));
    for (ir::VarId var : lowering_.free_vars(e)) {
        const Binding* b = lowering_.find(var, in);
        if (b == nullptr) return false;
        hasher.add(static_cast<std::uint64_t>(b->kind));
        if (values && b->kind == Binding::Kind::Value) hasher.add(static_cast<std::uint64_t>(b->node));
        if (values)
            for (std::int64_t value : b->table) hasher.add(static_cast<std::uint64_t>(value));
        if (b->kind == Binding::Kind::Closure && !hash_of(b->expr, in.with_env(b->env), values, hasher)) return false;
    }
    return true;
}

// If there are too many candidates for one value of another parameter, or for one player, the same is assumed for all.
bool CandidateFinder::find(ir::ExprId set, const Context& in, const Lift& lift, Candidates& out) {
    if (failed() || !lowering_.within_budget() || too_large(out)) return false;
    if (!graph_.passes().on(Pass::CandidateValues)) return false;
    const Passes::Timer timer(graph_.passes(), Pass::CandidateValues);
    if (stamp_ != graph_.stamp()) known_.clear();
    stamp_ = graph_.stamp();
    WordsHasher exact, sort;
    for (WordsHasher* hasher : {&exact, &sort}) hasher->add(lift.shape.bits);
    for (WordsHasher* hasher : {&exact, &sort}) Lowering::hash_assumptions(in, *hasher);
    exact.add(in.me);
    exact.add(static_cast<std::uint64_t>(lift.universe));
    exact.add(static_cast<std::uint64_t>(lift.within)); // guards may leave out what is not in it
    if (!hash_of(set, in, true, exact) || !hash_of(set, in, false, sort)) return search(set, in, lift, out);
    const WordsHash key = exact.done(), too_many = sort.done();
    if (too_large_.contains(too_many)) return false;
    if (const auto known = known_.find(key); known != known_.end()) {
        if (!known->second) return false;
        const auto visible = [&](const Candidate& c) { return graph_.visible(c.guard); };
        if (std::ranges::all_of(*known->second, visible)) {
            out.insert(out.end(), known->second->begin(), known->second->end());
            return true;
        }
    }
    const bool outer = std::exchange(is_too_large_, false);
    Candidates list;
    if (!search(set, in, lift, list)) {
        known_.insert_or_assign(key, std::nullopt);
        lowering_.record_failure(set, is_too_large_);
        if (is_too_large_) too_large_.insert(too_many);
        return false;
    }
    is_too_large_ = outer;
    out.insert(out.end(), list.begin(), list.end());
    known_.insert_or_assign(key, std::move(list));
    return true;
}

bool CandidateFinder::too_large(const Candidates& list) {
    if (list.size() <= candidate_limit) return false;
    is_too_large_ = true;
    return true;
}

void CandidateFinder::add(Candidate candidate, Candidates& out) {
    if (!graph_.is_empty(candidate.guard)) out.push_back(std::move(candidate));
}

bool CandidateFinder::search(ir::ExprId e, const Context& in, const Lift& lift, Candidates& out) {
    const bool found = enumerate(e, in, lift, out);
    if (found) graph_.passes().changed(Pass::CandidateValues);
    return found;
}

bool CandidateFinder::enumerate(ir::ExprId e, const Context& in, const Lift& lift, Candidates& out) {
    const ValueGraph::From here(graph_, expr(e).span);
    const Scoped set = resolve(e, in);
    if (!depends(set.expr, set.in)) return of_constant(set, lift, out);
    const auto arg = [&](std::size_t i) { return program_.argument(set.expr, i); };
    switch (expr(set.expr).op) {
    case Op::Single: return of_single(set, lift, out);
    case Op::Image: return of_image(set, lift, out);
    case Op::Union: return find(arg(0), set.in, lift, out) && find(arg(1), set.in, lift, out);
    case Op::Inter: return of_intersection(set, lift, out);
    case Op::Diff: return filtered({arg(0), set.in}, arg(1), true, lift, out);
    case Op::If: return of_if(set, lift, out);
    case Op::UnionOver: return of_union_over(set, lift, out);
    case Op::SetOf: return of_set_of(set, lift, out);
    default: return false;
    }
}

// A set that does not depend on the lifted variable: each of its members, if the set is constant or small.
bool CandidateFinder::of_constant(const Scoped& set, const Lift& lift, Candidates& out) {
    const ir::TypeId type = element(set.expr);
    const SetShape shape = layout_.shape(type);
    const NodeRef s = eval(set.expr, set.in);
    if (!graph_.is_constant(s) && shape.bits > 64) return false;
    for (std::uint32_t b = 0; b < shape.bits; ++b) {
        const std::int64_t value = layout_.value_of_bit(type, b);
        if (value == ir::none) continue;
        const NodeRef is_in =
            graph_.make(Family::Test, shape.words, {graph_.word(b), s, no_node}, static_cast<std::int32_t>(shape.bits));
        if (graph_.is_constant(is_in) && graph_.constant_word(is_in) == 0) continue;
        if (too_large(out)) return false;
        out.push_back({std::vector<std::int64_t>(lift.shape.bits, layout_.to_register(type, value)),
                       graph_.bcast(is_in, lift.universe)});
    }
    return true;
}

bool CandidateFinder::of_single(const Scoped& set, const Lift& lift, Candidates& out) {
    const Scoped inner = resolve(program_.argument(set.expr, 0), set.in);
    if (lowering_.is_only_member(inner)) return find(program_.argument(inner.expr, 0), inner.in, lift, out);
    LiftedScalar t;
    if (!lift_scalar(inner.expr, inner.in, lift, t) || t.kind == LiftedScalar::Kind::Word) return false;
    if (t.kind == LiftedScalar::Kind::Map) return of_map_value(t, inner.in, lift, out);
    const auto defined = [&](std::size_t b) { return t.table[b] != undefined && t.table[b] != ir::none; };
    const NodeRef guard = lowering_.lifter().constant_where(lift, defined);
    out.push_back({std::move(t.table), guard});
    return true;
}

// What a map holds: one candidate for each of its values.
bool CandidateFinder::of_map_value(const LiftedScalar& scalar, const Context& in, const Lift& lift, Candidates& out) {
    for (std::int64_t v : distinct_values(scalar)) {
        if (v == ir::none) continue;
        const NodeRef where = lowering_.lifter().map_equals(scalar, v, in, lift);
        if (where == no_node) return false;
        out.push_back({std::vector<std::int64_t>(lift.shape.bits, v), where});
    }
    return true;
}

bool CandidateFinder::of_image(const Scoped& set, const Lift& lift, Candidates& out) {
    Candidates list;
    return find(program_.argument(set.expr, 0), set.in, lift, list) &&
           follow_each(list, program_.argument(set.expr, 1), {set.in, lift}, out);
}

// The candidates of `kept`, where they are members of the other set or (`without`) where they are not.
bool CandidateFinder::filtered(const Scoped& kept, ir::ExprId filter, bool without, const Lift& lift, Candidates& out) {
    Candidates list;
    if (!find(kept.expr, kept.in, lift, list)) return false;
    for (Candidate& c : list) {
        const NodeRef is_in = lowering_.lifter().lift_member(c.table, filter, kept.in, lift);
        if (is_in == no_node) return false;
        c.guard = without ? graph_.and_not(c.guard, is_in) : graph_.and_(c.guard, is_in);
        add(std::move(c), out);
    }
    return true;
}

bool CandidateFinder::of_intersection(const Scoped& set, const Lift& lift, Candidates& out) {
    const ir::ExprId a = program_.argument(set.expr, 0), b = program_.argument(set.expr, 1);
    const std::size_t before = out.size();
    if (depends(a, set.in) && filtered({a, set.in}, b, false, lift, out)) return true;
    out.resize(before);
    return filtered({b, set.in}, a, false, lift, out);
}

bool CandidateFinder::of_if(const Scoped& set, const Lift& lift, Candidates& out) {
    const NodeRef c = lift_truth(program_.argument(set.expr, 0), set.in, lift);
    if (c == no_node) return false;
    for (const std::size_t side : {std::size_t{1}, std::size_t{2}}) {
        Candidates list;
        if (!find(program_.argument(set.expr, side), set.in, lift, list)) return false;
        for (Candidate& candidate : list) {
            candidate.guard = side == 1 ? graph_.and_(candidate.guard, c) : graph_.and_not(candidate.guard, c);
            add(std::move(candidate), out);
        }
    }
    return true;
}

// A value that is the same for all values of the lifted variable is bound as one.
Context CandidateFinder::bind_candidate(ir::VarId var, const Candidate& candidate, const Context& in) {
    const std::vector<std::int64_t>& table = candidate.table;
    if (std::adjacent_find(table.begin(), table.end(), std::not_equal_to<>()) == table.end())
        return bind_node(var, graph_.word(table[0]), in);
    return bind_table(var, table, in);
}

bool CandidateFinder::of_union_over(const Scoped& set, const Lift& lift, Candidates& out) {
    const auto var = static_cast<ir::VarId>(expr(set.expr).imm);
    Candidates values;
    if (!find(program_.argument(set.expr, 0), set.in, lift, values)) return false;
    for (const Candidate& v : values) {
        Candidates list;
        if (!find(program_.argument(set.expr, 1), bind_candidate(var, v, set.in), lift, list)) return false;
        for (Candidate& c : list) {
            c.guard = graph_.and_(c.guard, v.guard);
            add(std::move(c), out);
        }
    }
    return !too_large(out);
}

bool CandidateFinder::of_set_of(const Scoped& set, const Lift& lift, Candidates& out) {
    const auto var = static_cast<ir::VarId>(expr(set.expr).imm);
    Candidates list;
    if (!find(program_.argument(set.expr, 0), set.in, lift, list)) return false;
    for (Candidate& c : list) {
        const NodeRef truth = lift_truth(program_.argument(set.expr, 1), bind_candidate(var, c, set.in), lift);
        if (truth == no_node) return false;
        c.guard = graph_.and_(c.guard, truth);
        add(std::move(c), out);
    }
    return true;
}

void CandidateFinder::disjoin(Candidates& list, const Lift& lift) {
    Candidates result;
    for (Candidate& c : list) {
        const auto earlier = std::ranges::find(result, c.table, &Candidate::table);
        if (earlier == result.end())
            result.push_back(std::move(c));
        else
            earlier->guard = graph_.or_(earlier->guard, c.guard);
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const std::vector<std::int64_t>&own = result[i].table, &other = result[j].table;
            const auto equal = [&](std::size_t b) { return own[b] == other[b] && own[b] != undefined; };
            const NodeRef same = lowering_.lifter().constant_where(lift, equal);
            if (graph_.is_empty(same)) continue; // most pairs are disjoint
            result[i].guard = graph_.and_not(result[i].guard, graph_.and_(result[j].guard, same));
        }
    }
    list = std::move(result);
}

void CandidateFinder::drop_foreign(ir::TypeId type, Candidates& list, const Lift& lift) {
    const ir::Type& t = program_.types[type];
    if (t.kind != TypeKind::Int) return;
    for (Candidate& candidate : list) {
        const auto is_own = [&](std::int64_t value) { return value >= t.lo && value <= t.hi; };
        if (std::ranges::all_of(candidate.table, is_own)) continue;
        const auto own = [&](std::size_t b) { return is_own(candidate.table[b]); };
        candidate.guard = graph_.and_(candidate.guard, lowering_.lifter().constant_where(lift, own));
        std::ranges::replace_if(candidate.table, std::not_fn(is_own), undefined);
    }
}

} // namespace zug::run
