#pragma once
// `zug learn --explain`: the patterns of an n-tuple network that matter most, drawn on the board.

#include "game/game.hpp"
#include "learn/tuples/tuple_net.hpp"

namespace zug::cli {

// Those of several slots with the greatest weights, one of each that are equal but for the place.
void show_patterns(const learn::TupleNet& net, const game::Game& game);

} // namespace zug::cli
