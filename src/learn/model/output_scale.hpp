#pragma once
// From a sum of weights to a utility and back.
//
// Where a variable holds what a player has scored so far and the utility is what it holds at the end, only what is
// still to come is learned: the value is the score and that.

#include "game/game.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace zug::learn {

struct ScoreSlot {
    std::uint32_t slot = 0;
    std::int64_t first = 0; // the score where the slot is 0

    friend bool operator==(const ScoreSlot&, const ScoreSlot&) = default;
};

struct OutputScale {
    bool bounded = true; // by the range of utilities: tanh
    double middle = 0, half = 1;
    std::vector<ScoreSlot> scores; // by output, or empty: there are none

    // The score of a position in units of `half`.
    double scored(std::span<const std::uint32_t> slots, std::uint32_t output) const {
        if (scores.empty()) return 0;
        const ScoreSlot& score = scores[output];
        return static_cast<double>(score.first + slots[score.slot]) / half;
    }
    std::vector<std::uint32_t> score_slots() const {
        std::vector<std::uint32_t> slots;
        for (const ScoreSlot& score : scores) slots.push_back(score.slot);
        return slots;
    }
    double utility(double sum) const { return middle + half * expected(sum); }
    // What learning aims at: a utility in units of `half` from the middle.
    double target(double utility) const { return (utility - middle) / half; }
    double expected(double sum) const; // the same of a sum, without scores
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
// The same, but by scores where each player has one that random games end with.
OutputScale find_scale_with_scores(game::Game& game);
// Whether its numbers are finite, `half` is above 0, and its scores those of slots of the game, one for each output.
bool fits(const OutputScale& scale, std::uint32_t outputs, const game::Game& game);

} // namespace zug::learn
