#pragma once
// Draws from a list of moves. Entries are taken in the order of their ids and not of the list, which is the executor's
// own: so equal seeds draw the same whichever executor lists them.

#include "base/random.hpp"
#include "game/game.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace zug::match {

class Sampler {
public:
    // Any entry, all equally likely; and a chance outcome by its probability. The list isn't empty.
    std::size_t draw(const game::MoveList& moves, Random& random);
    std::size_t draw_outcome(const game::MoveList& outcomes, Random& random);

private:
    void list(const game::MoveList& moves);
    std::vector<std::pair<std::uint64_t, std::size_t>> order_; // id and place; kept for its memory
};

} // namespace zug::match
