#include "executor/random_play.hpp"

namespace zug::run {

std::size_t random_entry(const MoveList& moves, NodeKind kind, Random& random) {
    if (kind != NodeKind::Chance) return random.below(static_cast<std::uint32_t>(moves.size()));
    double rest = random.unit();
    for (std::size_t i = 0; i + 1 < moves.size(); ++i) {
        rest -= moves.probability(i);
        if (rest < 0) return i;
    }
    return moves.size() - 1;
}

} // namespace zug::run
