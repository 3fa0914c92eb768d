#pragma once
// Depth-first branch and bound (Lawler and Wood, "Branch-and-bound methods: a survey", 1966): one depth-first search
// that leaves out positions from which nothing better can come than what has been found. The moves that promise most
// are tried first, so that there is a good line early, and a better one later.
//
// A table keeps the positions that were met, and how far from the root; where the same position comes again no nearer
// to the root it is left out. A line that comes back to one of its own positions may go round for ever, which is worth
// 0. Suits games that must end, such as those where each move takes or fills something; where play can go round, lines
// get as long as they may, max_depth plies, and astar and idastar are better.
//
// Memory: the table, and a position and its moves for each ply.

#include "search/one_player/one_player.hpp"
#include "search/one_player/rank_table.hpp"

#include <deque>

namespace zug::search {

class BranchAndBound final : public OnePlayer {
public:
    BranchAndBound(game::Game& game, const Options& options);
    void forget() override { met_.clear(); }

protected:
    void search(const Rank& best_possible) override;

private:
    struct Child {
        Rank rank;
        double opinion = 0;
        std::uint64_t id = 0;
        std::uint32_t index = 0; // in the list of moves
    };
    void visit(int ply, const Rank& possible);
    bool look_at_children(int ply, const Rank& possible, std::vector<Child>& children);
    // Whether the position has been met before, no farther from the root; if not, it has now.
    bool met_before(int ply, const Rank& rank);

    RankTable met_;                           // the plies from the root
    std::deque<std::vector<Child>> children_; // by ply; references stay valid
    std::vector<std::uint64_t> path_;         // hashes of the positions of the line
    std::uint64_t improvements_ = 0, bound_cuts_ = 0, repeated_ = 0;
};

} // namespace zug::search
