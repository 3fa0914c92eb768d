#pragma once
// Adds up the games of a match. Games may arrive in any order but are added by ascending number, so that floating-point
// sums don't depend on the timing of threads.

#include "match/match.hpp"

#include <cstdint>
#include <map>
#include <unordered_set>
#include <vector>

namespace zug::match {

class Tally {
public:
    Tally(std::uint64_t games, std::span<const PlayerSpec> players, const game::Game& game);

    void add(std::uint64_t i, const GameRecord& record);
    // Call after the last game: adds games that still wait for one that was never played.
    void close();
    Report& report() { return report_; }

private:
    struct Outcome {
        End end = End::Stopped;
        std::vector<double> utilities; // by seat
        std::size_t plies = 0;
        std::uint64_t moves_hash = 0;
    };
    void count(std::uint64_t i, const Outcome& outcome);
    void score(std::uint64_t i, const Outcome& outcome);
    bool by_team() const { return report_.players.size() < traits_.players; }

    game::Traits traits_;
    Report report_;
    double par_ = 0; // the utility that a single player must exceed to win
    std::uint64_t next_ = 0;
    std::map<std::uint64_t, Outcome> waiting_;
    std::unordered_set<std::uint64_t> seen_;
};

} // namespace zug::match
