// Instances of a rule: as sets where its conditions can be lifted, else as loops that report each.

#include "run/lower.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::size_t case_limit = 4096;  // sets of instances of one rule
constexpr std::uint64_t value_limit = 64; // values of a parameter that are taken one by one

bool same_everywhere(const std::vector<std::int64_t>& table) {
    return std::adjacent_find(table.begin(), table.end(), std::not_equal_to<>()) == table.end();
}

} // namespace

struct Lowering::Search {
    const ir::Rule& rule;
    Lift lift;
    std::vector<Case>& out;
    std::vector<std::vector<std::int64_t>> tables; // by parameter, of those bound
};

bool Lowering::cases(const ir::Rule& rule, const Env* env, std::vector<Case>& out) {
    // The lifted parameter: the first that is a site, else the one with most values.
    std::size_t lifted = rule.params.size();
    std::uint64_t most = 0;
    for (std::size_t p = 0; p < rule.params.size(); ++p) {
        if (find(rule.params[p], env) != nullptr) continue;
        const ir::TypeId type = program_.vars[rule.params[p]].type;
        const bool site = program_.types.kind(type) == TypeKind::Site;
        const std::uint64_t values = site ? UINT64_MAX : program_.types.cardinality(type);
        if (values > most && program_.types.kind(type) != TypeKind::Optional) {
            most = values;
            lifted = p;
        }
    }
    if (most != UINT64_MAX && most > 4096) return false;
    Search search{rule, {}, out, {}};
    search.tables.resize(rule.params.size());
    std::vector<bool> bound(rule.params.size(), false);
    for (std::size_t p = 0; p < rule.params.size(); ++p) bound[p] = find(rule.params[p], env) != nullptr;
    if (lifted == rule.params.size()) {
        search.lift = {{1, 1, -1}, graph_.set({1}, true), {true}};
    } else {
        const ir::TypeId type = program_.vars[rule.params[lifted]].type;
        search.lift = lift_over(type);
        search.tables[lifted] = values_by_bit(type, search.lift);
        bound[lifted] = true;
        env = bind_table(rule.params[lifted], search.tables[lifted], env);
    }
    return choose_next(search, env, search.lift.universe, std::move(bound),
                       std::vector<bool>(rule.when.size(), false)) &&
           !failed_;
}

bool Lowering::choose_next(Search& search, const Env* env, NodeRef guard, std::vector<bool> bound,
                           std::vector<bool> used) {
    const ir::Rule& rule = search.rule;
    const auto ready = [&](ir::ExprId e, ir::VarId except) {
        for (ir::VarId v : free_vars(e))
            if (v != except && find(v, env) == nullptr) return false;
        return true;
    };
    for (std::size_t c = 0; c < rule.when.size(); ++c) {
        const ir::Clause& clause = rule.when[c];
        if (used[c] || !ready(clause.expr, none_id<ir::VarId>)) continue;
        used[c] = true;
        if (valid(clause.bind)) {
            env = bind(clause.bind, clause.expr, env, env);
            continue;
        }
        const NodeRef truth = lift_truth(clause.expr, env, search.lift);
        if (truth == no_node) return false;
        guard = graph_.and_(guard, truth);
    }
    if (failed_) return false;
    if (graph_.is_empty(guard)) return true;
    const auto next_values = [&](std::size_t p, std::vector<Choice> list, std::size_t clause) {
        disjoin(list, search.lift);
        bound[p] = true;
        if (clause < used.size()) used[clause] = true;
        for (Choice& choice : list) {
            search.tables[p] = choice.table;
            // Where the guard is false the table may hold anything; a constant folds better.
            const Env* inner = same_everywhere(choice.table)
                                   ? bind_node(rule.params[p], graph_.word(choice.table[0]), env)
                                   : bind_table(rule.params[p], choice.table, env);
            if (!choose_next(search, inner, graph_.and_(guard, choice.guard), bound, used)) return false;
        }
        return true;
    };
    for (std::size_t c = 0; c < rule.when.size(); ++c) {
        const ir::Clause& clause = rule.when[c];
        if (used[c] || valid(clause.bind) || expr(clause.expr).op != Op::In) continue;
        const ir::ExprId member = program_.argument(clause.expr, 0), set = program_.argument(clause.expr, 1);
        if (expr(member).op != Op::Var) continue;
        const auto var = static_cast<ir::VarId>(expr(member).imm);
        const auto p =
            static_cast<std::size_t>(std::find(rule.params.begin(), rule.params.end(), var) - rule.params.begin());
        if (p == rule.params.size() || bound[p] || !ready(set, none_id<ir::VarId>)) continue;
        std::vector<Choice> list;
        if (choices(set, env, search.lift, list)) return next_values(p, std::move(list), c);
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
        std::vector<Choice> list;
        for (std::uint64_t o = 0; o < fewest; ++o)
            list.push_back({std::vector<std::int64_t>(search.lift.shape.bits,
                                                      layout_.to_register(type, program_.types.value(type, o))),
                            search.lift.universe});
        return next_values(best, std::move(list), used.size());
    }
    if (std::find(bound.begin(), bound.end(), false) != bound.end()) return false;
    if (search.out.size() >= case_limit) return false;
    search.out.push_back({guard, search.tables});
    return true;
}

// -- loops

NodeRef Lowering::clauses(const std::vector<ir::Clause>& list, const Env*& env) {
    NodeRef result = graph_.word(1);
    for (const ir::Clause& clause : list) {
        if (valid(clause.bind))
            env = bind(clause.bind, clause.expr, env, env);
        else
            result = graph_.both(result, eval(clause.expr, env));
    }
    return result;
}

bool Lowering::names_known(ir::ExprId e, const Env* env) {
    return std::ranges::all_of(free_vars(e), [&](ir::VarId v) { return find(v, env) != nullptr; });
}

std::vector<std::int64_t> Lowering::values_by_bit(ir::TypeId type, const Lift& lift) const {
    std::vector<std::int64_t> values;
    for (std::uint32_t b = 0; b < lift.shape.bits; ++b)
        values.push_back(lift.real[b] ? layout_.to_register(type, layout_.value_of_bit(type, b)) : undefined);
    return values;
}

// The values that each parameter can have as far as the clauses about it alone tell, which are used up. `any_left`:
// whether all have one. The shortest loops come first, and where nothing is left of one the others are not run.
std::vector<NodeRef> Lowering::domains_of(const ir::Rule& rule, std::vector<bool>& used, NodeRef& any_left,
                                          std::optional<std::int32_t> alone) {
    // The clauses that can be asked with these names; the names that can be given are.
    const auto ask = [&](const Env*& env) {
        std::vector<std::size_t> clauses;
        for (std::size_t c = 0; c < rule.when.size(); ++c) {
            if (used[c] || !names_known(rule.when[c].expr, env)) continue;
            if (valid(rule.when[c].bind))
                env = bind(rule.when[c].bind, rule.when[c].expr, env, env);
            else
                clauses.push_back(c);
        }
        return clauses;
    };
    any_left = graph_.word(1);
    const Env* bare = nullptr;
    for (std::size_t c : ask(bare)) {
        any_left = graph_.both(any_left, eval(rule.when[c].expr, bare));
        used[c] = true;
    }
    std::vector<std::size_t> order(rule.params.size());
    std::iota(order.begin(), order.end(), 0);
    const auto values = [&](std::size_t p) { return program_.types.cardinality(program_.vars[rule.params[p]].type); };
    std::ranges::stable_sort(order, {}, values);
    std::vector<NodeRef> domains(rule.params.size(), no_node);
    for (std::size_t p : order) {
        const ir::TypeId type = program_.vars[rule.params[p]].type;
        if (program_.types.kind(type) == TypeKind::Optional) {
            (void)fail();
            return domains;
        }
        domains[p] = graph_.bcast(any_left, universe(type));
        const Lift lift = lift_over(type);
        const Env* lifted = bind_table(rule.params[p], values_by_bit(type, lift), bare);
        std::vector<std::size_t> one_by_one;
        for (std::size_t c : ask(lifted)) {
            const NodeRef truth = lift_truth(rule.when[c].expr, lifted, lift);
            if (truth != no_node)
                domains[p] = graph_.and_(domains[p], truth);
            else
                one_by_one.push_back(c);
            used[c] = true;
        }
        if (!one_by_one.empty()) {
            const auto open = graph_.open_loop(Reduce::Members, domains[p], lift.shape.words, empty(lift.shape.words));
            const Env* env = bind_node(rule.params[p], item_of(type, open), bare);
            NodeRef truth = graph_.word(1);
            for (std::size_t c : one_by_one) used[c] = false; // for ask, which gives the names
            ask(env);
            for (std::size_t c : one_by_one) {
                truth = graph_.both(truth, eval(rule.when[c].expr, env));
                used[c] = true;
            }
            domains[p] = graph_.close_loop(open, truth);
        }
        const NodeRef some = graph_.any(domains[p]);
        if (alone && !graph_.is_constant(some))
            graph_.return_if(graph_.not_(some), *alone);
        else
            any_left = graph_.both(any_left, some);
    }
    return domains;
}

bool Lowering::emit_instances(ir::RuleId id, std::optional<std::int32_t> alone) {
    const ir::Rule& rule = program_.rules[id];
    const Graph::From here(graph_, rule.span);
    std::vector<bool> used(rule.when.size(), false);
    EmitDescriptor descriptor;
    descriptor.first_code = rule.first_code;
    std::uint64_t stride = rule.code_count;
    for (ir::VarId p : rule.params) {
        const ir::TypeId type = program_.vars[p].type;
        const ir::Type& t = program_.types[type];
        const bool optional = t.kind == TypeKind::Optional;
        const ir::Type& inner = optional ? program_.types[t.parts[0]] : t;
        stride /= program_.types.cardinality(type);
        std::int32_t sites = -1;
        if (inner.kind == TypeKind::Site) {
            const auto& table = layout_.board(static_cast<ir::BoardId>(inner.ref)).site_of_bit;
            sites = static_cast<std::int32_t>(graph_.add_words({table.begin(), table.end()}));
        }
        descriptor.parts.push_back(
            {graph_.fresh(1), inner.kind == TypeKind::Int ? inner.lo : 0, sites, optional, stride});
    }
    const auto emit_index = static_cast<std::int32_t>(code_.emits.size());
    code_.emits.push_back(descriptor);
    NodeRef any_left = no_node;
    const std::vector<NodeRef> domains = domains_of(rule, used, any_left, alone);
    if (failed_) return false;
    // One loop a parameter, clauses tested as soon as their variables are known.
    std::function<void(std::size_t, const Env*)> next = [&](std::size_t p, const Env* env) {
        std::vector<NodeRef> conditions;
        for (std::size_t c = 0; c < rule.when.size(); ++c) {
            const ir::Clause& clause = rule.when[c];
            if (used[c] || !names_known(clause.expr, env)) continue;
            used[c] = true;
            if (valid(clause.bind))
                env = bind(clause.bind, clause.expr, env, env);
            else
                conditions.push_back(eval(clause.expr, env));
        }
        NodeRef condition = graph_.word(1);
        for (NodeRef c : conditions) condition = graph_.both(condition, c);
        if (graph_.is_constant(condition) && graph_.constant_word(condition) == 0) return;
        if (p == rule.params.size()) {
            graph_.open_branch(condition);
            for (std::size_t i = 0; i < rule.params.size(); ++i)
                graph_.effect(Family::Mov, 1, descriptor.parts[i].reg,
                              {find(rule.params[i], env)->node, no_node, no_node});
            graph_.effect(Family::Emit, 1, 0, {no_node, no_node, no_node}, emit_index);
            graph_.close_branch();
            return;
        }
        const ir::VarId var = rule.params[p];
        const ir::TypeId type = program_.vars[var].type;
        NodeRef domain = domains[p];
        if (p == 0) condition = graph_.both(condition, any_left);
        // What can be said of all values of this parameter at once narrows the loop.
        const Lift lift = lift_over(type);
        const Env* lifted = bind_table(var, values_by_bit(type, lift), env);
        for (std::size_t c = 0; c < rule.when.size(); ++c) {
            const ir::Clause& clause = rule.when[c];
            if (used[c] || valid(clause.bind) || !names_known(clause.expr, lifted)) continue;
            const NodeRef truth = lift_truth(clause.expr, lifted, lift);
            if (truth == no_node) continue;
            used[c] = true;
            domain = graph_.and_(domain, truth);
        }
        domain = graph_.bcast(condition, domain);
        const auto open = graph_.open_loop(Reduce::Effects, domain, 1, no_node);
        next(p + 1, bind_node(var, item_of(type, open), env));
        graph_.close_loop(open, no_node);
    };
    next(0, nullptr);
    return !failed_;
}

} // namespace zug::run
