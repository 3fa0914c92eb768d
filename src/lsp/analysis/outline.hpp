#pragma once
// The declarations of a file: what they are, where they stand, and what is written about them.

#include "grammar/ast/ast.hpp"
#include "lsp/analysis/analysis.hpp"

#include <string>
#include <vector>

namespace zug::lsp {

struct Declared {
    std::string name;
    syntax::Kind kind{};
    Span name_span = {}, span = {};
    std::vector<Declared> inner = {}; // rules of a phase, members of an enumeration, groups of a board, players
};

// Of a syntax tree, in the order of the text. What could not be read is missing.
std::vector<Declared> outline(const syntax::Tree& tree, const std::string& text);

// All declarations of the files of a load, the outer ones and the inner ones, in one row.
std::vector<Declared> all_declared(const Analysis& analysis);
// The declaration whose name stands there; null: there is none.
const Declared* declared_at(const std::vector<Declared>& all, Span name);

// The source of a declaration, its first `lines` lines, without comments.
std::string source_of(const std::string& text, Span span, std::size_t lines);
// The comment before a declaration, on lines of its own, and the one behind its first line. Without the marks.
std::string comment_of(const std::string& text, Span span);

} // namespace zug::lsp
