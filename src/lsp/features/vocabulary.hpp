#pragma once
// What the words of the language mean, in sentences: keywords from words.def, all else from the tables of
// grammar/reference.md, which is embedded at build time.

#include <string>
#include <string_view>
#include <vector>

namespace zug::lsp {

std::string_view reference_text(); // its headings and tables; made by layer.cmake

// Markdown about a word that the language has built in or reserves; empty: it says nothing of it.
std::string documentation(const std::string& word);
// The names that the tables document, sorted, without those that only stand for others.
std::vector<std::string> documented_names();
// The words that mean something in `look`, sorted.
std::vector<std::string> picture_words();

} // namespace zug::lsp
