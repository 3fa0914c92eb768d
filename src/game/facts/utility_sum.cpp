#include "game/facts/utility_sum.hpp"

#include "game/facts/bounds.hpp"
#include "game/facts/terms.hpp"

#include <algorithm>
#include <optional>

namespace zug::game {

double greatest_utility_sum(const ir::Program& program) {
    Terms terms(program);
    std::optional<double> greatest;
    for (const ir::EndClause& end : program.ends)
        for (std::int64_t me = 0; me < program.player_count(); ++me) {
            double sum = 0;
            for (const auto payoff : end.payoffs) sum += payoff_bounds(terms, terms.of(payoff, me)).hi;
            greatest = std::max(greatest.value_or(sum), sum);
        }
    return greatest.value_or(0);
}

} // namespace zug::game
