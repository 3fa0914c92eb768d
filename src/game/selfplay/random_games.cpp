#include "game/selfplay/random_games.hpp"

namespace zug::game {

namespace {

constexpr std::uint32_t longest_game = 200; // moves

} // namespace

void play_random_games(Game& game, const State& start, std::uint64_t games,
                       const std::function<bool(const State&, std::uint32_t)>& visit) {
    Random random(1);
    State state, next;
    MoveList moves;
    for (std::uint64_t i = 0; i < games; ++i) {
        state = start;
        for (std::uint32_t ply = 0;; ++ply) {
            if (!visit(state, ply)) return;
            if (ply == longest_game) break;
            const auto kind = game.expand(state, moves);
            if (kind == NodeKind::Terminal) break;
            const bool made =
                kind != NodeKind::Fault &&
                game.successor(state, moves, random.below(static_cast<std::uint32_t>(moves.size())), next);
            if (!made) return game.clear_fault();
            std::swap(state, next);
        }
    }
}

} // namespace zug::game
