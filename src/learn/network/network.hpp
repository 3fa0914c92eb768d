#pragma once
// A network of one hidden layer that tells how likely each utility is.
//
// The hidden units add up columns (columns.hpp) and are cut off below 0 and above 1; the outputs, weighted sums of
// them, become probabilities by softmax, one for each of a few utilities. So a game for points, as one with gammons, is
// learned as chances of each end, and a draw is told from an even chance. At play all weights are 16-bit integers,
// scaled so that no sum can overflow.

#include "game/evaluator.hpp"
#include "learn/model/viewpoint.hpp"
#include "learn/network/columns.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace zug::learn {

struct Network {
    Viewpoint viewpoint;
    Columns columns;
    std::vector<double> utilities;    // ascending; with an exchange of the players, the negatives are among them
    std::uint32_t outputs = 1;        // 1: the first player's, or with an exchange that of who is to move; else each's
    std::uint32_t units = 0;          // of the hidden layer
    std::int16_t one = 1;             // what stands for 1 in the hidden layer
    double unit = 1;                  // of what an output adds up
    std::vector<std::int16_t> hidden; // by column, then unit
    std::vector<std::int16_t> hidden_bias; // by unit
    std::vector<std::int16_t> output;      // by stage, output, utility, then unit
    std::vector<std::int32_t> output_bias; // by stage, output, utility

    friend bool operator==(const Network&, const Network&) = default;
};

inline constexpr std::uint32_t most_units = 1024;
inline constexpr std::size_t most_utilities = 16;

// Whether it is of the game, and no sum can overflow.
bool fits(const Network& network, const game::Game& game);

// The network must outlive it; `owner` is kept until then.
std::unique_ptr<game::Evaluator> make_evaluator(const Network& network, std::shared_ptr<const void> owner);

} // namespace zug::learn
