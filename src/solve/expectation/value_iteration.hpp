#pragma once
// Expected utilities where play can cycle, of what one number tells: value iteration from both sides
// (interval iteration: S. Haddad, B. Monmege, Interval iteration for MDPs, 2018). One sequence of values starts at the
// least utility that the game has and rises, one at the greatest and falls; every step of either is rounded outwards,
// so the truth is between them, always. If they stay apart, players can keep the game from ending.

#include "solve/expectation/expected_values.hpp"
#include "solve/tiers/position_index.hpp"

#include <algorithm>

namespace zug::solve {

// Of the utilities' range: how near the sequences come to each other, and what will do where they stop before that, as
// rounding makes them.
inline constexpr double precision = 1e-13, good_enough = 1e-10;

// The positions that lie on cycles or lead into them: what the moves are worth together that lead elsewhere, and the
// others.
//
// Bytes: 40 a position of these and 16 a move between them, and 8 a position of the tier; in files where memory has no
// room.
class Cycles {
public:
    enum class Choice : std::uint8_t { Most, Least, Mean };
    struct Node {
        PositionIndex index = 0;
        std::uint32_t moves = 0;
        double outside = 0;  // the best of these; at a chance node the sum of worth times probability
        double rounding = 0; // what a value can be wrong by
        std::uint32_t orbit = 1;
        Choice choice = Choice::Mean;
        bool leaves = false; // some move leads elsewhere, so `outside` counts
    };
    struct Move {
        PositionIndex to;
        double probability;
    };
    // Of block_keys positions, or fewer at the end.
    struct Part {
        std::vector<Node> nodes;
        std::vector<Move> moves;
    };

    explicit Cycles(Scratch& scratch);
    // In the order of position indices; all parts are full but the last.
    void append(const Part& part);

    // Of what two moves or outcomes are worth, the second by its probability already.
    static double join(Choice choice, double a, double b) {
        return choice == Choice::Mean ? a + b : choice == Choice::Most ? std::max(a, b) : std::min(a, b);
    }

    // The two sequences, by position index, after so many sweeps.
    struct Bounds {
        Array<double>& low;
        Array<double>& high;
        std::uint32_t sweeps = 0; // 0: the numbers are set first
    };
    struct Outcome {
        double gap = 0; // at most, between the two sequences
        PositionIndex widest = 0;
        bool stopped = false, slow = false; // slow: they were still changing after so many sweeps
    };
    // Puts the middle into `low`. `at_safepoint` is polled: whether to stop, between two sweeps.
    Outcome iterate(const ExpectedValues& expected, Bounds& bounds, const std::function<bool()>& at_safepoint);

    // Where they are in files, for a checkpoint.
    struct State {
        ColumnState nodes, moves;
        std::string file; // of where each part's moves begin
        std::uint64_t parts = 0;
    };
    // Writes them when it is called first, after the last append(); the files stay as long as this.
    const State& save();
    bool restore(const State& state); // false: the files don't fit
    // Calls each(node) of all.
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
    std::vector<std::shared_ptr<WorkFile>> files_; // that it names
};

} // namespace zug::solve
