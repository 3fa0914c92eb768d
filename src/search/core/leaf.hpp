#pragma once
// The value of a leaf: the payoffs at an end of the game, else the evaluation.
//
// Where the value is one number, all methods must take the same one from the evaluations of the two sides, each a
// player or a team. It is half their difference: the first side's own where the two add up to zero, and fair to both
// where a file's `eval` does not.

#include "game/line.hpp"

#include <cmath>
#include <optional>
#include <span>

namespace zug::search {

// Whether the value of such a game is one number: the first player's utility, which is that of the first side.
inline bool scalar(const game::Traits& traits) { return traits.players == 1 || traits.zero_sum; }

// The value for each player where it is one number: one side gets what the other loses. `allies`: one bit for each
// player on the side whose value it is.
inline void share_out(double value, std::uint32_t allies, std::span<double> out) {
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = (allies >> p & 1) != 0 ? value : -value;
}

// A player's utility; none: a fault.
std::optional<double> terminal_value(game::Line& line, int ply, const game::Traits& traits, std::uint32_t player = 0);
double static_value(game::Line& line, int ply, const game::Traits& traits, std::uint32_t player = 0);

// The same by player, in any game; false: a fault.
[[nodiscard]] bool terminal_values(game::Line& line, int ply, std::span<double> out);
void static_values(game::Line& line, int ply, const game::Traits& traits, std::span<double> out);

// The mean over a chance node's outcomes, grown by one of them. One rounding, asked for by name: compilers are free to
// round `sum + p * v` once or twice, and then two methods, or two machines, would differ in the last bit.
inline double add_outcome(double sum, double probability, double value) { return std::fma(probability, value, sum); }

} // namespace zug::search
