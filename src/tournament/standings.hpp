#pragma once
// The results of a tournament: how often who beat whom, where, in which seat and in what time.
//
// They depend on the finished games only, not on the order in which threads finished them. What is counted as a win, a
// draw or a loss is a comparison of two players (blocks.hpp): in a game of two, the game.

#include "match/record.hpp"
#include "match/statistics.hpp"
#include "tournament/blocks.hpp"
#include "tournament/rating.hpp"
#include "tournament/sprt.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace zug::tournament {

struct Results {
    std::uint64_t wins = 0, draws = 0, losses = 0;

    std::uint64_t count() const { return wins + draws + losses; }
    double points() const { return static_cast<double>(wins) + static_cast<double>(draws) / 2; }
    // The points of a comparison, from 0 to 1; 0 if there was none.
    double share() const { return count() == 0 ? 0 : points() / static_cast<double>(count()); }
    Results& operator+=(const Results& other);
};

// A table of results with a row and a column for each player, or a column for each seat.
class ResultTable {
public:
    ResultTable(std::size_t rows, std::size_t columns) : columns_(columns), cells_(rows * columns) {}
    Results& at(std::size_t row, std::size_t column) { return cells_[row * columns_ + column]; }
    const Results& at(std::size_t row, std::size_t column) const { return cells_[row * columns_ + column]; }
    Results row(std::size_t row) const;
    Results column(std::size_t column) const;
    ResultTable& operator+=(const ResultTable& other);
    std::size_t rows() const { return cells_.size() / columns_; }
    std::size_t columns() const { return columns_; }

private:
    std::size_t columns_;
    std::vector<Results> cells_;
};

// Of one of the games that are played.
struct GameStandings {
    GameStandings(std::string title, std::vector<std::string> seats, std::vector<std::uint8_t> team,
                  std::size_t players)
        : title(std::move(title)), seats(std::move(seats)), team(std::move(team)), pairs(players, players),
          by_seat(players, this->seats.size()), utility(players) {}

    std::string title;              // as the user named it
    std::vector<std::string> seats; // their names
    std::vector<std::uint8_t> team; // of each seat: those of a team are not compared
    ResultTable pairs;              // a player's results against each other one
    ResultTable by_seat;            // in each seat
    std::vector<match::Sample> utility;
    match::Sample plies;                                    // moves and chance events of finished games
    std::uint64_t finished = 0, ply_limit = 0, faulted = 0; // only finished games are scored
    std::uint64_t distinct = 0;                             // different finished games
    BlockCounts blocks;
};

// Of one player in all games. Times cover all games that are counted, scored or not.
struct PlayerTotals {
    std::string name{};      // its text; of equal ones, the later with a number
    std::uint64_t games = 0; // finished
    std::uint64_t faulted = 0, ply_limit = 0;
    double seconds = 0, longest = 0; // for all moves, and for one
    std::uint64_t moves = 0;         // that it chose
    // Its limits, in seconds; 0: none. Each move adds the increment to the time for a game.
    double move_limit = 0, game_limit = 0, increment = 0;
    std::uint64_t late_games = 0; // that exceeded them (see lateness)

    bool timed() const { return move_limit > 0 || game_limit > 0; }
    bool exceeded(const match::TimeUsed& used) const;
};

// What a player may take beyond a limit, in seconds, before its game counts as late: a search looks at the
// clock now and then, and threads wait for processors.
inline constexpr double lateness = 0.05;

// How things stood after some of the games: for plots.
struct Moment {
    std::uint64_t games = 0;   // finished and counted so far
    std::vector<double> share; // of each player's comparisons; 0.5 before the first
    double llr = 0;            // of the sequential test
};

struct SprtState {
    SprtOptions options;
    SprtBounds bounds;
    std::vector<std::uint64_t> counts; // blocks in which the first player scored k half points, for each k
    double llr = 0;
    SprtDecision decision = SprtDecision::None;

    std::uint64_t blocks() const;
};

struct Standings {
    std::vector<PlayerTotals> players;
    std::vector<GameStandings> games;
    std::uint64_t asked = 0;   // games
    std::uint64_t counted = 0; // games of any end
    std::uint64_t resumed = 0; // of these, read from the results file
    std::vector<Moment> course;
    std::optional<SprtState> sprt;
    std::optional<std::string> first_fault;
    double seconds = 0; // that this run took
    bool stopped = false;

    std::uint64_t finished() const;
    ResultTable pairs() const; // of all games
    Ratings ratings() const;
    Ratings ratings(std::size_t game) const;
};

} // namespace zug::tournament
