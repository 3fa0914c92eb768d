#pragma once
// Boards in characters: grids and hexagonal boards row by row, boards of points with their lines, the pits of a mancala
// board in two rows, other boards as pictures show them; with the texts by which moves name their sites.

#include "draw/board/layout/layout.hpp"
#include "draw/terminal/characters.hpp"
#include "draw/terminal/habits.hpp"
#include "draw/terminal/signs.hpp"

#include <span>
#include <string>
#include <vector>

namespace zug::draw::terminal {

struct BoardContent {
    const ir::Program& program;
    const ir::Board& board;
    std::vector<Sign> sites; // what stands there
    int width = 1;           // columns of the widest sign
    bool counts = false;     // numbers, such as those of seeds
    std::span<const Owner> owners;
};

// Empty where it can't be shown so: a graph that is too large for the screen.
Characters board_of(const BoardContent& content, const board::Layout& layout, const Screen& screen);

} // namespace zug::draw::terminal
