#pragma once
// Boards as rows of texts, one a site, with the numbers of the rows and the letters of the columns.

#include "ir/board.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace zug::ir {

// Whether the sites have coordinates, and rows show how they lie.
bool has_rows(const Board& board);

// The board must have rows. Cells: by site, each `width` characters wide, colours apart.
std::string board_text(const Board& board, std::span<const std::string> cells, std::size_t width);

} // namespace zug::ir
