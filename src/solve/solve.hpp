#pragma once
// Strong solutions of games by position: the value of every position that can be reached.
//
// For games of one player, or of two sides (players or teams) whose utilities always add up to zero; other games
// (max^n) only if play cannot cycle. All with or without chance. Endless play is worth 0 to all; in games with chance,
// players must not be able to keep the game from ending. If the rules refer to earlier positions, a game is solved only
// if they provably mean the same as endless play, or do so under assumptions that are reported
// (game/facts/history.hpp); else it is refused with the reason.
//
// Method: symmetries (symmetry.hpp), forward enumeration in tiers (space.hpp), then backward induction
// (backward_induction.hpp, expectation.hpp). Time is linear in the number of moves, each of which is made twice.

#include "solve/solution_sink.hpp"

#include <optional>

namespace zug::solve {

// A note for the user.
inline constexpr std::string_view lists_combinations =
    "a position takes more than 63 bits, so the combinations of values that occur have to be listed: only a game with "
    "few positions can be solved";

struct Options {
    std::uint32_t threads = 1;
    std::uint64_t most_positions = UINT64_MAX; // representatives only
    Ties ties = Ties::Spiteful;
    bool symmetries = true; // find symmetries, and store one position for all its images
    Stop stop;
    Budget budget;
    // Where checkpoints are kept, from which the same call resumes, and data that exceeds memory; without a folder, the
    // latter goes into temporary files (work.hpp).
    Work::FolderOptions work;
    bool again = false; // discards an existing checkpoint
    // Receives a sentence for the user: that a checkpoint is resumed, or why it is not.
    std::function<void(const std::string&)> note;
};

// Counts of positions by their value for the player to move.
struct Tally {
    std::uint64_t won = 0, lost = 0, drawn = 0;
    friend bool operator==(const Tally&, const Tally&) = default;
};

struct Solution {
    Payoffs value;    // of the start, by player; with chance: expected utilities
    double error = 0; // with chance: a bound on the error of every value (expectation.hpp)
    bool chance = false;
    std::optional<double> win_probability;   // of the first player: with chance, if all ends are won or lost
    std::optional<std::uint32_t> remoteness; // without chance
    bool repetition = false;                 // the start is a draw because nobody can force an end
    std::uint64_t positions = 0, moves = 0;  // all that are reachable
    std::uint64_t with_symmetry = 0;         // representatives of these positions
    std::uint32_t symmetries = 1;            // the group's size
    std::uint64_t tiers = 0;
    std::uint32_t longest_jump = 0;   // the greatest difference of tiers in one move
    bool cycles = false;              // some move stays in its tier, so there may be cycles
    Tally tally;                      // without chance
    ValueCounts counts;               // with chance
    std::vector<std::string> assumes; // assumptions about the rules on earlier positions, a sentence each
};

// Errors: why this game can't be solved (beginning with `too_wide`: its positions have to be listed, and memory has no
// room for the list), or those of enumerate(), backward_induction(), solve_expected() and the sink.
tl::expected<Solution, Error> solve(game::Game& game, const game::State& start, const Options& options = {},
                                    SolutionSink* sink = nullptr);

} // namespace zug::solve
