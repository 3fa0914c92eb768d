#pragma once
// Adds up the games of a tournament. They arrive in any order, and are counted in that of the schedule, so that sums,
// plots and the decision of the sequential test are the same with any number of threads, and after any interruption.

#include "match/record.hpp"
#include "tournament/schedule.hpp"
#include "tournament/standings.hpp"

#include <cstdint>
#include <map>
#include <unordered_set>
#include <vector>

namespace zug::tournament {

// What is kept of a game.
struct Outcome {
    match::End end = match::End::Stopped;
    std::vector<double> utilities{}; // by seat
    std::vector<match::TimeUsed> times{};
    std::uint64_t plies = 0;
    std::uint64_t line = 0; // a hash of the first position and the moves
    std::string fault{};
};
Outcome outcome_of(const match::GameRecord& record);

class Tally {
public:
    // `standings` has its players, games and test. Counts the games of `schedule`, which must outlive it.
    Tally(const Schedule& schedule, Standings standings);

    void add(std::uint64_t index, Outcome outcome);
    // Counts the games that still wait for one before them. No more games follow.
    void close();
    // Whether the sequential test has decided: then no further game counts.
    bool decided() const;
    Standings& standings() { return standings_; }

private:
    struct Played {
        Fixture fixture;
        Outcome outcome;
    };

    void advance();
    void count(Played played);
    void count_times(const Played& played);
    void score(const Played& played);
    void compare(GameStandings& game, std::size_t seat, std::size_t other_seat, const Played& played);
    void note_pair(GameStandings& game, std::size_t a, std::size_t b, int half_points);
    void compare_singles(GameStandings& game);
    void end_block();
    void test_block(const BlockResult& block);
    void note_moment(bool last);

    const Schedule& schedule_;
    Standings standings_;
    std::optional<Fixture> next_;                                     // the first fixture that has not been counted
    std::map<std::uint64_t, Outcome> early_;                          // played before one that comes first
    std::vector<Played> block_;                                       // the games counted since the last block ended
    std::map<std::pair<std::size_t, std::size_t>, PairScore> scores_; // of that block
    std::vector<std::unordered_set<std::uint64_t>> seen_;             // lines, by game
    std::vector<Results> totals_;                                     // by player, for the course
    std::uint64_t stride_ = 1, since_ = 0;                            // blocks between two moments of the course
    bool in_order_ = true;                                            // no game has been left out so far
};

} // namespace zug::tournament
