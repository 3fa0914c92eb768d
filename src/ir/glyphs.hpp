#pragma once
// Glyphs: the texts that stand for values on boards, in positions and in moves.

#include "ir/program.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zug::ir {

// The glyph that the program gives a value; null: none. One that it gives `none` is that of every `none`. The type may
// be optional.
const Glyph* given_glyph(const Program& program, TypeId type, std::int64_t value);

// The glyph of a value. Without one of its own a tuple has those of its parts, one after the other; a pair (player,
// kind) of two players that of the kind, in capital letters for the first player and in small ones for the second.
// `.` stands for none and false, `x` for true; other values are their names.
std::string glyph_text(const Program& program, TypeId type, std::int64_t value);

// Whether a glyph can stand in a row, between numbers of empty sites: it does not begin with a digit, and has no
// character with another meaning in a position.
bool fits_row(std::string_view glyph);

// Two of the texts that can't be told apart where glyphs follow each other, since one begins with the other; the
// shorter first.
std::optional<std::pair<std::size_t, std::size_t>> ambiguous_glyphs(const std::vector<std::string>& texts);

} // namespace zug::ir
