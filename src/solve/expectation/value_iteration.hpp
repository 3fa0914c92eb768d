#pragma once
// Expected utilities of positions on cycles, for games in which one number suffices (expected_values.hpp): value
// iteration from both sides (interval iteration: S. Haddad, B. Monmege, Interval iteration for MDPs, 2018). A lower
// bound of each value starts at the least utility of the game and rises, an upper bound starts at the greatest and
// falls. Every step is rounded outwards, so the true value always lies between the bounds. If they stay apart, players
// can keep the game from ending.

#include "solve/expectation/expected_values.hpp"
#include "solve/tiers/position_index.hpp"

#include <algorithm>

namespace zug::solve {

// Gaps between the bounds, as shares of the range of utilities: the one to reach, and the greatest to accept when
// rounding stops the iteration earlier.
inline constexpr double precision = 1e-13, good_enough = 1e-10;

// The positions that lie on cycles or lead into them, as nodes with their moves to each other; the moves to all other
// positions, whose values are known, are combined into one number.
//
// Bytes: 40 a node, 16 a move between nodes, and 8 a position of the tier; in files if memory does not suffice.
class Cycles {
public:
    enum class Choice : std::uint8_t { Most, Least, Mean };
    struct Node {
        PositionIndex index = 0;
        std::uint32_t moves = 0;
        double outside = 0;  // of the moves to known values: the best; at a chance node the sum weighted by probability
        double rounding = 0; // a bound on the rounding error of a value
        std::uint32_t orbit = 1;
        Choice choice = Choice::Mean;
        bool leaves = false; // some move leads to a known value, so `outside` counts
    };
    struct Move {
        PositionIndex to;
        double probability;
    };
    // The nodes of a block of position indices (block_keys); the last one may have fewer.
    struct Part {
        std::vector<Node> nodes;
        std::vector<Move> moves;
    };

    explicit Cycles(Scratch& scratch);
    // In the order of position indices; all parts are full but the last.
    void append(const Part& part);

    // Combines the values of two moves; at chance nodes each is weighted by its probability already.
    static double join(Choice choice, double a, double b) {
        return choice == Choice::Mean ? a + b : choice == Choice::Most ? std::max(a, b) : std::min(a, b);
    }

    // The bounds by position index, after so many sweeps.
    struct Bounds {
        Array<double>& low;
        Array<double>& high;
        std::uint32_t sweeps = 0; // 0: iterate() sets the initial bounds
    };
    struct Outcome {
        double gap = 0; // the greatest between the bounds of a node
        PositionIndex widest = 0;
        bool stopped = false, slow = false; // slow: the limit of sweeps was reached while bounds still changed
    };
    // Iterates, and stores the midpoints in `low`. `at_safepoint` is polled between two sweeps; true stops.
    Outcome iterate(const ExpectedValues& expected, Bounds& bounds, const std::function<bool()>& at_safepoint);

    // The files that hold the nodes, for a checkpoint.
    struct State {
        ColumnState nodes, moves;
        std::string file; // holds where each part's moves begin
        std::uint64_t parts = 0;
    };
    // Written on the first call, after the last append(); the files live as long as the nodes.
    const State& save();
    bool restore(const State& state); // false: the files don't fit
    // Calls each(node) for all nodes.
    template <class Each>
    void scan(Each&& each) const {
        std::array<Node, block_keys> buffer;
        for (std::size_t p = 0; p < firsts_.size(); ++p)
            for (const Node& node : nodes_.block(p, buffer)) each(node);
    }

private:
    double sweep(Bounds& bounds, Outcome& outcome) const;

    Scratch& scratch_;
    ColumnFile<Node> nodes_;
    ColumnFile<Move> moves_;
    std::vector<std::uint64_t> firsts_; // of the moves of each part
    State saved_;
    std::vector<std::shared_ptr<WorkFile>> files_; // named by saved_
};

} // namespace zug::solve
