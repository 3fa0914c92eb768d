#pragma once
// Faces: how values are drawn on a board, by the glyphs that the file declares, or else by letters of their names.

#include "ir/program.hpp"

#include <string>
#include <vector>

namespace zug::game {

// A glyph and a colour for each ordinal of a type. `.` stands for none.
struct Faces {
    std::vector<std::string> texts;
    std::vector<std::string> colours; // as words of the language, or empty
    std::size_t width = 1;            // characters of the widest
};

// Faces of a scalar type. Types of more than `max_faces` values have none.
Faces faces_of(const ir::Program& program, ir::TypeId type);
inline constexpr std::uint64_t max_faces = 4096;

// The glyph that the file declares for a tuple, or null. The type may be optional.
const ir::Glyph* tuple_glyph(const ir::Program& program, ir::TypeId type, std::int64_t value);

// Whether a board of such values can be written as rows of glyphs, with digits for runs of empty cells: the values are
// optional, and each has a glyph that can stand in a row, none being the beginning of another.
bool fits_rows(const ir::Program& program, ir::TypeId type);

// The characters of a UTF-8 text; each invalid byte is one character.
std::vector<std::string> characters(std::string_view text);

// The ANSI escape that switches a colour on, or empty for an unknown one; `colour_off` ends it.
std::string colour_on(std::string_view colour);
inline constexpr std::string_view colour_off = "\x1b[0m";

} // namespace zug::game
