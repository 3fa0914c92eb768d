#include "game/selfplay/sampler.hpp"

#include <algorithm>

namespace zug::game {

void Sampler::list(const MoveList& moves) {
    order_.clear();
    for (std::size_t i = 0; i < moves.size(); ++i) order_.emplace_back(moves.id(i), i);
}

std::size_t Sampler::draw(const MoveList& moves, Random& random) {
    const std::uint32_t rank = random.below(static_cast<std::uint32_t>(moves.size()));
    list(moves);
    std::ranges::nth_element(order_, order_.begin() + rank);
    return order_[rank].second;
}

std::size_t Sampler::draw_outcome(const MoveList& outcomes, Random& random) {
    list(outcomes);
    std::ranges::sort(order_);
    double left = random.unit();
    for (const auto& [id, i] : order_) {
        left -= outcomes.probability(i);
        if (left < 0) return i;
    }
    return order_.back().second;
}

} // namespace zug::game
