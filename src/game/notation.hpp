#pragma once
// The texts of moves.

#include "game/game.hpp"

namespace zug::game {

// One step by itself: the rule file's notation, or the default one. `slots`: the position before the move.
std::string step_text(const ir::Program& program, std::span<const std::uint32_t> slots, StepCode code);

// The texts of all entries of a list, no two of them equal, none empty.
std::vector<std::string> move_texts(const ir::Program& program, std::span<const std::uint32_t> slots,
                                    const MoveList& moves);

// Whether a character may separate the moves of a line: blanks, `,` and `;`. The text of a move neither begins nor ends
// with one, but may contain them.
bool is_separator(char c);
// The move that a line begins with, and the length of its text there: the longest of the texts that fit and end where a
// move can end. If none does and moves have `steps`, these may stand in another order if only one move can be meant.
struct LeadingMove {
    std::size_t move = 0, length = 0;
};
std::optional<LeadingMove> leading_move(std::string_view line, const std::vector<std::string>& texts, bool steps);

} // namespace zug::game
