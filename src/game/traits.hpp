#pragma once
// What can be known of a game from its program alone.

#include "game/game.hpp"

namespace zug::game {

Traits find_traits(const ir::Program& program);

} // namespace zug::game
