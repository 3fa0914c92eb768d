#pragma once
// B* (H. Berliner, "The B* tree search algorithm: a best-first proof procedure", 1979; A. Palay, "Searching with
// probabilities", 1985): each node has an optimistic and a pessimistic value, and the search ends as soon as no move of
// the root can be better than the best: when its pessimistic value is at least the optimistic one of every other.
//
// Two strategies lead there, and the search follows the one on which it has spent less so far (Berliner compares the
// depths, this search the expansions):
//
//   PROVEBEST      raises the pessimistic value of the move with the best estimate
//   DISPROVEREST   lowers the optimistic value of the others, the most optimistic first
//
// Below that move each player makes the one that is most optimistic for them, down to the leaf to expand.
//
// A leaf's values know nothing of the game but its rules and its evaluation. Berliner and McConnell ("B* probability
// based search", 1996) let a player move twice in a row to see what they may hope for. So a leaf is probed with either
// player to move: its value lies between the two, for most moves are better than none. The interval is wide where there
// are threats, and narrow where there are none. A margin is added on both sides, in deviations of what the expansion of
// leaves has changed so far (change_model.hpp). It is narrow at first; whenever no move can be better than the best, it
// is doubled, up to `width`. So the search ends with the best move at some confidence, and uses its limits to raise it.
// Ends, and what is proven, have intervals of one value.
//
// What the result claims: only what is called exact is proven. That no move is better than the one found is as good as
// the intervals, which are estimates.

#include "search/best_first/best_first.hpp"

namespace zug::search {

class BStar final : public BestFirst {
public:
    BStar(game::Game& game, const Options& options) : BestFirst(game, Method::BStar, options) {}

protected:
    void begin_search() override;
    void grow() override;
    void estimate_bounds(Node& leaf, const game::State& state) override;
    void count(std::vector<Count>& counts) const override;

private:
    // The moves of the root between which it is decided.
    struct Contest {
        const Node* best = nullptr;        // by its estimate
        const Node* challenger = nullptr;  // the most optimistic of the others
        const Node* rival = nullptr;       // the same of those that are open
        std::uint64_t spent_on_others = 0; // expansions of all that could be better than the best
    };
    Contest contest() const;
    void set_interval(Node& leaf) const;
    const Node* choose(const Contest& contest);
    Tree::Id leaf_below(const Node& node) const;
    // The most optimistic open child for its parent's mover; null: none.
    const Node* hopeful_child(const Node& node) const;
    static double optimistic(const Node& node, double view) { return view > 0 ? node.optimistic : -node.pessimistic; }

    double width_ = 0;                           // of the intervals now, in deviations
    std::uint64_t proving_ = 0, disproving_ = 0; // expansions by strategy
    bool separated_ = false;
};

} // namespace zug::search
