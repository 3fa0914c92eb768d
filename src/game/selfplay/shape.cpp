#include "game/selfplay/shape.hpp"

#include "game/selfplay/random_games.hpp"

#include <algorithm>
#include <array>

namespace zug::game {

Shape shape_of(Game& game, const State& start, std::uint64_t games, const std::function<bool()>& goes_on) {
    Shape shape{.complete = true};
    std::array<double, max_players> payoffs{};
    double positions = 0, moves = 0, begun = 0, ended = 0;
    play_random_games(game, start, games, [&](const State& state, std::uint32_t ply) {
        if (ply == 0) begun += 1;
        positions += 1;
        shape.longest = std::max(shape.longest, ply);
        const std::uint64_t count = game.count(state);
        moves += static_cast<double>(count);
        if (count == 0 && game.kind(state) == NodeKind::Terminal &&
            game.payoffs(state, std::span(payoffs).first(game.players())))
            shape.payoff += payoffs[0], ended += 1;
        return shape.complete = goes_on();
    });
    game.clear_fault();
    shape.moves = moves / std::max(positions, 1.0);
    shape.plies = positions / std::max(begun, 1.0);
    shape.payoff /= std::max(ended, 1.0);
    return shape;
}

} // namespace zug::game
