// Whether moves are found in sets or in loops, and over which parameter: estimates of what each costs.

#include "compiler/moves/move_emitter.hpp"

#include <algorithm>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::uint64_t most_ways = 16; // from a member, that are counted

} // namespace

// The most move sets that cost no more than going through the members of the first site's domain one by one.
std::size_t MoveEmitter::sets_that_pay(const Context& in) {
    if (first_site() == rule_.params.size()) return most_move_sets;
    std::vector<bool> used(rule_.when.size(), false);
    const NodeRef domain = narrow_by_site(universe(program_.vars[rule_.params[first_site()]].type), in, used);
    return sets_that_pay(lowering_.expected_size(domain));
}

// For so many members. A member costs as much as two sets for each way to choose those parameters that no set narrows.
std::size_t MoveEmitter::sets_that_pay(std::uint64_t pieces) {
    // Where nothing is known, there may be as many as there are sites.
    if (pieces >= many) pieces = program_.types.cardinality(program_.vars[rule_.params[first_site()]].type);
    std::uint64_t ways = 1;
    bool lifted = false; // another site, of which there is a set for each choice of the others
    for (std::size_t p = 0; p < rule_.params.size(); ++p) {
        const ir::TypeId type = program_.vars[rule_.params[p]].type;
        if (p == first_site() || is_narrowed(rule_.params[p])) continue;
        const bool is_site = program_.types.kind(type) == TypeKind::Site;
        if (lifted || !is_site) ways = std::min(ways * program_.types.cardinality(type), most_ways);
        lifted = lifted || is_site;
    }
    return 2 * pieces * ways;
}

// The index of the first parameter that is a site, or the number of parameters.
std::size_t MoveEmitter::first_site() const {
    const auto is_site = [&](ir::VarId p) { return program_.types.kind(program_.vars[p].type) == TypeKind::Site; };
    return static_cast<std::size_t>(std::ranges::find_if(rule_.params, is_site) - rule_.params.begin());
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

// The first parameter, or another site that far fewer are expected of: a rule may name where a piece goes before the
// piece.
std::size_t MoveEmitter::param_to_begin_with() const {
    constexpr std::uint64_t times_fewer = 3;
    if (domains_.empty() || first_site() != 0) return 0;
    std::size_t best = 0;
    const std::uint64_t first = lowering_.expected_size(domains_[0]);
    if (first >= many) return 0; // nothing is known of them
    std::uint64_t fewest = first / times_fewer;
    for (std::size_t p = 1; p < rule_.params.size(); ++p) {
        if (program_.types.kind(program_.vars[rule_.params[p]].type) != TypeKind::Site) continue;
        const std::uint64_t expected = lowering_.expected_size(domains_[p]);
        if (expected >= fewest) continue;
        fewest = expected;
        best = p;
    }
    return best;
}

} // namespace zug::run
