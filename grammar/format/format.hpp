#pragma once
// `zug fmt`: the one way a rule file is laid out.
//
// Line breaks inside a declaration are the author's, save that each part of a rule (let, when, weight, then, ensure),
// each clause of `end`, each list of sites and each rule of a phase begins a line; what is laid out is indentation,
// blanks between tokens, and columns. Lines of more than `max_line` columns are broken. Comments stay where they are,
// trailing ones in their column if the code leaves room. One blank line at most stands between declarations.

#include "diag/diagnostic.hpp"
#include "grammar/ast/ast.hpp"

#include <cstddef>
#include <string>

namespace zug::syntax {

inline constexpr std::size_t max_line = 119;

// The file's text in that form. A file with syntax errors is given back as it is. Formatting twice changes nothing, and
// the result has the same tree and comments as the file.
std::string format(const diag::Sources& sources, FileId file, const Tree& tree);

} // namespace zug::syntax
