#pragma once
// Which sites are marked: those of the last move, and those that legal moves name.

#include "draw/board/picture.hpp"
#include "draw/board/pieces/view.hpp"

#include <cstdint>
#include <vector>

namespace zug::draw::board {

struct Mark {
    bool named = false;   // by the last move
    bool changed = false; // by the last move
    bool origin = false;  // a legal move names it, and a site after it
    bool target = false;  // a legal move names it as the last one
};

// By board and site.
using Marks = std::vector<std::vector<Mark>>;

Marks no_marks(const ir::Program& program);
// `before`: the view of the position before the last move.
void mark_last(Marks& marks, const LastMove& last, const View& before, const View& now);
void mark_targets(Marks& marks, const ir::Program& program, const game::MoveList& moves);

} // namespace zug::draw::board
