#pragma once
// Tokens: what the lexer makes of the text and the grammar reads. A list of tokens always ends with one End token, and
// iterators into it never go beyond that one, so looking at `*it` is always allowed.

#include "diag/span.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace zug::syntax {

enum class Tok : std::uint8_t {
#define TOKEN(name, spelling) name,
#define KEYWORD(name, spelling) name,
#include "grammar/lexer/tokens.def"
#undef TOKEN
#undef KEYWORD
};

struct Token {
    Tok kind = Tok::End;
    bool touches = false;       // nothing, not even a blank, stands between it and the token before it
    bool first_on_line = false; // it is the first token of its line
    std::uint32_t begin = 0;    // byte offsets in the file
    std::uint32_t end = 0;
};

using TokenIt = const Token*;

// The text of a kind of token as users know it: `when`, `:=`, `a name`.
std::string_view spelling(Tok kind);
bool is_keyword(Tok kind);
// Keywords that start a declaration (`stuck` among them, though it is an expression too).
bool starts_declaration(Tok kind);
// The keyword spelled `word`, or Tok::Name.
Tok keyword(std::string_view word);

} // namespace zug::syntax
