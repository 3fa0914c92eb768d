#include "draw/board/layout/random_games.hpp"

#include "executor/random_play.hpp"

#include <utility>

namespace zug::draw::board {

void watch_random_games(const game::Game& original, std::size_t positions,
                        const std::function<void(const Sight&)>& see) {
    constexpr std::size_t longest = 150; // plies of a game
    game::Game game = original.clone();
    Random random(1);
    game::MoveList moves;
    game::State state = game.initial(), next;
    for (std::size_t i = 0, ply = 0; i < positions; ++i, ++ply) {
        const game::NodeKind kind = game.expand(state, moves);
        const bool is_inner = kind == game::NodeKind::Decision || kind == game::NodeKind::Chance;
        const bool goes_on =
            is_inner && ply < longest && game.successor(state, moves, run::random_entry(moves, kind, random), next);
        see({game, state, kind, moves, goes_on ? &next : nullptr});
        if (goes_on) {
            std::swap(state, next);
        } else {
            state = game.initial();
            ply = 0;
        }
    }
}

} // namespace zug::draw::board
