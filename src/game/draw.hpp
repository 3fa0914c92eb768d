#pragma once
// Parts of the text that Game::draw() makes of a position, each with its line's end.

#include "game/game.hpp"

namespace zug::game {

// A variable and its value: `hand: 18`. Of small maps all entries, of larger ones those that are not empty. Empty: it
// is local, and as it was at the start.
std::string variable_text(const ir::Program& program, std::span<const std::uint32_t> slots, ir::StateId id);

// Who is to move, or how the game ended.
std::string status_text(Game& game, const State& state);

} // namespace zug::game
