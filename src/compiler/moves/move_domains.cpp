// The values of each parameter that a move can have: those for which the conditions on it alone hold.

#include "compiler/moves/move_emitter.hpp"

#include <algorithm>
#include <numeric>

namespace zug::run {

using ir::TypeKind;

// The unused clauses whose names are all bound. Names that such clauses bind are added to the context.
std::vector<std::size_t> MoveEmitter::testable_clauses(Context& in, const std::vector<bool>& used) {
    std::vector<std::size_t> clauses;
    for (std::size_t c = 0; c < rule_.when.size(); ++c) {
        if (used[c] || !names_known(rule_.when[c].expr, in)) continue;
        if (valid(rule_.when[c].bind))
            in = bind(rule_.when[c].bind, rule_.when[c].expr, in, in);
        else
            clauses.push_back(c);
    }
    return clauses;
}

// The domain of each parameter: its values that satisfy the clauses on it alone, which are marked as used. Those with
// the fewest values come first, so that the others are not computed where one is empty.
void MoveEmitter::find_domains(const Context& around, std::vector<bool>& used) {
    any_left_ = graph_.word(1);
    Context in = around;
    for (std::size_t c : testable_clauses(in, used)) {
        any_left_ = graph_.both(any_left_, eval(rule_.when[c].expr, in));
        used[c] = true;
    }
    std::vector<std::size_t> order(rule_.params.size());
    std::iota(order.begin(), order.end(), 0);
    const auto values = [&](std::size_t p) { return program_.types.cardinality(program_.vars[rule_.params[p]].type); };
    std::ranges::stable_sort(order, {}, values);
    domains_.assign(rule_.params.size(), no_node);
    for (std::size_t p : order) {
        if (program_.types.kind(program_.vars[rule_.params[p]].type) == TypeKind::Optional) {
            (void)fail();
            return;
        }
        domains_[p] = domain_of(p, in, used);
        const NodeRef some = graph_.any(domains_[p]);
        if (options_.early_exit && !graph_.is_constant(some))
            graph_.return_if(graph_.not_(some), *options_.early_exit);
        else
            any_left_ = graph_.both(any_left_, some);
    }
}

NodeRef MoveEmitter::domain_of(std::size_t param, const Context& in, std::vector<bool>& used) {
    const ir::VarId var = rule_.params[param];
    bool one_by_one = false;
    const NodeRef all = graph_.bcast(any_left_, universe(program_.vars[var].type));
    const NodeRef domain = narrowed(var, all, in, used, one_by_one);
    if (!one_by_one || is_narrowed(var, &in)) return domain;
    return members_where(param, in, used, domain);
}

// The members of a parameter's domain that satisfy the unused clauses on it alone, as far as these can be lifted, and
// are then marked as used. `rest`: some can't.
NodeRef MoveEmitter::narrowed(ir::VarId param, NodeRef domain, const Context& in, std::vector<bool>& used, bool& rest) {
    const ir::TypeId type = program_.vars[param].type;
    const Lift lift = lowering_.lift_over(type);
    Context lifted = bind_table(param, lowering_.values_by_bit(type, lift), in);
    for (std::size_t c : testable_clauses(lifted, used)) {
        const NodeRef truth = lift_truth(rule_.when[c].expr, lifted, lift.narrowed(graph_, domain));
        used[c] = truth != no_node;
        if (used[c])
            domain = graph_.and_(domain, truth);
        else
            rest = true;
    }
    return domain;
}

// The members of a parameter's domain for which the unused clauses hold whose names are all bound then.
NodeRef MoveEmitter::members_where(std::size_t param, const Context& in, std::vector<bool>& used, NodeRef domain) {
    const ir::TypeId type = program_.vars[rule_.params[param]].type;
    const std::uint16_t words = graph_.width(domain);
    std::vector<std::size_t> tested;
    const auto truth_of = [&](NodeRef value) {
        Context member = bind_node(rule_.params[param], value, in);
        tested = testable_clauses(member, used);
        NodeRef truth = graph_.word(1);
        for (const std::size_t c : tested) truth = graph_.both(truth, eval(rule_.when[c].expr, member));
        return truth;
    };
    NodeRef found = empty(words);
    if (unrolls_) {
        const std::vector<std::int64_t> values = lowering_.values_by_bit(type, lowering_.lift_over(type));
        for (std::size_t bit = 0; bit < program_.types.cardinality(type); ++bit) {
            std::vector<std::uint64_t> only(words, 0);
            only[bit / 64] = std::uint64_t{1} << (bit % 64);
            found = graph_.or_(found, graph_.bcast(truth_of(graph_.word(values[bit])), graph_.set(std::move(only))));
        }
        found = graph_.and_(found, domain);
    } else {
        const auto open = graph_.open_loop(Reduce::Members, domain, words, empty(words));
        found = graph_.close_loop(open, truth_of(lowering_.item_of(type, open)));
    }
    for (const std::size_t c : tested) used[c] = true;
    return found;
}

// If a condition on no parameter fails, or those on one parameter alone for all its values. Not for the parameter with
// the most values: some man there always is.
void MoveEmitter::end_if_impossible(const Context& around) {
    std::vector<bool> used(rule_.when.size(), false);
    Context in = around;
    for (std::size_t c : testable_clauses(in, used)) {
        graph_.return_if(graph_.not_(eval(rule_.when[c].expr, in)), *options_.early_exit);
        used[c] = true;
    }
    const auto values = [&](ir::VarId p) { return program_.types.cardinality(program_.vars[p].type); };
    const auto largest = std::ranges::max_element(rule_.params, {}, values);
    for (const ir::VarId param : rule_.params) {
        const ir::TypeId type = program_.vars[param].type;
        if (param == *largest || program_.types.kind(type) == TypeKind::Optional) continue;
        bool rest = false;
        const NodeRef domain = narrowed(param, universe(type), in, used, rest);
        if (!graph_.is_constant(domain)) graph_.return_if(graph_.not_(graph_.any(domain)), *options_.early_exit);
    }
}

} // namespace zug::run
