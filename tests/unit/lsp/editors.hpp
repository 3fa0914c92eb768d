#pragma once
// The files by which editors colour rule files, made from the tokens of the lexer and the words of the grammar, so that
// they say what these say.

#include "lsp/text/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace zug::test {

// The words of the language by what they are coloured as.
struct WordKind {
    std::string_view scope; // of TextMate grammars, without `.zug`
    std::string_view group; // of Vim, and the group there that it is linked to
    std::string_view like;
    std::vector<std::string> words;
};
// Together all keywords, the words that mean something in one place only, and the names of types. No word is in two.
const std::vector<WordKind>& word_kinds();

// grammar/editors/vscode/zug.tmLanguage.json
std::string textmate_grammar();
// grammar/editors/vim/syntax/zug.vim
std::string vim_syntax();

} // namespace zug::test
