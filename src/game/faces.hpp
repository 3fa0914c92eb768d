#pragma once
// How values look on a board: the glyphs that the file gives, else letters of their names.

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

// The glyph that the file gives a tuple, if it gives one. The type may be optional.
const ir::Glyph* tuple_glyph(const ir::Program& program, ir::TypeId type, std::int64_t value);

// Whether a board of such values can be written as rows of glyphs with digits for gaps: optional values, each with a
// glyph of one character that no other has and that has no meaning of its own in a position text.
bool fits_rows(const ir::Program& program, ir::TypeId type);

// The characters of a UTF-8 text; bytes that are none count one each.
std::vector<std::string> characters(std::string_view text);

// The ANSI escape that switches a colour on, or empty for an unknown one; `colour_off` ends it.
std::string colour_on(std::string_view colour);
inline constexpr std::string_view colour_off = "\x1b[0m";

} // namespace zug::game
