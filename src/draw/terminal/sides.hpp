#pragma once
// Whose the sides of a board are: those that a player has to join to win. Random games tell it: a player to whom two
// sides belong that face each other has not won once the men on either of them are taken away.

#include "draw/board/layout/travel.hpp"

#include <string>
#include <vector>

namespace zug::draw::terminal {

// By board: `Red bottom and top, Blue left and right`; empty where no sides are anyone's, or men travel. Costs some
// dozen games where there is another board on whose sites players stand.
std::vector<std::string> sides_of(const game::Game& game, const std::vector<std::vector<board::Travel>>& travels);

} // namespace zug::draw::terminal
