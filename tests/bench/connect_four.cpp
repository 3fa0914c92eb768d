#include "tests/bench/connect_four.hpp"

#include "tests/bench/alpha_beta.hpp"
#include "tests/bench/perft.hpp"
#include "tests/bench/programs.hpp"

namespace zug::by_hand {
namespace {

// Rejection sampling: a column drawn from all seven, until it isn't full, is uniform among those with room. Unlike a
// draw by the number of columns left, it doesn't depend on the previous move, so that both overlap in the processor.
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
