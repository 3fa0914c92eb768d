#pragma once
// Text to tokens. All errors in the characters themselves are reported here: bytes that are not UTF-8, unterminated
// strings, operators of other languages (`==`, `&&`), which are then read as the operators they stand for.

#include "diag/diagnostic.hpp"
#include "grammar/lexer/token.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zug::syntax {

// Larger integers are rejected; perft counts need nearly the whole range.
inline constexpr std::string_view max_integer = "9223372036854775807";

struct Comment {
    std::uint32_t begin = 0; // at the `#`
    std::uint32_t end = 0;   // at the end of the line, without trailing blanks and carriage return
    bool own_line = false;   // nothing but blanks before it on its line
};

struct Lexed {
    std::vector<Token> tokens; // ends with an End token
    std::vector<Comment> comments;
};

// Tokens of the bytes begin..end of a file. Time and memory are linear in their number.
Lexed lex(std::string_view text, FileId file, std::uint32_t begin, std::uint32_t end, diag::Report& report);

// False, after a diagnostic, when the text has a control character other than line ends and tabs, or is not UTF-8.
bool check_encoding(std::string_view text, FileId file, diag::Report& report);

// The word that a text begins with, after blanks and comments: empty if something else stands there; none if nothing
// does.
std::optional<std::string_view> first_word(std::string_view text);

// The value of a string token given with its quotes: escapes resolved.
std::string decode_string(std::string_view quoted);
// A number token without its digit separators.
std::string decode_number(std::string_view digits);

} // namespace zug::syntax
