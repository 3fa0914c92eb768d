#pragma once
// The ends of random games, the same in every call.

#include "game/selfplay/random_games.hpp"

#include <span>
#include <vector>

namespace zug::learn {

// Calls f(the state, the utilities of all players) for each.
template <class F>
void for_each_random_end(game::Game& game, F&& f) {
    constexpr std::uint64_t random_games = 200;
    std::vector<double> utilities(game.players());
    game::play_random_games(game, game.initial(), random_games, [&](const game::State& state, std::uint32_t) {
        if (game.kind(state) == game::NodeKind::Terminal && game.payoffs(state, utilities))
            f(state, std::span<const double>(utilities));
        return true;
    });
    game.clear_fault();
}

} // namespace zug::learn
