#pragma once
// Strong solutions of small games by position: the value of every position that can be reached.
//
// For games without chance of two players whose utilities always add up to zero, and of one player. Play that never
// ends is worth 0 to all. Where the rules ask about earlier positions a game is solved only if that is provably the
// same as going round in circles, or is so on assumptions that are handed on (game/history.hpp); else it is refused
// with the reason.
//
// Method: retrograde analysis (R. Bellman, On the application of dynamic programming to the determination of optimal
// play in chess and checkers, 1965; K. Thompson, Retrograde analysis of certain endgames, 1986). The ends are taken in
// order of what they are worth to a player, best first; a position of that player joins when one successor has, a
// position of the opponent when all have. What never joins is worth 0. Time and memory are linear in positions and
// moves.

#include "solve/graph.hpp"

#include <optional>

namespace zug::solve {

struct Options {
    std::uint64_t most_positions = 50'000'000;
    Stop stop;
};

// Numbers of positions by what they are worth to the player to move.
struct Tally {
    std::uint64_t won = 0, lost = 0, drawn = 0;
};

struct Solution {
    std::vector<double> values; // by position: the first player's utility; position 0 is the start
    // Plies to the end where one side wins: the winner hastens, the loser delays. Empty if the game's ends are worth
    // more than one won and one lost utility; `no_remoteness` at drawn positions.
    std::vector<std::uint32_t> remoteness;
    std::uint64_t positions = 0, moves = 0;
    Tally tally;
    std::vector<std::string> assumes; // about the game's past, a sentence each; empty: all is proved

    double value() const { return values.front(); }
    std::optional<std::uint32_t> start_remoteness() const;
};
inline constexpr std::uint32_t no_remoteness = UINT32_MAX;

// An error: why this game can't be solved here, or what Graph::of says.
tl::expected<Solution, game::Error> solve(game::Game& game, const game::State& start, const Options& options = {});

} // namespace zug::solve
