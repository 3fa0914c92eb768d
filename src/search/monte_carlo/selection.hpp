#pragma once
// Which move to look at next: UCT (L. Kocsis and C. Szepesvari, "Bandit based Monte-Carlo planning", 2006), the mean of
// a move's results plus a bonus for moves that were tried seldom. The mean may be mixed with what is known of a move
// beyond its own visits: rapid action values (S. Gelly and D. Silver, "Monte-Carlo tree search and rapid action value
// estimation in computer Go", 2011), whose weight falls as the move's own visits grow; or its evaluation backed up
// (M. Lanctot et al., "Monte Carlo tree search with heuristic evaluations using implicit minimax backups", 2014).

#include "base/random.hpp"
#include "search/core/monte_carlo_options.hpp"
#include "search/monte_carlo/tree.hpp"

namespace zug::search {

class Selection {
public:
    // `shares`: the edges have shared values; `implicit`: they are evaluations, of this weight.
    Selection(const MonteCarloOptions& options, bool shares, double implicit);

    // The index of the edge to follow from an expanded decision node. `mean`: its value for the mover; `spread`: the
    // unit of the bonus, in utilities. Ties are broken at random. Closed edges are left out; if all are closed the
    // result is their number. Cost: a look at each edge.
    std::size_t choose(std::span<const Edge> edges, std::uint32_t visits, double mean, double spread,
                       Random& random) const;
    // At a chance node: an outcome drawn by its probability.
    static std::size_t draw(std::span<const Edge> outcomes, Random& random);

private:
    double value_of(const Edge& edge, double untried) const;

    double exploration_, first_play_, bias_, implicit_;
    bool shares_;
};

} // namespace zug::search
