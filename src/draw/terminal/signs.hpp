#pragma once
// How values are written on a board: by the glyphs of the file, or, where a terminal has them, by the characters for
// chessmen and stones.

#include "draw/board/pieces/view.hpp"
#include "game/facts/standing.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace zug::draw::terminal {

// What a terminal can show.
struct Screen {
    bool unicode = false, colour = false;
    std::size_t width = 80; // columns
};

struct Sign {
    std::string text;        // empty: nothing is there
    std::string colour = {}; // a word of the language, or empty
};

// The signs of all values of a scalar type, by ordinal; empty where it has more than game::max_faces. Two values never
// have the same one, as far as their glyphs differ.
std::vector<Sign> signs_of(const board::View& view, ir::TypeId type, const Screen& screen);

// The sign of a piece whose site a variable holds, or this entry of it.
Sign sign_standing(const board::View& view, const game::StandingPiece& piece, std::size_t entry, const Screen& screen);

// Whether it is the players' own signs that tell the pieces.
bool is_players_own(const board::View& view, const game::StandingPiece& piece);

// A site where nothing is.
inline std::string_view empty_sign(const Screen& screen) { return screen.unicode ? "·" : "."; }

// A die that shows so many points, from 1 to 6.
std::string die_sign(int points, const Screen& screen);

// Signs that pictures use in texts, as a terminal without them shows them.
std::string plain_text(std::string text, const Screen& screen);

} // namespace zug::draw::terminal
