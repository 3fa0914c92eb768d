#pragma once
// Text to syntax tree.
//
// Both functions always return, in time linear in the text, with a tree of bounded height; whatever is wrong with the
// text is in the report, and the parts that could not be read are Error nodes. After a syntax error the next
// declaration is looked for, so one run finds several errors.

#include "diag/diagnostic.hpp"
#include "grammar/ast/ast.hpp"

#include <cstddef>

namespace zug::syntax {

// A loader refuses longer files, with Message::FileTooLarge; so does parse().
inline constexpr std::size_t max_file_size = 4U << 20U;

Tree parse(const diag::Sources& sources, FileId file, diag::Report& report);

// Parses the bytes of `where` as one expression and adds it to `tree`. Returns an Error node if there is no expression
// or anything follows it.
NodeId parse_expression(Tree& tree, const diag::Sources& sources, Span where, diag::Report& report);

} // namespace zug::syntax
