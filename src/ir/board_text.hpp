#pragma once
// Boards as rows of texts, one a site, with the numbers of the rows and the letters of the columns.

#include "ir/program.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace zug::ir {

// Whether the sites have coordinates, and rows show how they lie.
bool has_rows(const Board& board);
// The board whose sites the type has, if it has rows; else null.
const Board* board_with_rows(const Program& program, TypeId type);

// The board must be such a one. Cells: by site, each `width` characters wide, colours apart.
std::string board_text(const Board& board, std::span<const std::string> cells, std::size_t width);

} // namespace zug::ir
