// Whether moves are found in sets or in loops, and over which parameter: estimates of what each costs.

#include "compiler/moves/move_emitter.hpp"

#include <algorithm>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::uint64_t most_ways = 16; // from a member, that are counted

} // namespace

// The most move sets that cost no more than going through the members of the leading site's domain one by one.
std::size_t MoveEmitter::sets_that_pay(const Context& in) {
    if (leading_ == rule_.params.size()) return most_move_sets;
    std::vector<bool> used(rule_.when.size(), false);
    const NodeRef domain = narrow_by_site(universe(program_.vars[rule_.params[leading_]].type), in, used);
    return sets_that_pay(lowering_.expected_size(domain));
}

// For so many members. A member costs as much as two sets for each way to choose those parameters that no set narrows.
std::size_t MoveEmitter::sets_that_pay(std::uint64_t pieces) {
    // Where nothing is known, there may be as many as there are sites.
    if (pieces >= many) pieces = program_.types.cardinality(program_.vars[rule_.params[leading_]].type);
    std::uint64_t ways = 1;
    bool lifted = false; // another site, of which there is a set for each choice of the others
    for (std::size_t p = 0; p < rule_.params.size(); ++p) {
        const ir::TypeId type = program_.vars[rule_.params[p]].type;
        if (p == leading_ || is_narrowed(rule_.params[p])) continue;
        const bool is_site = program_.types.kind(type) == TypeKind::Site;
        if (lifted || !is_site) ways = std::min(ways * program_.types.cardinality(type), most_ways);
        lifted = lifted || is_site;
    }
    return 2 * pieces * ways;
}

// Whether a clause says which set the parameter is in; given a context, one whose names are not all known there, since
// they are of parameters that are chosen before.
bool MoveEmitter::is_narrowed(ir::VarId param, const Context* in) {
    return std::ranges::any_of(rule_.when, [&](const ir::Clause& clause) {
        if (valid(clause.bind) || expr(clause.expr).op != Op::In) return false;
        const ir::Expr& member = expr(program_.argument(clause.expr, 0));
        return member.op == Op::Var && static_cast<ir::VarId>(member.imm) == param &&
               (in == nullptr || !names_known(program_.argument(clause.expr, 1), *in));
    });
}

bool MoveEmitter::is_site(std::size_t param) const {
    return program_.types.kind(program_.vars[rule_.params[param]].type) == TypeKind::Site;
}

// The parameter to choose next: the first that is not given, or if that is a site, the one that leads to the others, or
// at the beginning one that far fewer are expected of. The number of parameters if all are given.
std::size_t MoveEmitter::next_param(const Context& in) const {
    const auto given = [&](ir::VarId p) { return lowering_.find(p, in) != nullptr; };
    const auto first = static_cast<std::size_t>(std::ranges::find_if_not(rule_.params, given) - rule_.params.begin());
    if (first == rule_.params.size() || !is_site(first)) return first;
    const bool begins = !unrolls_ && !domains_.empty() && std::ranges::none_of(rule_.params, given);
    return begins ? site_to_begin_with() : lowering_.leading_site(rule_, in);
}

std::size_t MoveEmitter::site_to_begin_with() const {
    constexpr std::uint64_t times_fewer = 3;
    std::size_t best = leading_;
    const std::uint64_t leading = lowering_.expected_size(domains_[leading_]);
    if (leading >= many) return leading_; // nothing is known of them
    std::uint64_t fewest = leading / times_fewer;
    for (std::size_t p = 0; p < rule_.params.size(); ++p) {
        if (p == leading_ || !is_site(p)) continue;
        const std::uint64_t expected = lowering_.expected_size(domains_[p]);
        if (expected >= fewest) continue;
        fewest = expected;
        best = p;
    }
    return best;
}

// The conditions that are not the same in all states.
std::size_t MoveEmitter::tests_of_state() const {
    const auto asks_state = [&](const auto& self, ir::ExprId e) -> bool {
        const ir::Expr& x = expr(e);
        const bool variable = x.op == Op::StateGet || x.op == Op::MapGet;
        if (variable && program_.states[static_cast<ir::StateId>(x.imm)].assigned) return true;
        if (x.op == Op::Call || x.op == Op::Can || x.op == Op::Earlier || x.op == Op::Stuck) return true;
        if (x.op == Op::Var && std::ranges::count(rule_.when, static_cast<ir::VarId>(x.imm), &ir::Clause::bind) > 0)
            return true;
        return std::ranges::any_of(program_.arguments(e), [&](ir::ExprId a) { return self(self, a); });
    };
    return static_cast<std::size_t>(std::ranges::count_if(rule_.when, [&](const ir::Clause& clause) {
        return !valid(clause.bind) && asks_state(asks_state, clause.expr);
    }));
}

} // namespace zug::run
