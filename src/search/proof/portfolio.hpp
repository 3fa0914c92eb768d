#pragma once
// A portfolio of alpha-beta and proof-number search on the same position: which of them is faster, often by far, cannot
// be predicted from the rules. The first to find a proof stops the other.

#include "search/proof/prove.hpp"

namespace zug::search {

// By every prover that suits the game: the bounds are the best that any of them found, the nodes are of all, and
// `prover` is who found the value. The memory for tables is divided among them. One that fails leaves it to the other:
// there is a fault only where neither has a proof. That the value depends on play that repeats positions is the end,
// too.
//
// With two threads or more they work side by side, and how many nodes there are depends on the processor. With one they
// take turns (turns.hpp): it takes at most about twice the work of the better one, the same in every run.
// The value, where there is one, is the same in any case.
Proof prove_by_all(game::Game& game, const game::State& position, const ProveOptions& options, std::uint32_t threads);

} // namespace zug::search
