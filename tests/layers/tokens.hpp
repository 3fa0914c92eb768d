#pragma once
// C++ source text as a list of tokens, without comments and preprocessor lines: enough to find functions in it.

#include <string>
#include <string_view>
#include <vector>

namespace zug::test {

struct Token {
    std::string_view text; // of the source given; a string literal with its quotes; '>>' is two tokens
    int line = 0;          // from 1
};

// The source has to stay alive as long as its tokens.
std::vector<Token> tokens_of(std::string_view source);

bool is_identifier(std::string_view token); // a keyword is one, too

} // namespace zug::test
