#pragma once
// Text to syntax tree.
//
// Both functions always return a tree of bounded height, in time linear in the text. Errors are in the report, and what
// could not be parsed is an Error node. After a syntax error parsing resumes at the next declaration, so one run finds
// several errors.

#include "diag/diagnostic.hpp"
#include "grammar/ast/ast.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace zug::syntax {

// Longer files are rejected with Message::FileTooLarge.
inline constexpr std::size_t max_file_size = 4U << 20U;

// How a text begins, after blanks and comments.
enum class Beginning : std::uint8_t {
    Rules,  // with a keyword of a declaration; or there is nothing but comments
    Nearly, // with a word that may be meant as one
    Other
};
Beginning beginning(std::string_view text);

Tree parse(const diag::Sources& sources, FileId file, diag::Report& report);

// Parses the bytes of `where` as one expression and adds it to `tree`. Returns an Error node if there is no expression
// or anything follows it.
NodeId parse_expression(Tree& tree, const diag::Sources& sources, Span where, diag::Report& report);

} // namespace zug::syntax
