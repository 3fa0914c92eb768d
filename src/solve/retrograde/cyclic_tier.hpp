#pragma once
// The results of a tier whose moves may form cycles: retrograde analysis (K. Thompson, Retrograde analysis of certain
// endgames, 1986), for one player, or two sides whose utilities add up to zero.
//
// For each side in turn, the utilities in its favour are processed from the best down. A position of that side joins
// when one successor has joined, a position of the other side when all have; the ply at which it joins is its
// remoteness. A position that joins for nobody is worth 0. A second pass over drawn ends separates draws whose end a
// side can force from those that go on forever.
//
// All threads work on a ply (bucket_queue.hpp). The results don't depend on the number of threads, since the effects of
// a ply's positions on others commute.
//
// Bytes: 9 a position of the tier, besides its moves (tier_moves.hpp) and results; in files if memory is short. And in
// memory what the threads record: 8 a reached position, at most 2 MB a thread and an eighth of what is free.

#include "solve/retrograde/backward_induction.hpp"
#include "solve/tiers/tier_moves.hpp"

namespace zug::solve {

// The progress on such a tier, for checkpoints: its moves are written once, the arrays at each checkpoint.
struct CyclicTierState {
    struct Progress {
        std::uint64_t done = 0; // goals or positions
        bool too_long = false;  // some remoteness does not fit into a result
    };
    TierMoves::State moves;
    std::string arrays; // file
    Progress progress;
};

struct CyclicTierWork {
    TierWork tier;
    std::span<Histogram> histograms;           // by thread
    const CyclicTierState* resume;             // to resume from; or null
    std::function<void(CyclicTierState)> save; // writes a checkpoint: when one is due, and when the work is stopped
};

tl::expected<void, Error> solve_cyclic_tier(const CyclicTierWork& work, const Tier& tier, Array<Result>& results);

// The same for any number of players, in a tier whose moves form no cycle although the potential function does not show
// it: positions are solved in topological order (A. Kahn, Topological sorting of large networks, 1962). An error: the
// moves do form a cycle.
tl::expected<void, Error> solve_acyclic_tier(const CyclicTierWork& work, const Tier& tier, Array<Result>& results);

// The error that a remoteness does not fit into a result.
std::string too_long(const Outcomes& outcomes);

} // namespace zug::solve
