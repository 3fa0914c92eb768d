#pragma once
// The letters of values: their glyph, or for a tuple what the glyphs of its parts give. Internal to src/lang.

#include "ir/program.hpp"

#include <map>
#include <string>

namespace zug::lang {

// The type is not optional. The glyphs of the program must be complete, here and below.
std::string letter_of(const ir::Program& program, ir::TypeId type, std::int64_t value);

// From glyph to value, for the first 4,096 values of a type; empty for sets, paths and real numbers.
std::map<std::string, std::int64_t> letters_of(const ir::Program& program, ir::TypeId type);

} // namespace zug::lang
