#pragma once
// The layout decisions of the formatter for each token. Internal to grammar/.

#include "grammar/ast/ast.hpp"
#include "grammar/lexer/lexer.hpp"

#include <string_view>
#include <vector>

namespace zug::syntax {

enum class Break : std::uint8_t { Author, Never, Always };

// The gap before a token.
struct Gap {
    Break line = Break::Author;    // whether the token begins a line
    bool space = true;             // a blank before it when it does not
    bool declaration = false;      // it begins a declaration: a blank line before it stays
    std::size_t padding = 0;       // more blanks, for columns
    std::size_t indent = 0;        // its column when it begins a line
    std::size_t comment_shift = 0; // what a comment before it is indented further
    unsigned cost = 0;             // of breaking an over-long line here; never_break: not here
};
inline constexpr unsigned never_break = 1000;

// One gap a token, the End token included. The tree must have no Error nodes.
std::vector<Gap> lay_out(const Tree& tree, const Lexed& lexed, std::string_view text);

// Columns a text takes: its characters.
std::size_t columns(std::string_view text);

} // namespace zug::syntax
