#include "compiler/lower/move_set_finder.hpp"
#include "compiler/lower/set_lifter.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::uint64_t value_limit = 64;    // values of a parameter that are taken one by one
constexpr std::uint64_t lifted_limit = 4096; // values of a lifted parameter that is no site

// Whether no two sites lead to the same one.
bool is_injective(const std::vector<std::int64_t>& table) {
    std::vector<std::int64_t> met;
    for (const std::int64_t v : table)
        if (v >= 0) met.push_back(v);
    std::ranges::sort(met);
    return std::ranges::adjacent_find(met) == met.end();
}

} // namespace

struct MoveSetFinder::Search {
    const ir::Rule& rule;
    Lift lift;
    std::vector<MoveSet>& out;
    std::size_t most;                                   // sets in `out`
    std::vector<std::vector<std::int64_t>> tables = {}; // by parameter, of those bound
    std::vector<std::size_t> indices = {};              // the parameters by which a matrix is read
    // Other parameters that could be its indices, too, are these plus a number, and not taken value by value: where a
    // move can only lead to the neighbourhood of an entry, there are fewer such numbers.
    bool by_difference = false;
};

struct MoveSetFinder::PartialMoveSet {
    Context in;
    NodeRef guard = no_node;
    Lift lift;               // as far as the candidates chosen have values
    std::vector<bool> bound; // by parameter
    std::vector<bool> used;  // by clause
};

MoveSetFinder::Lifted MoveSetFinder::lifted_parameter(const ir::Rule& rule, const Context& in) const {
    Lifted lifted{leading_site(rule, in), UINT64_MAX};
    if (lifted.param == rule.params.size()) lifted.values = 0;
    for (std::size_t p = 0; p < rule.params.size(); ++p) {
        if (lowering_.find(rule.params[p], in) != nullptr) continue;
        const ir::TypeId type = program_.vars[rule.params[p]].type;
        const bool site = program_.types.kind(type) == TypeKind::Site;
        const std::uint64_t values = site ? UINT64_MAX : program_.types.cardinality(type);
        if (program_.types.kind(type) == TypeKind::Optional) continue;
        const bool reads_rows =
            site && lifted.values == UINT64_MAX && is_column(rule, p) && !is_column(rule, lifted.param);
        if (values > lifted.values || reads_rows) lifted = {p, values};
    }
    return lifted;
}

std::size_t MoveSetFinder::leading_site(const ir::Rule& rule, const Context& in) const {
    std::vector<std::size_t> sites;
    for (std::size_t p = 0; p < rule.params.size(); ++p)
        if (program_.types.kind(program_.vars[rule.params[p]].type) == TypeKind::Site &&
            lowering_.find(rule.params[p], in) == nullptr)
            sites.push_back(p);
    const auto names_other = [&](std::size_t p, ir::ExprId e) {
        return std::ranges::any_of(sites, [&](std::size_t q) { return q != p && names(rule, e, rule.params[q]); });
    };
    const auto follows = [&](std::size_t p, const ir::Clause& clause) {
        if (valid(clause.bind) || expr(clause.expr).op != Op::In) return false;
        const ir::Expr& member = expr(program_.argument(clause.expr, 0));
        return member.op == Op::Var && static_cast<ir::VarId>(member.imm) == rule.params[p] &&
               names_other(p, program_.argument(clause.expr, 1));
    };
    const auto leads = [&](std::size_t p) {
        return std::ranges::none_of(rule.when, [&](const ir::Clause& clause) { return follows(p, clause); });
    };
    const auto is_told = [&](std::size_t p) {
        return leads(p) && std::ranges::any_of(rule.when, [&](const ir::Clause& clause) {
                   return !valid(clause.bind) && names(rule, clause.expr, rule.params[p]) &&
                          !names_other(p, clause.expr);
               });
    };
    if (const auto told = std::ranges::find_if(sites, is_told); told != sites.end()) return *told;
    if (const auto leading = std::ranges::find_if(sites, leads); leading != sites.end()) return *leading;
    return sites.empty() ? rule.params.size() : sites.front();
}

bool MoveSetFinder::names(const ir::Rule& rule, ir::ExprId e, ir::VarId var) const {
    return std::ranges::any_of(lowering_.free_vars(e), [&](ir::VarId named) {
        if (named == var) return true;
        const auto bound = std::ranges::find(rule.when, named, &ir::Clause::bind);
        return bound != rule.when.end() && names(rule, bound->expr, var);
    });
}

// Whether the rule's conditions read a map by this parameter in the row of another one, and never the other way round:
// for each value of that one, the values of the parameter that the map holds are a row. The same goes for tuples that
// are members of a set.
bool MoveSetFinder::is_column(const ir::Rule& rule, std::size_t param) const {
    bool last = false, first = false;
    const auto look = [&](const auto& self, ir::ExprId e) -> void {
        const auto args = program_.arguments(e);
        const auto is_param = [&](ir::ExprId a) {
            return expr(a).op == Op::Var && static_cast<ir::VarId>(expr(a).imm) == rule.params[param];
        };
        if ((expr(e).op == Op::MapGet || expr(e).op == Op::MakeTuple) && args.size() > 1) {
            last = last || is_param(args.back());
            first = first || std::ranges::any_of(args.first(args.size() - 1), is_param);
        }
        for (const ir::ExprId a : args) self(self, a);
    };
    for (const ir::Clause& clause : rule.when) look(look, clause.expr);
    return last && !first;
}

// A table with equal entries is bound as a constant, which folds better. Entries outside of the guard do not matter.
Context MoveSetFinder::bind_values(ir::VarId var, const std::vector<std::int64_t>& table, const Context& in) {
    const bool same = std::adjacent_find(table.begin(), table.end(), std::not_equal_to<>()) == table.end();
    return same ? bind_node(var, graph_.word(table[0]), in) : bind_table(var, table, in);
}

NodeRef MoveSetFinder::those_where(const ir::Rule& rule, const MoveSet& found, ir::ExprId condition,
                                   const Context& around) {
    Context in = around.without_names();
    if (found.lift.entries) {
        for (std::size_t p = 0; p < rule.params.size(); ++p) in = bind_values(rule.params[p], found.params[p], in);
        const NodeRef truth = lift_truth(condition, in, found.lift.narrowed(graph_, found.set));
        return truth == no_node ? no_node : graph_.and_(found.set, truth);
    }
    const std::size_t lifted = lifted_parameter(rule, in).param;
    if (lifted == rule.params.size()) return no_node;
    // Lifted over the parameter that occurs most often in the condition, if that determines the lifted one, and mapped
    // back.
    std::size_t over = lifted;
    for (std::size_t p = 0; p < rule.params.size(); ++p)
        if (found.params[p].size() == found.params[lifted].size() && is_injective(found.params[p]) &&
            program_.types.kind(program_.vars[rule.params[p]].type) == TypeKind::Site &&
            times_named(condition, rule.params[p]) > times_named(condition, rule.params[over]))
            over = p;
    const ir::TypeId type = program_.vars[rule.params[over]].type;
    const Lift lift = lowering_.lift_over(type);
    const std::vector<std::int64_t>& there = found.params[over];
    for (std::size_t p = 0; p < rule.params.size(); ++p) {
        std::vector<std::int64_t> table(lift.shape.bits, undefined);
        for (std::size_t b = 0; b < there.size(); ++b)
            if (there[b] >= 0) table[static_cast<std::size_t>(there[b])] = found.params[p][b];
        if (over == lifted) table = found.params[p];
        if (p == over && over != lifted) table = lowering_.values_by_bit(type, lift);
        in = bind_values(rule.params[p], table, in);
    }
    NodeRef truth = lift_truth(condition, in, over == lifted ? lift.narrowed(graph_, found.set) : lift);
    if (truth != no_node && over != lifted)
        truth = lowering_.lifter().preimage(there, truth, lift.shape,
                                            lowering_.lift_over(program_.vars[rule.params[lifted]].type));
    return truth == no_node ? no_node : graph_.and_(found.set, truth);
}

// The number of occurrences of the variable in the expression.
std::size_t MoveSetFinder::times_named(ir::ExprId e, ir::VarId var) const {
    const ir::Expr& x = expr(e);
    if (x.op == Op::Var) return static_cast<ir::VarId>(x.imm) == var ? 1 : 0;
    std::size_t times = 0;
    for (const ir::ExprId a : program_.arguments(e)) times += times_named(a, var);
    return times;
}

bool MoveSetFinder::find(const ir::Rule& rule, const Context& in, const MoveSetQuery& query,
                         std::vector<MoveSet>& out) {
    const Passes::Timer timer(graph_.passes(), Pass::MoveSets);
    const ValueGraph::From here(graph_, rule.span);
    const Lifted lifted = lifted_parameter(rule, in);
    // With all parameters given there is one instance: this is how a loop over instances reports them.
    if (lifted.param != rule.params.size() && !graph_.passes().on(Pass::MoveSets)) return false;
    if (lifted.values != UINT64_MAX && lifted.values > lifted_limit) return false;
    Search search{rule, {}, out, out.size() + query.most};
    search.tables.resize(rule.params.size());
    PartialMoveSet partial{in, query.guard, {}, std::vector<bool>(rule.params.size(), false), query.used};
    for (std::size_t p = 0; p < rule.params.size(); ++p)
        partial.bound[p] = lowering_.find(rule.params[p], in) != nullptr;
    partial.used.resize(rule.when.size(), false);
    if (lifted.param == rule.params.size()) {
        search.lift = {{1, 1, -1}, graph_.set({1}, true), {true}};
    } else if (lifted.values == UINT64_MAX || !lift_together(search, partial)) {
        const ir::VarId var = rule.params[lifted.param];
        const ir::TypeId type = program_.vars[var].type;
        search.lift = lowering_.lift_over(type);
        search.tables[lifted.param] = lowering_.values_by_bit(type, search.lift);
        partial.bound[lifted.param] = true;
        partial.in = bind_table(var, search.tables[lifted.param], in);
    }
    if (partial.guard == no_node) partial.guard = search.lift.universe;
    partial.lift = search.lift;
    const std::size_t before = out.size();
    const bool found = choose_way(search, partial) && !failed();
    if (found) graph_.passes().changed(Pass::MoveSets, out.size() - before);
    return found;
}

// By differences, if that gives fewer sets.
bool MoveSetFinder::choose_way(Search& search, const PartialMoveSet& partial) {
    const std::size_t before = search.out.size();
    const auto can_differ = [&](std::size_t p) {
        return !partial.bound[p] && index_like(search, partial, p).has_value();
    };
    std::vector<MoveSet> by_difference;
    search.by_difference = false;
    for (std::size_t p = 0; p < search.rule.params.size(); ++p) search.by_difference |= can_differ(p);
    if (search.by_difference && lowering_.attempt([&] { return choose_next(search, partial); }))
        by_difference.assign(std::make_move_iterator(search.out.begin() + static_cast<std::ptrdiff_t>(before)),
                             std::make_move_iterator(search.out.end()));
    const bool either = !by_difference.empty();
    search.out.resize(before);
    search.by_difference = false;
    if (!either) return choose_next(search, partial);
    const bool found = lowering_.attempt([&] { return choose_next(search, partial); });
    if (found && search.out.size() - before <= by_difference.size()) return true;
    search.out.resize(before);
    std::ranges::move(by_difference, std::back_inserter(search.out));
    return true;
}

// The index of the matrix that the parameter is compared with: of the same type, in the same order.
std::optional<std::size_t> MoveSetFinder::index_like(const Search& search, const PartialMoveSet& partial,
                                                     std::size_t param) const {
    const auto type = [&](std::size_t p) { return program_.vars[search.rule.params[p]].type; };
    const auto is_index = [&](std::size_t p) { return std::ranges::find(search.indices, p) != search.indices.end(); };
    if (program_.types.kind(type(param)) != TypeKind::Int || search.indices.empty()) return std::nullopt;
    std::size_t earlier = 0; // parameters like it before it
    for (std::size_t p = 0; p < param; ++p) earlier += !is_index(p) && type(p) == type(param) ? 1 : 0;
    const std::size_t like = search.indices[earlier % search.indices.size()];
    return partial.bound[like] && type(like) == type(param) ? std::optional(like) : std::nullopt;
}

// Lifts parameters that are not given, and can be the indices of a matrix, as one that ranges over its entries. False:
// there are none.
bool MoveSetFinder::lift_together(Search& search, PartialMoveSet& partial) {
    std::vector<std::size_t> left;
    std::vector<ir::VarId> vars;
    for (std::size_t p = 0; p < search.rule.params.size(); ++p) {
        if (partial.bound[p]) continue;
        left.push_back(p);
        vars.push_back(search.rule.params[p]);
    }
    for (std::size_t first = 0; first + 1 < left.size(); ++first) {
        for (std::size_t n = left.size() - first; n > 1; --n) {
            auto found = lowering_.lift_over_entries(std::span(vars).subspan(first, n));
            if (!found) continue;
            search.lift = std::move(found->lift);
            for (std::size_t i = 0; i < n; ++i) {
                const std::size_t p = left[first + i];
                search.tables[p] = std::move(found->values[i]);
                search.indices.push_back(p);
                partial.bound[p] = true;
                partial.in = bind_table(search.rule.params[p], search.tables[p], partial.in);
            }
            return true;
        }
    }
    return false;
}

// Adds the clauses whose names are all bound to the guard. False: one of them cannot be lifted.
bool MoveSetFinder::apply_clauses(Search& search, PartialMoveSet& partial) {
    for (std::size_t c = 0; c < search.rule.when.size(); ++c) {
        const ir::Clause& clause = search.rule.when[c];
        if (partial.used[c] || !names_known(clause.expr, partial.in)) continue;
        const ValueGraph::From here(graph_, expr(clause.expr).span);
        partial.used[c] = true;
        if (valid(clause.bind)) {
            partial.in = bind(clause.bind, clause.expr, partial.in, partial.in);
            continue;
        }
        const NodeRef truth = lift_truth(clause.expr, partial.in, partial.lift.narrowed(graph_, partial.guard));
        if (truth == no_node) return false;
        partial.guard = graph_.and_(partial.guard, truth);
    }
    return !failed();
}

// Chooses a remaining parameter, and makes a set for each of its candidates. If none remains, a set has been found.
bool MoveSetFinder::choose_next(Search& search, PartialMoveSet partial) {
    if (!apply_clauses(search, partial)) return false;
    if (graph_.is_empty(partial.guard)) return true;
    if (const Found by_clause = choose_by_clause(search, partial); by_clause != Found::Nothing)
        return by_clause == Found::Yes;
    if (const Found by_type = choose_by_type(search, partial); by_type != Found::Nothing) return by_type == Found::Yes;
    if (std::ranges::find(partial.bound, false) != partial.bound.end()) return false;
    if (search.out.size() >= search.most) return false;
    search.out.push_back({partial.guard, search.tables, partial.in.assumed, search.lift});
    return true;
}

bool MoveSetFinder::choose(Search& search, const PartialMoveSet& partial, std::size_t param,
                           CandidateFinder::Candidates list) {
    // Nearly every candidate makes a set, though some of the sets may be merged.
    if (list.size() > 4 * (search.most + 1 - search.out.size())) return false;
    lowering_.candidates().disjoin(list, search.lift);
    for (Candidate& candidate : list) {
        search.tables[param] = candidate.table;
        PartialMoveSet next = partial;
        next.bound[param] = true;
        next.in = bind_values(search.rule.params[param], candidate.table, partial.in);
        next.guard = graph_.and_(partial.guard, candidate.guard);
        if (search.lift.entries && graph_.is_constant(candidate.guard)) next.lift.keep_members(graph_, candidate.guard);
        if (!choose_next(search, std::move(next))) return false;
    }
    return true;
}

// By a clause `parameter in set`. Sets that depend on parameters chosen before are tried first: they usually have few
// members.
MoveSetFinder::Found MoveSetFinder::choose_by_clause(Search& search, const PartialMoveSet& partial) {
    const ir::Rule& rule = search.rule;
    for (std::size_t k = 0; k < 2 * rule.when.size(); ++k) {
        const std::size_t c = k % rule.when.size();
        const ir::Clause& clause = rule.when[c];
        if (partial.used[c] || valid(clause.bind) || expr(clause.expr).op != Op::In) continue;
        const ir::ExprId member = program_.argument(clause.expr, 0), set = program_.argument(clause.expr, 1);
        if (expr(member).op != Op::Var || !names_known(set, partial.in)) continue;
        if (k < rule.when.size() && !depends(set, partial.in)) continue;
        const auto var = static_cast<ir::VarId>(expr(member).imm);
        const auto p = static_cast<std::size_t>(std::ranges::find(rule.params, var) - rule.params.begin());
        if (p == rule.params.size() || partial.bound[p]) continue;
        const ValueGraph::From here(graph_, expr(clause.expr).span);
        CandidateFinder::Candidates list;
        if (lowering_.candidates().find(set, partial.in, search.lift, list)) {
            lowering_.candidates().drop_foreign(program_.vars[var].type, list, search.lift);
            PartialMoveSet next = partial;
            next.used[c] = true;
            return choose(search, next, p, std::move(list)) ? Found::Yes : Found::No;
        }
        if (failed()) return Found::No;
    }
    return Found::Nothing;
}

// The index plus each number that leads to another of its values.
CandidateFinder::Candidates MoveSetFinder::differences(const Search& search, std::size_t param, const ir::Type& type) {
    CandidateFinder::Candidates list;
    for (std::int64_t d = type.lo - type.hi; d <= type.hi - type.lo; ++d) {
        std::vector<std::int64_t> table = sums_within(search.tables[param], d, type);
        const NodeRef guard =
            lowering_.lifter().constant_where(search.lift, [&](std::size_t b) { return table[b] != undefined; });
        list.push_back({std::move(table), guard});
    }
    return list;
}

// The parameter with the fewest values, value by value.
MoveSetFinder::Found MoveSetFinder::choose_by_type(Search& search, const PartialMoveSet& partial) {
    const ir::Rule& rule = search.rule;
    std::size_t best = rule.params.size();
    std::uint64_t fewest = value_limit + 1;
    for (std::size_t p = 0; p < rule.params.size(); ++p) {
        const std::uint64_t values = program_.types.cardinality(program_.vars[rule.params[p]].type);
        if (partial.bound[p] || values >= fewest) continue;
        fewest = values;
        best = p;
    }
    if (best == rule.params.size()) return Found::Nothing;
    const ir::TypeId type = program_.vars[rule.params[best]].type;
    CandidateFinder::Candidates list;
    if (const auto like = search.by_difference ? index_like(search, partial, best) : std::nullopt) {
        list = differences(search, *like, program_.types[type]);
    } else {
        for (std::uint64_t o = 0; o < fewest; ++o)
            list.push_back({std::vector<std::int64_t>(search.lift.shape.bits,
                                                      layout_.to_register(type, program_.types.value(type, o))),
                            search.lift.universe});
    }
    return choose(search, partial, best, std::move(list)) ? Found::Yes : Found::No;
}

} // namespace zug::run
