#pragma once
// Maps over players and the places of their way to counts of men: where the players meet, in one row that leads there
// and one that leads back; else a row for each player.

#include "draw/terminal/characters.hpp"
#include "draw/terminal/habits.hpp"
#include "draw/terminal/signs.hpp"

namespace zug::draw::terminal {

// `meeting`: null, if there is none.
Characters track_of(const board::View& view, ir::StateId id, const Meeting* meeting, const Screen& screen);

} // namespace zug::draw::terminal
