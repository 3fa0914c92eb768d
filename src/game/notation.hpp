#pragma once
// The texts of moves.

#include "game/game.hpp"

namespace zug::game {

// One step by itself: the rule file's notation, or the default one. `slots`: the position before the move.
std::string step_text(const ir::Program& program, std::span<const std::uint32_t> slots, StepCode code);

// The texts of all entries of a list, no two of them equal, none empty.
std::vector<std::string> move_texts(const ir::Program& program, std::span<const std::uint32_t> slots,
                                    const MoveList& moves);

} // namespace zug::game
