#pragma once
// A portfolio of proof-number search and a depth-first search on the same position. One of them is often much faster,
// and which one cannot be predicted from the rules. The first to find a proof stops the other.

#include "search/proof/prove.hpp"

namespace zug::search {

// Proves the value by proof-number search and by null windows, or, if the game has too many utilities for these, by
// alpha-beta; by alpha-beta alone if the utilities are not listed in the rules. The bounds are the best that any of
// them found, the nodes are the sum over all, and `prover` is the one that found the value. They share the memory for
// tables. If one fails, the other continues; there is a fault only if neither has a proof. The work also ends when the
// value turns out to depend on play that repeats positions.
//
// With two threads or more they run in parallel, proof-number search on one of them, and the number of nodes depends on
// timing. With one thread they take turns (turns.hpp), which takes at most about twice the work of the better one and
// is the same in every run. The value, if one is found, is always the same.
Proof prove_by_all(game::Game& game, const game::State& position, const ProveOptions& options);

} // namespace zug::search
