#pragma once
// What a search has found out, in words for people: what is proven is told from what is estimated.

#include "game/game.hpp"
#include "search/search.hpp"

#include <cstdint>
#include <string>

namespace zug::cli {

// "X wins", "draw", "A expects 0.25" where that is proven; else what the player may hope for: "about +0.33 for X".
std::string value_words(const game::Game& game, const search::Result& result, std::uint32_t player);
// The same for a search that has ended: a win that was looked for move by move is "X wins in 3", the number of the
// winner's moves. Cost: makes the moves of the search's line.
std::string verdict_words(game::Game& game, const game::State& root, const search::Result& result);

} // namespace zug::cli
