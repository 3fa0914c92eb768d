#pragma once
// Values of positions in games with chance: expected utilities, with the mean at chance nodes (expectimax: D. Michie,
// Game-playing and game-learning automata, 1966; with several players, max^n with chance). The counterpart of
// outcomes.hpp for games without chance.
//
// If one number suffices, for one player or two sides whose utilities add up to zero, the first player's expected
// utility is stored for a position; else one number for each player.
//
// Between moves of equal value to the mover the tie rule of outcomes.hpp decides. Numbers that differ by less than
// `same` times the range of utilities count as equal there, so that rounding does not decide.

#include "solve/encoding/outcomes.hpp"

namespace zug::solve {

class ExpectedValues {
public:
    static constexpr double same = 1e-10;

    ExpectedValues() = default;
    ExpectedValues(const std::set<Payoffs>& ends, const game::Traits& traits, Ties ties);

    std::uint32_t players() const { return players_; }
    // The count of numbers stored for a position.
    std::uint32_t width() const { return width_; }
    // The range of all players' utilities at ends, extended to 0, the value of endless play.
    double least() const { return least_; }
    double greatest() const { return greatest_; }
    double range() const { return greatest_ - least_; }

    // Whether the player is on the first one's side.
    bool is_first(std::uint32_t player) const { return (first_side_ >> player & 1) != 0; }
    // The player's expected utility, from the stored numbers.
    double of(std::uint32_t player, std::span<const double> kept) const {
        return width_ > 1 ? kept[player] : is_first(player) ? kept[0] : 0.0 - kept[0];
    }
    Payoffs payoffs(std::span<const double> kept) const;
    // The first player's, if every end is won or lost for them: utilities 1 and -1, or 1 and 0 for a single player.
    std::optional<double> win_probability(double value) const;

    // The successors of a position: values[w][i] is the w-th number of the i-th successor.
    using Columns = std::span<const std::vector<double>>;
    // The indices of the best successors for the player: one, or several that are equal for all players.
    void best(std::uint32_t player, Columns values, std::vector<std::size_t>& chosen) const;
    // The value of a position given those of its successors, of which there is at least one. `buffer` is scratch
    // memory.
    void choose(std::uint32_t player, Columns values, std::span<double> out, std::vector<std::size_t>& buffer) const;
    void mean(std::span<const double> probabilities, Columns values, std::span<double> out) const;
    // A bound on the rounding error of the mean of so many numbers, beside the errors of the numbers themselves.
    double rounding(std::size_t outcomes) const;

private:
    std::uint32_t players_ = 0, width_ = 1, first_side_ = 1;
    double least_ = 0, greatest_ = 0;
    Ties ties_ = Ties::Spiteful;
    std::optional<double> lost_; // the first player's utility at ends that are not won
};

// Counts of positions by the expected utility of the player to move, in ranges of equal width from the least to the
// greatest utility.
struct ValueCounts {
    static constexpr std::size_t ranges = 20;

    std::vector<std::uint64_t> decided = std::vector<std::uint64_t>(ranges); // where a player moves, or play is over
    std::uint64_t chance = 0;                                                // chance nodes

    void add(const ExpectedValues& values, double value, std::uint64_t positions);
    void add(const ValueCounts& other);
    friend bool operator==(const ValueCounts&, const ValueCounts&) = default;
};

} // namespace zug::solve
