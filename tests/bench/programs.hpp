#pragma once
// The programs, one file each.

#include "tests/bench/by_hand.hpp"

namespace zug::by_hand {

extern const Program tic_tac_toe, connect_four, breakthrough, othello, chess;

} // namespace zug::by_hand
