#pragma once
// Smart game format, version 4 (A. Hollosi, 1999), for games of two players who place stones in turn: the games of
// engines/vertices.hpp.
//
// Points are two letters, column and row from the top left corner, as in Go; on a rhombus `a1`, column and row from the
// acute corner, as in Hex. Both forms are read everywhere. A move that places nothing is written as the game writes it,
// but for `pass`, which is an empty value. Stones of the first position are AB and AW, and PL says who begins. KM is
// the parameter `komi`, where there is one. Variations are skipped: the game is the main line.

#include "match/record.hpp"

#include <string>
#include <string_view>

namespace zug::records {

// Why a game can't be written so; empty: it can.
std::string sgf_refusal(const game::Game& game);
// The error: the first position does not consist of stones and a player to move.
tl::expected<std::string, Error> to_sgf(game::Game& game, const match::GameRecord& record);
// All games of a text. Errors begin with where they are, `3:14: why`.
void read_sgf(game::Game& game, const std::string& file, std::string_view text, const match::TakeRecord& take);

} // namespace zug::records
