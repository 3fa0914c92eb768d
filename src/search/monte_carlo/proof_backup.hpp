#pragma once
// Bounds on the values of nodes that follow from ends of the game (M. Winands, Y. Bjornsson, J.-T. Saito, "Monte-Carlo
// tree search solver", 2008; bounds by T. Cazenave and A. Saffidine, "Score bounded Monte-Carlo tree search", 2010).
//
// A bound is raised or lowered only for what is known of all moves at that moment, so each rests on a finite tree that
// ends in ends of the game, in a graph with cycles too: whoever follows it gets there whatever the others do, and no
// position comes twice. Where rules ask about the past, the past is part of a node (Executor::hash). So what is proven
// holds however endless play is valued.
//
// Several players: a node's bounds for each player hold for every way to break ties of max^n. The mover gets the
// greatest of the moves' values; the others get what some move gives them that may have it. With chance a value is the
// mean of the outcomes, known once all outcomes are; before that bounds are weakened by far more than any rounding.

#include "search/monte_carlo/tree.hpp"
#include "search/monte_carlo/utilities.hpp"

namespace zug::search {

// Tightens the bounds of an expanded node by those of its children, and closes the edges to proven children and to
// those that can't be better than another. Cost: a look at each child. True: some bound has changed.
bool update_bounds(Tree& tree, NodeId id, const Utilities& utilities);

struct Bounds {
    double low = 0, high = 0;
    bool exact() const { return low >= high; }
};
// A player's bounds at a node; at no_node those of the game.
Bounds bounds_of(Tree& tree, NodeId id, const Utilities& utilities, std::uint32_t player);

} // namespace zug::search
