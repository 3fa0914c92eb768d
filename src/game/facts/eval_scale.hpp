#pragma once
// What evaluations are worth on the scale of utilities.

namespace zug::game {

// By default an evaluation is taken to be in units of utility already. Where evaluations are averaged (over chance
// events, playouts, or the moves of an opponent who errs) it matters how much they are worth: selfplay/ finds out.
struct EvalScale {
    // Of two sides and more: the lead of a side's eval over the mean of the others' at which its utility is half-way
    // from even to the best; 0: half the best utility itself.
    double unit = 0;
    // Of one player: the utility is offset + slope * eval; slope 0: as for two sides that are even where eval is 0.
    double slope = 0, offset = 0;

    friend bool operator==(const EvalScale&, const EvalScale&) = default;
};

} // namespace zug::game
