#pragma once
// `zug learn --explain`: what was learned, for people.

#include "game/game.hpp"
#include "learn/net.hpp"

namespace zug::cli {

// How the weights of terms would be written in the rule file, beside those that are.
void show_terms(const learn::TermNet& net, const game::Game& game);

// What each value is worth at each place, by the evaluation that the game uses; drawn on its boards.
void show_worths(game::Game& game);

} // namespace zug::cli
