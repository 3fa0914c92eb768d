#pragma once
// IDA* (Korf, "Depth-first iterative-deepening: an optimal admissible tree search", 1985): depth-first searches, each
// to the best rank that some position left out by the one before may still reach. The first end that is found is the
// best.
//
// With a table (Reinefeld and Marsland, "Enhanced iterative-deepening search", 1994) a position whose search failed is
// remembered with the best that can come of it, which is what its children promise, and is not searched again where
// that is too little. A move that takes back the last one is not made: a shortest line has none. Without a table other
// cycles are walked until the line is too long.
//
// Memory: the table, and a position for each ply. Time: the searches before the last one take a constant share of it
// where ranks are few, as lengths are; where a file's `bound` gives many different utilities, dfbb is better. A game
// where nothing is to be gained and play can go round is never searched to an end without a limit: astar proves that.

#include "search/one_player/one_player.hpp"
#include "search/one_player/rank_table.hpp"

namespace zug::search {

class IdaStar final : public OnePlayer {
public:
    IdaStar(game::Game& game, const Options& options);
    void forget() override { table_.clear(); }

protected:
    void search(const Rank& best_possible) override;

private:
    // What a position whose search failed may still lead to.
    struct Left {
        Rank next;  // the best that a search to a lower threshold would reach
        Rank claim; // the best that can come of the position at all
    };
    // Searches the position at `ply`, of which no more than `possible` can come. Meaningless once the search is over.
    Left visit(int ply, const Rank& possible);
    Left child(int ply, const Rank& possible, game::Next at);
    bool over() const { return done_ || stopped(); }
    bool takes_back(int ply);
    void remember(std::uint64_t key, std::uint32_t plies, const Rank& left);

    RankTable table_;
    Rank threshold_;
    bool done_ = false;
    std::uint64_t passes_ = 0, table_cuts_ = 0, taken_back_ = 0;
};

} // namespace zug::search
