#pragma once
// A portfolio of alpha-beta and proof-number search on the same position. One of them is often much faster, and which
// one cannot be predicted from the rules. The first to find a proof stops the other.

#include "search/proof/prove.hpp"

namespace zug::search {

// Proves the value by all provers that suit the game. The bounds are the best that any of them found, the nodes are the
// sum over all, and `prover` is the one that found the value. They share the memory for tables. If one fails, the other
// continues; there is a fault only if neither has a proof. The work also ends when the value turns out to depend on
// play that repeats positions.
//
// With two threads or more they run in parallel, and the number of nodes depends on timing. With one thread they take
// turns (turns.hpp), which takes at most about twice the work of the better one and is the same in every run. The
// value, if one is found, is always the same.
Proof prove_by_all(game::Game& game, const game::State& position, const ProveOptions& options, std::uint32_t threads);

} // namespace zug::search
