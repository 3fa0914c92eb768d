#pragma once
// How the tree keeps values: as one number where that says it all (leaf.hpp: scalar), else as one a player.

#include "search/core/leaf.hpp"
#include "search/monte_carlo/shared_number.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace zug::search {

// A value for each player of a game.
using PlayerValues = std::array<double, game::max_players>;

class Utilities {
public:
    explicit Utilities(const game::Traits& traits)
        : scalar_(search::scalar(traits)), players_(traits.players), second_side_(scalar_ ? ~traits.first_side : 0),
          lowest_(traits.min_utility), highest_(traits.max_utility) {}

    std::uint32_t players() const { return players_; }
    std::uint32_t stored() const { return scalar_ ? 1 : players_; }
    bool scalar() const { return scalar_; }
    // The second of two sides gets what the first one loses.
    bool flipped(std::uint32_t player) const { return (second_side_ >> player & 1) != 0; }
    double lowest(std::uint32_t player) const { return flipped(player) ? -highest_ : lowest_; }
    double highest(std::uint32_t player) const { return flipped(player) ? -lowest_ : highest_; }
    // A player's share of stored numbers, which other threads may change.
    double of(std::span<const double> stored, std::uint32_t player) const {
        const double value = load(stored[scalar_ ? 0 : player]);
        return flipped(player) ? -value : value;
    }

private:
    bool scalar_;
    std::uint32_t players_, second_side_; // one bit for each player on it, where there is one number
    double lowest_, highest_;
};

} // namespace zug::search
