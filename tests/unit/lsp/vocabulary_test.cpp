// What is said about the words of the language: words.def against the tokens, and the tables of the reference.

#include "grammar/lexer/token.hpp"
#include "lsp/features/vocabulary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::vector<std::string_view> keywords() {
    return {
#define TOKEN(name, spelling)
#define KEYWORD(name, spelling) spelling,
#include "grammar/lexer/tokens.def"
#undef TOKEN
#undef KEYWORD
    };
}

std::vector<std::string_view> explained() {
    return {
#define WORD(word, meaning) word,
#include "lsp/features/words.def"
#undef WORD
    };
}

} // namespace

TEST_CASE("every reserved word is explained once, in the order of the tokens, and no other one") {
    CHECK(explained() == keywords());
    for (const auto word : keywords()) {
        CAPTURE(word);
        CHECK(zug::lsp::documentation(std::string(word)).size() > word.size() + 10);
    }
}

TEST_CASE("the tables of the reference explain what is built in") {
    const auto names = zug::lsp::documented_names();
    CHECK(std::ranges::is_sorted(names));
    for (const std::string name :
         {"bool", "player", "grid", "hex", "ring", "empty", "line", "group", "slide", "foe", "x", "y"}) {
        CAPTURE(name);
        CHECK(std::ranges::binary_search(names, name));
        CHECK(!zug::lsp::documentation(name).empty());
    }
    const auto words = zug::lsp::picture_words();
    CHECK(std::ranges::is_sorted(words));
    for (const std::string word : {"checkered", "cells", "marked", "loops", "rook", "lettered", "dice", "triangles"}) {
        CAPTURE(word);
        CHECK(std::ranges::binary_search(words, word));
        CHECK(!std::ranges::binary_search(names, word));
        CHECK(!zug::lsp::documentation(word).empty());
    }
    CHECK(zug::lsp::documentation("no_such_word").empty());
    CHECK(zug::lsp::documentation("").empty());
}
