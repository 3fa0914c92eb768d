#pragma once
// Which sites, and which places of tracks, are marked: those of the last move, and those that legal moves name.

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

struct Marks {
    std::vector<std::vector<Mark>> boards; // by board and site
    std::vector<std::vector<Mark>> tracks; // by PlaceLook, and by player and place as entries of its variable
};

Marks no_marks(const ir::Program& program);
// `before`: the view of the position before the last move.
void mark_last(Marks& marks, const LastMove& last, const View& before, const View& now);
// `mover`: the player whose moves they are.
void mark_targets(Marks& marks, const ir::Program& program, const game::MoveList& moves, std::uint32_t mover);

} // namespace zug::draw::board
