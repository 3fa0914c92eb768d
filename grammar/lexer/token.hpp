#pragma once
// Tokens, the output of the lexer and the input of the grammar. A list of tokens always ends with one End token, and
// iterators never pass it, so `*it` is always valid.

#include "diag/span.hpp"

#include <cstdint>
#include <string>
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
    bool touches = false;       // there is nothing, not even a blank, between it and the token before it
    bool first_on_line = false; // it is the first token of its line
    std::uint32_t begin = 0;    // byte offsets in the file
    std::uint32_t end = 0;
};

using TokenIt = const Token*;

// A kind of token as messages call it: `when`, `:=`, `a name`.
std::string_view spelling(Tok kind);
bool is_keyword(Tok kind);
// Keywords that start a declaration (`stuck` among them, though it is an expression too).
bool starts_declaration(Tok kind);
// The one that a word is a misspelling of, or an empty text.
std::string nearest_declaration(std::string_view word);
// The keyword spelled `word`, or Tok::Name.
Tok keyword(std::string_view word);

} // namespace zug::syntax
