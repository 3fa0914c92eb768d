#pragma once
// What positions of games with chance are worth: what players can expect, the mean at chance nodes (expectimax: D.
// Michie, Game-playing and game-learning automata, 1966; of several players: max^n with chance). The counterpart of
// outcomes.hpp, which is about games without chance.
//
// Of a position is kept what the first player can expect, where that tells all: of one player, and of two whose
// utilities add up to zero. Else one number a player.
//
// What is worth the same to the mover is told apart by the tie rule of outcomes.hpp. Numbers that differ by less than
// `same` of the utilities' range count as equal there, so that rounding decides nothing.

#include "solve/encoding/outcomes.hpp"

namespace zug::solve {

class ExpectedValues {
public:
    static constexpr double same = 1e-10;

    ExpectedValues() = default;
    ExpectedValues(const std::set<Payoffs>& ends, std::uint32_t players, bool zero_sum, Ties ties);

    std::uint32_t players() const { return players_; }
    // Numbers that are kept of a position.
    std::uint32_t width() const { return width_; }
    // The range of all players' utilities at ends, and of 0, which play without end is worth.
    double least() const { return least_; }
    double greatest() const { return greatest_; }
    double range() const { return greatest_ - least_; }

    // What the player can expect, of the numbers that are kept.
    double of(std::uint32_t player, std::span<const double> kept) const {
        return width_ > 1 ? kept[player] : player == 0 ? kept[0] : 0.0 - kept[0];
    }
    Payoffs payoffs(std::span<const double> kept) const;
    // Of the first player, where all ends are won or lost for them: utilities 1 and -1, or of one player 1 and 0.
    std::optional<double> win_probability(double value) const;

    // The successors of a position: values[w][i] is the w-th number that is kept of the i-th.
    using Columns = std::span<const std::vector<double>>;
    // The numbers of the successors that are best for the player: one, or several that are equal to all players.
    void best(std::uint32_t player, Columns values, std::vector<std::size_t>& chosen) const;
    // The value of a position given those of its successors, of which there is at least one. `room` is scratch memory.
    void choose(std::uint32_t player, Columns values, std::span<double> out, std::vector<std::size_t>& buffer) const;
    void mean(std::span<const double> probabilities, Columns values, std::span<double> out) const;
    // What the mean of so many numbers can be wrong by, besides the errors of the numbers.
    double rounding(std::size_t outcomes) const;

private:
    std::uint32_t players_ = 0, width_ = 1;
    double least_ = 0, greatest_ = 0;
    Ties ties_ = Ties::Spiteful;
    std::optional<double> lost_; // the first player's utility at ends that are not won
};

// Positions counted by what who is to move can expect, in ranges of the same width from the least to the greatest
// utility.
struct ValueCounts {
    static constexpr std::size_t ranges = 20;

    std::vector<std::uint64_t> decided = std::vector<std::uint64_t>(ranges); // where a player moves, or play is over
    std::uint64_t chance = 0;                                                // where chance does

    void add(const ExpectedValues& values, double value, std::uint64_t positions);
    void add(const ValueCounts& other);
};

} // namespace zug::solve
