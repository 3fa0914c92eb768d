#pragma once
// From a sum of weights to a utility and back.

#include "game/game.hpp"

namespace zug::learn {

struct OutputScale {
    bool bounded = true; // by the range of utilities: tanh
    double middle = 0, half = 1;

    double utility(double sum) const { return middle + half * expected(sum); }
    // What learning aims at: a utility in units of `half` from the middle.
    double target(double utility) const { return (utility - middle) / half; }
    double expected(double sum) const; // the same of a sum

    friend bool operator==(const OutputScale&, const OutputScale&) = default;
};

// By the range of utilities, where random games make some use of it; else by what they bring.
OutputScale find_scale(game::Game& game);

} // namespace zug::learn
