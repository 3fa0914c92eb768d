#pragma once
// Ratings on the Elo scale, from the results of all pairs of players together.
//
// The model is Bradley and Terry's ("Rank analysis of incomplete block designs", 1952): a player with strength g scores
// g / (g + h) against one with strength h; a draw is half a win and half a loss. The strengths that make the results
// most likely are found by minorisation and maximisation (Hunter, "MM algorithms for generalized Bradley-Terry
// models", 2004). 400 times the logarithm to base 10 is Elo's scale; its zero is the mean of the players.
//
// There are no such strengths if some players lost every game against all others (Ford, "Solution of a ranking problem
// from binary comparisons", 1957). Then, and only then, one drawn game between each two players is added.
//
// The uncertainty is measured by how much the results of blocks (blocks.hpp) vary, not of games, since games of one
// block depend on each other: the robust covariance of an estimate (White, "Maximum likelihood estimation of
// misspecified models", 1982) with a block as the unit, which for two players is the pentanomial one. Each pair of
// players also counts one virtual block that scores half a point a game more or less than expected; so results that
// never vary leave a small uncertainty instead of none, and few blocks do not look more certain than they are.
//
// Cost: that of n by n matrices for n players, and a pass over the different results of blocks.

#include "match/statistics.hpp"
#include "tournament/blocks.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace zug::tournament {

struct Rating {
    bool rated = false;       // has been compared with another player
    double elo = 0;           // relative to the mean of the rated players
    match::Interval interval; // of 95 percent
};

class Ratings {
public:
    Ratings(std::size_t players, std::span<const BlockCounts* const> results);

    const Rating& operator[](std::size_t player) const { return ratings_[player]; }
    std::size_t size() const { return ratings_.size(); }
    // The players, the strongest first, those without a rating last.
    const std::vector<std::size_t>& order() const { return order_; }
    // Whether drawn games had to be added.
    bool virtual_draws() const { return virtual_draws_; }
    // Of a over b, both of them rated, with its interval of 95 percent.
    Rating difference(std::size_t a, std::size_t b) const;
    // The probability that a is stronger than b, given the results, with a normal distribution of the error.
    double superiority(std::size_t a, std::size_t b) const;

private:
    using Matrix = std::vector<double>; // square, by rows
    double& at(Matrix& matrix, std::size_t row, std::size_t column) const { return matrix[row * size() + column]; }
    double at(const Matrix& matrix, std::size_t row, std::size_t column) const { return matrix[row * size() + column]; }
    double expected(std::size_t a, std::size_t b) const; // a's score against b
    void add_up(std::span<const BlockCounts* const> results);
    bool everybody_scored() const;
    void add_draws();
    void maximise();
    Matrix information() const;
    Matrix variation(std::span<const BlockCounts* const> results) const;
    void find_covariance(std::span<const BlockCounts* const> results);
    double deviation(std::size_t a, std::size_t b) const; // of the difference, in units of theta_

    std::vector<Rating> ratings_;
    std::vector<std::size_t> order_;
    std::vector<double> theta_;   // natural logarithms of the strengths
    Matrix points_, comparisons_; // of the row's player against the column's
    Matrix virtual_variation_;    // the variation of a pair's virtual block
    Matrix covariance_;           // of theta_
    bool virtual_draws_ = false;
};

} // namespace zug::tournament
