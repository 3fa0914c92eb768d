#pragma once
// The texts beside the rows of a board and at the feet of its columns.

#include "draw/terminal/characters.hpp"
#include "ir/program.hpp"

#include <span>

namespace zug::draw::terminal {

struct LabelledBoard {
    const ir::Board& board;
    std::span<const Place> places; // by site: where its sign ends
    int width;                     // of a sign
    Place spacing;                 // from one site to the next in its row, and to the next row
    bool hexagonal;
};

// Rows are named by the letters or the digits of their sites' texts, or by the numbers that they have; columns, which
// may slant, by the other part.
void write_labels(Characters& page, const LabelledBoard& board);

} // namespace zug::draw::terminal
