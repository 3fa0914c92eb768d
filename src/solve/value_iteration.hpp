#pragma once
// Expected utilities where play can go round in circles, of what one number tells: value iteration from both sides
// (interval iteration: S. Haddad, B. Monmege, Interval iteration for MDPs, 2018). One sequence of values starts at the
// least utility that the game has and rises, one at the greatest and falls; every step of either is rounded outwards,
// so the truth is between them, always. If they stay apart, players can keep the game from ending.

#include "solve/expected_values.hpp"
#include "solve/tier_graph.hpp"

#include <algorithm>

namespace zug::solve {

// Of the utilities' range: how near the sequences come to each other, and what will do where they stop before that, as
// rounding makes them.
inline constexpr double precision = 1e-13, good_enough = 1e-10;

// The positions that lie on circles or lead into them: what the moves are worth together that lead elsewhere, and the
// others.
class Circles {
public:
    enum class Choice : std::uint8_t { Most, Least, Mean };
    struct Node {
        Choice choice = Choice::Mean;
        bool leaves = false;   // some move leads elsewhere, so `outside` counts
        double outside = 0;    // the best of these; at a chance node the sum of worth times probability
        double rounding = 0;   // what a value can be wrong by
        std::uint64_t end = 0; // of its moves in the part
    };
    struct Move {
        Place to;
        double probability;
    };
    // Of block_keys positions, or fewer at the end.
    struct Part {
        std::vector<Node> nodes;
        std::vector<Move> moves;
    };

    Circles(std::vector<Part> parts, std::span<const Place> places) : parts_(std::move(parts)), places_(places) {}

    // Of what two moves or outcomes are worth, the second by its probability already.
    static double join(Choice choice, double a, double b) {
        return choice == Choice::Mean ? a + b : choice == Choice::Most ? std::max(a, b) : std::min(a, b);
    }
    Choice choice(std::size_t i) const { return parts_[i / block_keys].nodes[i % block_keys].choice; }

    struct Outcome {
        double gap = 0; // at most, between the two sequences
        Place widest = 0;
        bool stopped = false, slow = false; // slow: they were still changing after so many sweeps
    };
    // Puts the middle into `values`, by place. `stop` is asked now and then.
    Outcome iterate(const ExpectedValues& expected, std::vector<double>& values, const std::function<bool()>& stop);

private:
    struct Bounds {
        std::vector<double> low, high; // by place in the tier
    };
    double sweep(Bounds& bounds, Outcome& outcome) const;

    std::vector<Part> parts_;
    std::span<const Place> places_;
};

} // namespace zug::solve
