#pragma once
// Loud moves of files that name none: those that change the material that `eval` counts (material.hpp), other than by
// moving a piece or placing one. Internal to src/lang.
//
// For each move rule the assignments of its first `then` are looked at. The move is loud
//   - if it takes something of an opponent's off a place, and no other of its assignments puts that down elsewhere;
//   - if what it puts down is another piece of the mover's, of other worth, than the one that it took up (promotion);
//   - if it takes a piece of the mover's off the board.
// What stands at a place belongs to the player to whom alone it is worth something. What `when` says of a place is used
// to leave out conditions that can't hold. Later `then`s read a state that the first has changed; what they do is used
// as far as it reads nothing of that.

#include "lang/core/builder.hpp"

namespace zug::lang {

// Sets Program::loud, if there is such a move. Throws Exhausted.
void derive_loud(Builder& builder, ir::Program& program);

} // namespace zug::lang
