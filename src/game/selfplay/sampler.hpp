#pragma once
// Draws random entries of move lists. Entries are numbered by ascending id, not by their order in the list, which
// depends on the executor, so equal seeds give equal samples with every executor.

#include "base/random.hpp"
#include "game/game.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace zug::game {

class Sampler {
public:
    // A uniformly random entry, or a chance outcome drawn by its probability. The list must not be empty.
    std::size_t draw(const MoveList& moves, Random& random);
    std::size_t draw_outcome(const MoveList& outcomes, Random& random);

private:
    void list(const MoveList& moves);
    std::vector<std::pair<std::uint64_t, std::size_t>> order_; // id and index; a member to reuse its memory
};

} // namespace zug::game
