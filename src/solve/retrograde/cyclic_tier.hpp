#pragma once
// The results of a tier in which play can go round in circles: retrograde analysis (K. Thompson, Retrograde analysis of
// certain endgames, 1986), for two players whose utilities add up to zero, and for one.
//
// For each player in turn, the utilities in their favour are taken from the best down. A position of that player joins
// when one successor has joined, a position of the opponent when all have; the ply at which it joins is its remoteness.
// What joins for nobody is worth 0. Then the same once more for drawn ends, which tells the draws whose end a player
// can force from those that go on for ever.
//
// All threads work on a ply (agenda.hpp); the results don't depend on how many there are, for what a ply's positions do
// to others comes to the same in any order.
//
// Bytes: 9 a position of the tier, besides its moves (tier_moves.hpp) and results; in files where memory has no room.
// And in memory what the threads note: 8 for each place reached, at most 2 MB a thread and an eighth of what there is.

#include "solve/retrograde/backward_induction.hpp"
#include "solve/tiers/tier_moves.hpp"

namespace zug::solve {

// How far such a tier is, for checkpoints: its moves are written once, the arrays of what is found anew each time.
struct LoopState {
    struct Progress {
        std::uint64_t done = 0; // goals or positions
        bool too_long = false;  // some result has no room for its plies
    };
    TierMoves::State moves;
    std::string arrays; // file
    Progress progress;
};

struct LoopWork {
    TierWork tier;
    std::span<Histogram> histograms;     // by thread
    const LoopState* resume;             // goes on from there; or null
    std::function<void(LoopState)> save; // makes a checkpoint: when one is due, and where the work is stopped
};

tl::expected<void, Error> solve_loops(const LoopWork& work, const Tier& tier, Array<Result>& results);

// The same of any game in a tier whose moves inside it lead in no circle, though the measure does not show it:
// positions are taken when all their successors are known (A. Kahn, Topological sorting of large networks, 1962). An
// error: they do lead in a circle.
tl::expected<void, Error> solve_in_order(const LoopWork& work, const Tier& tier, Array<Result>& results);

// That a result has no room for so many plies.
std::string too_long(const Outcomes& outcomes);

} // namespace zug::solve
