#pragma once
// Paranoid search (Sturtevant and Korf, "On pruning techniques for multi-player games", 2000): the player to move at
// the root and their partners maximise what they get, and all others are taken for one opponent who minimises it. That
// makes a game of any number of players one of two sides, with all that alpha-beta and expectimax can do.
//
// The value is what the player can get at least, whatever the others do, as far as the search sees; where it is
// proven, that much is certain, if the partners play along. For two players or teams and zero sum it is minimax's. In
// the vector of values the others get what the opposite side would: the least and greatest utility mirror each other.

#include "search/alpha_beta/expectimax.hpp"

namespace zug::search {

class Paranoid : public Expectimax {
public:
    Paranoid(game::Game& game, const Options& options, Method method = Method::Paranoid);

protected:
    bool pass(int depth, std::span<double> value) override;
    void begin_search() override;
    // A value is that of a position and of the player who maximises.
    std::uint64_t key(int ply) override;
};

} // namespace zug::search
