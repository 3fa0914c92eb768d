#pragma once
// Matches: many games between named players, and their statistics.
//
// Seats rotate: in game i, player k sits in seat (k + i) mod n, so over n games each player has had each seat. Game i
// depends on the match's seed and i only, not on the games before it or the number of threads; the games of one
// rotation share their random opening. Games that didn't finish by the rules are counted but not scored.
//
// A player wins a game by having more than every other player, draws by sharing the most, and loses else; alone, by
// having more than, exactly, or less than the middle of the game's range of utilities (zero if that has no bounds).

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
    std::uint32_t threads = 1;       // ignored where a person plays
    std::uint32_t opening_plies = 0; // random moves at the start of each game
    std::uint32_t max_plies = default_max_plies;
    const std::atomic<bool>* stop = nullptr; // ends the match; games under way are given up
    std::string file{};                      // for the records
    // Both are called by one thread at a time, the record as soon as the game is over, in any order of games.
    std::function<void(const GameRecord&)> record{};
    std::function<void(const Report&)> progress{}; // after games, at most about five times a second
    Human* human = nullptr;
};

// The results of one player, or of one seat, over the finished games.
struct Score {
    std::string name;
    std::uint64_t wins = 0, draws = 0, losses = 0;
    Sample utility; // sum, mean, and Student's 95 percent interval of the mean
    Sample points;  // 1 a win, 0.5 a draw
    // Wilson's 95 percent interval of the share of games won.
    std::optional<Interval> win_rate() const { return wilson(wins, wins + draws + losses); }
};

struct Elo {
    double difference = 0, low = 0, high = 0; // of the first player over the second; infinite without a point lost
};

struct Report {
    std::uint64_t asked = 0;
    std::uint64_t finished = 0, unfinished = 0, faulted = 0, given_up = 0; // given_up: quit or stopped
    std::uint64_t distinct = 0; // finished games that differ in some move; few of many: the players repeat themselves
    std::vector<Score> players; // in the order named
    std::vector<Score> seats;   // by the game's players
    Sample plies;               // of finished games; moves and chance events
    std::optional<std::string> first_fault; // and the game it happened in
    double seconds = 0;
    bool stopped = false;

    // For two players and at least two games.
    std::optional<Elo> elo() const;
};

// An error if the players don't suit the game: too many or few, or a method that can't search it. The calling thread
// plays with `game` itself, the others with clones.
tl::expected<Report, Error> run_match(game::Game& game, const game::State& start, std::span<const PlayerSpec> players,
                                      const MatchOptions& options);

// The seeds of game i of such a match, and the player in each seat: what it takes to replay that game alone.
PlayOptions game_options(const MatchOptions& options, std::uint64_t i, std::size_t players);
std::size_t player_in_seat(std::size_t seat, std::uint64_t i, std::size_t players);

} // namespace zug::match
