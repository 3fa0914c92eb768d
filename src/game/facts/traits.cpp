#include "game/facts/traits.hpp"

#include "game/facts/bounds.hpp"
#include "game/facts/history.hpp"
#include "game/facts/linear.hpp"
#include "game/facts/terms.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace zug::game {

namespace {

// Whether what two teams get by a clause always adds up to zero, whoever moved last.
bool is_zero_sum(Terms& terms, const Traits& traits) {
    const ir::Program& program = terms.program();
    if (traits.teams() != 2) return false;
    for (const ir::EndClause& end : program.ends)
        for (std::int64_t me = 0; me < program.player_count(); ++me) {
            const auto first = terms.of(end.payoffs[0], me);
            const auto second = terms.of(end.payoffs[traits.rival], me);
            if (!first || !second || !adds_to_zero(terms, *first, *second)) return false;
        }
    return true;
}

Interval utility_range(Terms& terms) {
    const ir::Program& program = terms.program();
    Interval range{.lo = 0, .hi = 0};
    bool first = true;
    for (const ir::EndClause& end : program.ends)
        for (auto payoff : end.payoffs)
            for (std::int64_t me = 0; me < program.player_count(); ++me) {
                const Interval one = payoff_bounds(terms, terms.of(payoff, me));
                range = first ? one : hull(range, one);
                first = false;
            }
    return range;
}

// What the ends are worth to the first player, if that is written in the rules.
std::vector<double> fixed_utilities(Terms& terms) {
    const ir::Program& program = terms.program();
    std::vector<double> utilities;
    for (const ir::EndClause& end : program.ends)
        for (std::int64_t me = 0; me < program.player_count(); ++me) {
            const auto term = terms.of(end.payoffs[0], me);
            if (!term) return {};
            const Interval range = payoff_bounds(terms, term);
            if (range.lo != range.hi) return {};
            utilities.push_back(range.lo + 0.0); // -0.0 is 0.0
        }
    std::ranges::sort(utilities);
    utilities.erase(std::ranges::unique(utilities).begin(), utilities.end());
    return utilities;
}

} // namespace

Traits find_traits(const ir::Program& program) {
    Traits traits;
    Terms terms(program);
    traits.players = program.player_count();
    traits.partners = traits.players - program.team_count();
    for (std::uint32_t p = 0; p < traits.players; ++p) traits.team[p] = static_cast<std::uint8_t>(program.team_of(p));
    traits.first_side = traits.allies(0);
    traits.rival = static_cast<std::uint32_t>(std::countr_one(traits.first_side));
    traits.chance = std::ranges::any_of(program.rules, [](const ir::Rule& rule) { return rule.chance; });
    traits.zero_sum = is_zero_sum(terms, traits);
    const Interval range = utility_range(terms);
    traits.min_utility = range.lo;
    traits.max_utility = range.hi;
    traits.utilities = fixed_utilities(terms);
    traits.has_eval = !program.evals.empty();
    traits.has_loud = program.has_loud();
    traits.has_bound = program.bound.has_value();
    traits.has_history = !program.keys.empty();
    traits.history = find_history(program, traits.zero_sum).kind;
    traits.has_chains = program.turn.has_value();
    for (const std::uint64_t size : ir::slot_sizes(program))
        traits.log2_states += std::log2(static_cast<double>(std::max<std::uint64_t>(size, 1)));
    return traits;
}

} // namespace zug::game
