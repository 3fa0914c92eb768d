#pragma once
// Strong solutions of games by position: the value of every position that can be reached.
//
// For games of two players whose utilities always add up to zero, and of one player, with chance or without; of others
// (max^n), with chance or without, if play can't cycle. Play that never ends is worth 0 to all; in games
// with chance players must not be able to keep it from ending. Where the rules ask about earlier positions a game is
// solved only if that is provably the same as cycling, or is so on assumptions that are handed on
// (game/facts/history.hpp); else it is refused with the reason.
//
// Method: symmetries (symmetry.hpp), forward enumeration in tiers (space.hpp), then backward induction
// (backward_induction.hpp, expectation.hpp). Time is linear in moves, each of which is made twice.

#include "solve/solution_sink.hpp"

#include <optional>

namespace zug::solve {

struct Options {
    std::uint32_t threads = 1;
    std::uint64_t most_positions = UINT64_MAX; // of those that are kept
    Ties ties = Ties::Spiteful;
    bool symmetries = true; // look for them, and let one position stand for all its images
    Stop stop;
    Budget budget;
    // For checkpoints, from which the same call goes on; what memory has no room for goes there, too, and into
    // temporary files where there is no folder (work.hpp).
    Work::FolderOptions work;
    bool again = false; // starts anew whatever checkpoint there is
    // A sentence for people: that it goes on from a checkpoint, or why not.
    std::function<void(const std::string&)> note;
};

// Numbers of positions by what they are worth to the player to move.
struct Tally {
    std::uint64_t won = 0, lost = 0, drawn = 0;
};

struct Solution {
    Payoffs value;    // of the start, one a player; with chance what they can expect
    double error = 0; // with chance: of any position's value, at most (expectation.hpp)
    bool chance = false;
    std::optional<double> win_probability;   // of the first player: with chance, if all ends are won or lost
    std::optional<std::uint32_t> remoteness; // without chance
    bool repetition = false;                 // the start is a draw because nobody can force an end
    std::uint64_t positions = 0, moves = 0;  // all that can be reached
    std::uint64_t with_symmetry = 0;         // positions that stand for all those
    std::uint32_t symmetries = 1;            // the group's size
    std::uint64_t tiers = 0;
    std::uint32_t longest_jump = 0;   // from tier to tier, by one move
    bool cycles = false;              // play can come back to a position, as far as the tiers tell
    Tally tally;                      // without chance
    ValueCounts counts;               // with chance
    std::vector<std::string> assumes; // about the game's past, a sentence each; empty: all is proved
};

// An error: why this game can't be solved here, or the errors of enumerate(), backward_induction() and the sink.
tl::expected<Solution, Error> solve(game::Game& game, const game::State& start, const Options& options = {},
                                    SolutionSink* sink = nullptr);

} // namespace zug::solve
