#pragma once
// Portable game notation (PGN Standard, S. J. Edwards, 1994), for games of two players without chance. White is the
// player of that name, or else the first one.
//
// Moves are written as records/san.hpp does, where the game's moves can be, and else as the game itself writes them,
// where each is a word by itself: then the text is for Zug, and for programs that write the game's moves the same way,
// as those of draughts do. Both are read. Comments, variations and glyphs of annotation are skipped. The tag FEN has
// the game's own text of the first position.

#include "match/record.hpp"

#include <string>
#include <string_view>

namespace zug::records {

// Why a game can't be written so; empty: it can.
std::string pgn_refusal(const game::Game& game);
// The error: a move is not a word.
tl::expected<std::string, Error> to_pgn(game::Game& game, const match::GameRecord& record);
// All games of a text. Errors begin with where they are, `3:14: why`.
void read_pgn(game::Game& game, const std::string& file, std::string_view text, const match::TakeRecord& take);

} // namespace zug::records
