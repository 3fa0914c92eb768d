// Instances of a rule as sets.

#include "compiler/lower/lowering.hpp"

#include <algorithm>
#include <functional>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::uint64_t value_limit = 64; // values of a parameter that are taken one by one

bool same_everywhere(const std::vector<std::int64_t>& table) {
    return std::adjacent_find(table.begin(), table.end(), std::not_equal_to<>()) == table.end();
}

// No two places lead to the same one.
bool is_injective(const std::vector<std::int64_t>& table) {
    std::vector<std::int64_t> met;
    for (const std::int64_t v : table)
        if (v >= 0) met.push_back(v);
    std::ranges::sort(met);
    return std::ranges::adjacent_find(met) == met.end();
}

} // namespace

struct Lowering::Search {
    const ir::Rule& rule;
    Lift lift;
    std::vector<MoveSet>& out;
    std::vector<std::vector<std::int64_t>> tables; // by parameter, of those bound
    std::size_t most;                              // sets
};

std::size_t Lowering::lifted_parameter(const ir::Rule& rule, const Context& in, std::uint64_t& most) const {
    std::size_t lifted = rule.params.size();
    most = 0;
    for (std::size_t p = 0; p < rule.params.size(); ++p) {
        if (find(rule.params[p], in) != nullptr) continue;
        const ir::TypeId type = program_.vars[rule.params[p]].type;
        const bool site = program_.types.kind(type) == TypeKind::Site;
        const std::uint64_t values = site ? UINT64_MAX : program_.types.cardinality(type);
        if (values > most && program_.types.kind(type) != TypeKind::Optional) {
            most = values;
            lifted = p;
        }
    }
    return lifted;
}

NodeRef Lowering::those_where(const ir::Rule& rule, const MoveSet& c, ir::ExprId condition, const Context& around) {
    std::uint64_t most = 0;
    Context in = around.without_names();
    const std::size_t lifted = lifted_parameter(rule, in, most);
    if (lifted == rule.params.size()) return no_node;
    // Over the parameter that the condition is most about, if it tells the lifted one, and back from there.
    std::size_t over = lifted;
    for (std::size_t p = 0; p < rule.params.size(); ++p)
        if (c.params[p].size() == c.params[lifted].size() && is_injective(c.params[p]) &&
            program_.types.kind(program_.vars[rule.params[p]].type) == TypeKind::Site &&
            times_named(condition, rule.params[p]) > times_named(condition, rule.params[over]))
            over = p;
    const Lift lift = lift_over(program_.vars[rule.params[over]].type);
    const std::vector<std::int64_t>& there = c.params[over];
    for (std::size_t p = 0; p < rule.params.size(); ++p) {
        std::vector<std::int64_t> table(lift.shape.bits, undefined);
        for (std::size_t b = 0; b < there.size(); ++b)
            if (there[b] >= 0) table[static_cast<std::size_t>(there[b])] = c.params[p][b];
        if (over == lifted) table = c.params[p];
        if (p == over && over != lifted) table = values_by_bit(program_.vars[rule.params[over]].type, lift);
        in = same_everywhere(table) ? bind_node(rule.params[p], graph_.word(table[0]), in)
                                    : bind_table(rule.params[p], std::move(table), in);
    }
    NodeRef truth = lift_truth(condition, in, lift);
    if (truth != no_node && over != lifted)
        truth = preimage(there, truth, lift_over(program_.vars[rule.params[lifted]].type));
    return truth == no_node ? no_node : graph_.and_(c.set, truth);
}

// How often an expression names the variable.
std::size_t Lowering::times_named(ir::ExprId e, ir::VarId var) const {
    const ir::Expr& x = expr(e);
    if (x.op == Op::Var) return static_cast<ir::VarId>(x.imm) == var ? 1 : 0;
    std::size_t times = 0;
    for (const ir::ExprId a : program_.arguments(e)) times += times_named(a, var);
    return times;
}

bool Lowering::move_sets(const ir::Rule& rule, const Context& around, std::vector<MoveSet>& out, MoveSetQuery query) {
    const ValueGraph::From here(graph_, rule.span);
    std::uint64_t most = 0;
    const std::size_t lifted = lifted_parameter(rule, around, most);
    if (most != UINT64_MAX && most > 4096) return false;
    Search search{rule, {}, out, {}, out.size() + query.most};
    Context in = around;
    search.tables.resize(rule.params.size());
    std::vector<bool> bound(rule.params.size(), false);
    for (std::size_t p = 0; p < rule.params.size(); ++p) bound[p] = find(rule.params[p], in) != nullptr;
    if (lifted == rule.params.size()) {
        search.lift = {{1, 1, -1}, graph_.set({1}, true), {true}};
    } else {
        const ir::TypeId type = program_.vars[rule.params[lifted]].type;
        search.lift = lift_over(type);
        search.tables[lifted] = values_by_bit(type, search.lift);
        bound[lifted] = true;
        in = bind_table(rule.params[lifted], search.tables[lifted], in);
    }
    query.used.resize(rule.when.size(), false);
    return choose_next(search, in, query.guard == no_node ? search.lift.universe : query.guard, std::move(bound),
                       std::move(query.used)) &&
           !failed_;
}

bool Lowering::choose_next(Search& search, Context in, NodeRef guard, std::vector<bool> bound, std::vector<bool> used) {
    const ir::Rule& rule = search.rule;
    const auto ready = [&](ir::ExprId e, ir::VarId except) {
        for (ir::VarId v : free_vars(e))
            if (v != except && find(v, in) == nullptr) return false;
        return true;
    };
    for (std::size_t c = 0; c < rule.when.size(); ++c) {
        const ir::Clause& clause = rule.when[c];
        if (used[c] || !ready(clause.expr, none_id<ir::VarId>)) continue;
        const ValueGraph::From here(graph_, expr(clause.expr).span);
        used[c] = true;
        if (valid(clause.bind)) {
            in = bind(clause.bind, clause.expr, in, in);
            continue;
        }
        const NodeRef truth = lift_truth(clause.expr, in, search.lift);
        if (truth == no_node) return false;
        guard = graph_.and_(guard, truth);
    }
    if (failed_) return false;
    if (graph_.is_empty(guard)) return true;
    const auto next_values = [&](std::size_t p, std::vector<Candidate> list, std::size_t clause) {
        // Nearly every choice makes a set, though some of them the same.
        if (list.size() > 4 * (search.most + 1 - search.out.size())) return false;
        disjoin(list, search.lift);
        bound[p] = true;
        if (clause < used.size()) used[clause] = true;
        for (Candidate& candidate : list) {
            search.tables[p] = candidate.table;
            // Where the guard is false the table may hold anything; a constant folds better.
            Context inner = same_everywhere(candidate.table)
                                ? bind_node(rule.params[p], graph_.word(candidate.table[0]), in)
                                : bind_table(rule.params[p], candidate.table, in);
            if (!choose_next(search, inner, graph_.and_(guard, candidate.guard), bound, used)) return false;
        }
        return true;
    };
    // A set that depends on the parameters so far has few members to choose from, as a rule; the others are tried last.
    for (std::size_t k = 0; k < 2 * rule.when.size(); ++k) {
        const std::size_t c = k % rule.when.size();
        const ir::Clause& clause = rule.when[c];
        if (used[c] || valid(clause.bind) || expr(clause.expr).op != Op::In) continue;
        const ir::ExprId member = program_.argument(clause.expr, 0), set = program_.argument(clause.expr, 1);
        if (expr(member).op != Op::Var || (k < rule.when.size() && names_known(set, in) && !depends(set, in))) continue;
        const auto var = static_cast<ir::VarId>(expr(member).imm);
        const auto p =
            static_cast<std::size_t>(std::find(rule.params.begin(), rule.params.end(), var) - rule.params.begin());
        if (p == rule.params.size() || bound[p] || !ready(set, none_id<ir::VarId>)) continue;
        const ValueGraph::From here(graph_, expr(clause.expr).span);
        std::vector<Candidate> list;
        if (candidates(set, in, search.lift, list)) {
            drop_foreign(program_.vars[var].type, list, search.lift);
            return next_values(p, std::move(list), c);
        }
        if (failed_) return false;
    }
    std::size_t best = rule.params.size();
    std::uint64_t fewest = value_limit + 1;
    for (std::size_t p = 0; p < rule.params.size(); ++p) {
        const std::uint64_t values = program_.types.cardinality(program_.vars[rule.params[p]].type);
        if (bound[p] || values >= fewest) continue;
        fewest = values;
        best = p;
    }
    if (best < rule.params.size()) {
        const ir::TypeId type = program_.vars[rule.params[best]].type;
        std::vector<Candidate> list;
        for (std::uint64_t o = 0; o < fewest; ++o)
            list.push_back({std::vector<std::int64_t>(search.lift.shape.bits,
                                                      layout_.to_register(type, program_.types.value(type, o))),
                            search.lift.universe});
        return next_values(best, std::move(list), used.size());
    }
    if (std::find(bound.begin(), bound.end(), false) != bound.end()) return false;
    if (search.out.size() >= search.most) return false;
    search.out.push_back({guard, search.tables, in.assumed, search.lift});
    return true;
}

// A set of numbers may hold some that are none of the parameter's.
void Lowering::drop_foreign(ir::TypeId type, std::vector<Candidate>& list, const Lift& lift) {
    const ir::Type& t = program_.types[type];
    if (t.kind != TypeKind::Int) return;
    for (Candidate& candidate : list) {
        std::vector<bool> own(candidate.table.size());
        for (std::size_t b = 0; b < own.size(); ++b) {
            own[b] = candidate.table[b] >= t.lo && candidate.table[b] <= t.hi;
            if (!own[b]) candidate.table[b] = undefined;
        }
        if (std::ranges::find(own, false) != own.end())
            candidate.guard = graph_.and_(candidate.guard, lifted_constant(own, lift));
    }
}

NodeRef Lowering::common_condition(const ir::Rule& rule, const Context& in) {
    NodeRef result = graph_.word(1);
    for (const ir::Clause& clause : rule.when)
        if (!valid(clause.bind) && free_vars(clause.expr).empty()) result = graph_.both(result, eval(clause.expr, in));
    return result;
}

// -- loops

NodeRef Lowering::clauses(const std::vector<ir::Clause>& list, Context& in) {
    NodeRef result = graph_.word(1);
    for (const ir::Clause& clause : list) {
        if (valid(clause.bind))
            in = bind(clause.bind, clause.expr, in, in);
        else
            result = graph_.both(result, eval(clause.expr, in));
    }
    return result;
}

bool Lowering::is_about_state(const std::vector<ir::Clause>& list) {
    std::vector<ir::VarId> bound;
    for (const ir::Clause& clause : list) {
        for (ir::VarId v : free_vars(clause.expr))
            if (std::ranges::find(bound, v) == bound.end()) return false;
        if (valid(clause.bind)) bound.push_back(clause.bind);
    }
    return true;
}

bool Lowering::names_known(ir::ExprId e, const Context& in) {
    return std::ranges::all_of(free_vars(e), [&](ir::VarId v) { return find(v, in) != nullptr; });
}

std::vector<std::int64_t> Lowering::values_by_bit(ir::TypeId type, const Lift& lift) const {
    std::vector<std::int64_t> values;
    for (std::uint32_t b = 0; b < lift.shape.bits; ++b)
        values.push_back(lift.real[b] ? layout_.to_register(type, layout_.value_of_bit(type, b)) : undefined);
    return values;
}

} // namespace zug::run
