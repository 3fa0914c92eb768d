#pragma once
// From a sum of weights to a utility and back.

#include "game/game.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace zug::learn {

struct OutputScale {
    bool bounded = true; // by the range of utilities: tanh
    double middle = 0, half = 1;

    double utility(double sum) const { return middle + half * expected(sum); }
    // What learning aims at: a utility in units of `half` from the middle.
    double target(double utility) const { return (utility - middle) / half; }
    double expected(double sum) const; // the same of a sum
    // Of the utilities of the first players, one for each output.
    void targets(std::span<const double> utilities, std::span<float> out) const {
        for (std::size_t o = 0; o < out.size(); ++o) out[o] = static_cast<float>(target(utilities[o]));
    }
    // Of what is expected, by output: a number for each player, or one for the first team in a zero-sum game.
    double utility_of(std::span<const float> expected, std::uint32_t player,
                      const std::array<std::uint8_t, game::max_players>& team) const {
        if (expected.size() > 1) return middle + half * static_cast<double>(expected[player]);
        const double first = middle + half * static_cast<double>(expected[0]);
        return team[player] == 0 ? first : -first;
    }

    friend bool operator==(const OutputScale&, const OutputScale&) = default;
};

// By the range of utilities, where random games make some use of it; else by what they bring.
OutputScale find_scale(game::Game& game);

} // namespace zug::learn
