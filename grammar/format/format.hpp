#pragma once
// The formatter behind `zug fmt`.
//
// Line breaks inside a declaration are kept, except that each part of a rule (let, when, weight, then, ensure), each
// clause of `end`, each list of sites and each rule of a phase begins a line. Indentation, blanks between tokens and
// columns are normalised. Lines of more than `max_line` columns are broken. Comments keep their positions, trailing
// ones their columns if the code leaves room. At most one blank line separates declarations.

#include "diag/diagnostic.hpp"
#include "grammar/ast/ast.hpp"

#include <cstddef>
#include <string>

namespace zug::syntax {

inline constexpr std::size_t max_line = 119;

// The formatted text of a file. A file with syntax errors is returned unchanged. Formatting is idempotent and keeps the
// syntax tree and the comments.
std::string format(const diag::Sources& sources, FileId file, const Tree& tree);

} // namespace zug::syntax
