#pragma once
// The line that a search has found, played by the rules.

#include "game/game.hpp"
#include "search/core/result.hpp"

#include <doctest/doctest.h>

#include <utility>

namespace zug::test {

// Every move of it is legal, and has the text that the result gives. Returns where it leads.
inline game::State play_best_line(game::Game& game, const game::State& start, const search::Result& result) {
    game::State state = start, next;
    game::MoveList moves;
    REQUIRE(result.pv.size() == result.pv_ids.size());
    for (std::size_t ply = 0; ply < result.pv_ids.size(); ++ply) {
        REQUIRE(game.expand(state, moves) == game::NodeKind::Decision);
        const auto i = moves.find(result.pv_ids[ply]);
        REQUIRE(i.has_value());
        CHECK(game.move_text(state, moves, *i) == result.pv[ply]);
        REQUIRE(game.successor(state, moves, *i, next));
        std::swap(state, next);
    }
    return state;
}

} // namespace zug::test
