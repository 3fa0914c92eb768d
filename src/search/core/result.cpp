#include "search/core/result.hpp"

#include <utility>

namespace zug::search {

game::State write_pv(game::Game& game, const game::State& root, Result& result) {
    result.pv.clear();
    game::MoveList moves;
    game::State state = root, next;
    for (const std::uint64_t id : result.pv_ids) {
        game.expand(state, moves);
        const auto i = moves.find(id);
        if (!i) break;
        result.pv.push_back(game.move_text(state, moves, *i));
        if (!game.successor(state, moves, *i, next)) break;
        std::swap(state, next);
    }
    return state;
}

} // namespace zug::search
