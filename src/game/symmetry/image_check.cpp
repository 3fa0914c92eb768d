#include "game/symmetry/image_check.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>

namespace zug::game {

bool ImageCheck::holds(const Symmetry& symmetry, std::span<const std::uint32_t> slots) {
    return alike(look(slots, &symmetry), look(symmetry.apply(slots), nullptr));
}

bool ImageCheck::alike(const Look& a, const Look& b) {
    const auto equal = [](const auto& x, const auto& y) {
        return x.first == y.first && std::abs(x.second - y.second) < 1e-9;
    };
    return a.kind == b.kind && a.mover == b.mover && a.payoffs == b.payoffs &&
           std::ranges::equal(a.successors, b.successors, equal);
}

ImageCheck::Look ImageCheck::faulty(std::uint32_t mover) {
    Look look;
    look.mover = mover;
    return look;
}

// With `symmetry`, the players and the successors are replaced by their images.
ImageCheck::Look ImageCheck::look(std::span<const std::uint32_t> slots, const Symmetry* symmetry) {
    Look look;
    State state, next;
    std::vector<std::uint32_t> after;
    game_.executor().load(slots, state);
    look.kind = game_.expand(state, moves_);
    const auto image = [&](std::uint32_t player) {
        return symmetry != nullptr ? symmetry->player(player, game_.program()) : player;
    };
    look.mover = image(game_.to_move(state));
    if (look.kind == NodeKind::Terminal) {
        std::vector<double> payoffs(game_.players());
        if (!game_.payoffs(state, payoffs)) return faulty(look.mover);
        look.payoffs.resize(payoffs.size());
        for (std::uint32_t p = 0; p < payoffs.size(); ++p) look.payoffs[image(p)] = payoffs[p];
    }
    for (std::size_t i = 0; look.kind != NodeKind::Fault && i < moves_.size(); ++i) {
        if (!game_.successor(state, moves_, i, next)) return faulty(look.mover);
        game_.executor().store(next, after);
        if (symmetry != nullptr) after = symmetry->apply(after);
        const double probability = look.kind == NodeKind::Chance ? moves_.probability(i) : 1;
        look.successors.emplace_back(XXH64(after.data(), after.size() * sizeof after[0], 0), probability);
    }
    std::ranges::sort(look.successors);
    return look;
}

} // namespace zug::game
