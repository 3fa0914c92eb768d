#include "tests/bench/connect_four.hpp"

#include "tests/bench/alpha_beta.hpp"
#include "tests/bench/perft.hpp"
#include "tests/bench/programs.hpp"

namespace zug::by_hand {
namespace {

// A column drawn from all seven, and again if it is full, is drawn uniformly from those that aren't; and it needn't
// wait for the move before it, as the number of columns left would.
Playout play_connect_four(Random& random) {
    constexpr std::uint32_t cells = Connect::columns * Connect::rows;
    constexpr std::uint32_t shortest = 7; // plies
    Connect at;
    for (std::uint32_t ply = 0; ply < cells; ++ply) {
        Set cell;
        do cell = at.drop(random.below(Connect::columns));
        while (cell == 0);
        at = at.after(cell);
        if (ply + 1 >= shortest && at.lost()) return {ply + 1, ply % 2 == 0 ? 1 : -1};
    }
    return {cells, 0};
}

std::uint64_t search(int depth) {
    AlphaBeta<Connect> alpha_beta;
    alpha_beta.value({}, depth);
    return alpha_beta.nodes;
}

} // namespace

const Program connect_four{"connect-four", {}, play_connect_four, perft<Connect>, perft_of_leaves<Connect>, search};

} // namespace zug::by_hand
