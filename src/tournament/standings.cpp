#include "tournament/standings.hpp"

#include <numeric>

namespace zug::tournament {

Results& Results::operator+=(const Results& other) {
    wins += other.wins;
    draws += other.draws;
    losses += other.losses;
    return *this;
}

Results ResultTable::row(std::size_t row) const {
    Results sum;
    for (std::size_t column = 0; column < columns_; ++column) sum += at(row, column);
    return sum;
}

Results ResultTable::column(std::size_t column) const {
    Results sum;
    for (std::size_t row = 0; row < rows(); ++row) sum += at(row, column);
    return sum;
}

ResultTable& ResultTable::operator+=(const ResultTable& other) {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) cells_[cell] += other.cells_[cell];
    return *this;
}

bool PlayerTotals::exceeded(const match::TimeUsed& used) const {
    const double allowed = game_limit + increment * static_cast<double>(used.moves);
    return (move_limit > 0 && used.longest > move_limit + lateness) ||
           (game_limit > 0 && used.seconds > allowed + lateness);
}

std::uint64_t SprtState::blocks() const { return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}); }

std::uint64_t Standings::finished() const {
    std::uint64_t sum = 0;
    for (const GameStandings& game : games) sum += game.finished;
    return sum;
}

ResultTable Standings::pairs() const {
    ResultTable sum(players.size(), players.size());
    for (const GameStandings& game : games) sum += game.pairs;
    return sum;
}

Ratings Standings::ratings() const {
    std::vector<const BlockCounts*> all;
    for (const GameStandings& game : games) all.push_back(&game.blocks);
    return {players.size(), all};
}

Ratings Standings::ratings(std::size_t game) const {
    const BlockCounts* const counts = &games[game].blocks;
    return {players.size(), {&counts, 1}};
}

} // namespace zug::tournament
