#include "tests/bench/chess_position.hpp"
#include "tests/bench/perft.hpp"
#include "tests/bench/programs.hpp"

namespace zug::by_hand {
namespace {

constexpr std::array<Parameter, 2> parameters = {{{"repetition", "false"}, {"insufficient", "false"}}};

// Plays one ply; returns false where the game is over.
template <bool white>
bool play(const Chess<white>& at, Chess<!white>& next, Random& random, Playout& result) {
    const Moves found = at.moves();
    const std::uint32_t total = found.total();
    if (total == 0) {
        const bool mate = Legal<white>(at.mine, at.theirs, 0, 0).check;
        result.payoff = mate ? (white ? -1 : 1) : 0;
        return false;
    }
    if (at.quiet == quiet_limit) return false;
    next = at.numbered(found, random.below(total));
    ++result.plies;
    return true;
}

Playout play_chess(Random& random) {
    Chess<true> white;
    Chess<false> black;
    Playout result;
    while (play(white, black, random, result) && play(black, white, random, result)) {
    }
    return result;
}

} // namespace

const Program chess{"chess", parameters, play_chess, perft<Chess<true>>, perft_of_leaves<Chess<true>>};

} // namespace zug::by_hand
