#pragma once
// Matches: many games between named players, and their statistics.
//
// Of a game with teams the players may be as many as the teams; then each plays for all members of one, and what is
// said of seats here is meant of teams.
//
// Seats rotate: in game i, player k sits in seat (k + i) mod n, so over n games each player has had each seat. Game i
// depends on the match's seed and i only, not on the games before it or the number of threads; the games of one
// rotation share their random opening. Games that didn't finish by the rules are counted but not scored.
//
// A player wins a game with a greater utility than every player of other teams, draws by sharing the greatest, and
// loses otherwise. A single player wins, draws or loses with a utility above, at or below the middle of the game's
// range of utilities (zero if it has no bounds).

#include "match/play.hpp"
#include "match/statistics.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace zug::match {

struct Report;

struct MatchOptions {
    std::uint64_t games = 100;
    std::uint64_t seed = 1;
    std::uint32_t threads = 1;                // ignored if a person plays
    std::uint32_t opening_plies = 0;          // random moves at the start of each game
    std::optional<std::uint32_t> max_plies{}; // none: default_max_plies()
    const std::atomic<bool>* stop = nullptr;  // ends the match; unfinished games are abandoned
    std::string file{};                       // for the records
    bool values = false;                      // what the players expected is written into them
    // Both are called by one thread at a time; `record` as soon as a game is over, so games come in any order.
    std::function<void(const GameRecord&)> record{};
    std::function<void(const Report&)> progress{}; // after games, at most about five times a second
    Human* human = nullptr;
};

// The results of one player, or of one seat, over the finished games.
struct Score {
    std::string name;
    std::uint64_t wins = 0, draws = 0, losses = 0;
    Sample utility; // sum, mean, and Student's 95 percent interval of the mean
    Sample points;  // 1 for a win, 0.5 for a draw
    // Wilson's 95 percent interval of the proportion of games won.
    std::optional<Interval> win_rate() const { return wilson(wins, wins + draws + losses); }
};

struct Elo {
    double difference = 0, low = 0, high = 0; // of the first player over the second; infinite if either has no points
};

struct Report {
    std::uint64_t asked = 0;
    std::uint64_t finished = 0, unfinished = 0, faulted = 0, given_up = 0; // given_up: quit or stopped
    std::uint64_t forfeited = 0;            // of those that are finished, lost by what a program did or did not do
    std::uint64_t distinct = 0;             // different finished games; if they are few, the players repeat their games
    std::vector<Score> players;             // in the order named
    std::vector<Score> seats;               // by player of the game, or by team
    std::uint64_t drawn = 0;                // finished games without a winner
    Sample plies;                           // of finished games; moves and chance events
    std::optional<std::string> first_fault; // and the game it happened in
    std::optional<std::string> first_forfeit;
    double seconds = 0;
    bool stopped = false;

    // For two players and at least two games.
    std::optional<Elo> elo() const;
};

// An error: the players don't suit the game (their number is wrong, or a method can't search it). The calling thread
// plays on `game` itself, other threads on clones.
tl::expected<Report, Error> run_match(game::Game& game, const game::State& start, std::span<const PlayerSpec> players,
                                      const MatchOptions& options);

// The options of game i of a match, and the player in each seat, with which that game can be repeated alone.
PlayOptions game_options(const MatchOptions& options, std::uint64_t i, std::size_t players);
std::size_t player_in_seat(std::size_t seat, std::uint64_t i, std::size_t players);

} // namespace zug::match
