#pragma once
// What is known of a text that is open in the editor: what the checker says of it, what its names mean, its syntax tree
// and its tokens.

#include "grammar/ast/ast.hpp"
#include "grammar/lexer/lexer.hpp"
#include "lang/load.hpp"
#include "lsp/text/document.hpp"
#include "lsp/text/lines.hpp"

#include <memory>
#include <optional>

namespace zug::lsp {

inline constexpr FileId own_file{0}; // of the text itself among the sources of its load

struct Analysis {
    std::string uri, path;
    std::int64_t version = 0;
    lang::Loaded loaded;
    lang::NameIndex names;
    syntax::Tree tree; // of the text itself; what could not be read is missing
    syntax::Lexed lexed;

    const std::string& text() const { return loaded.sources.text(own_file); }
    Lines lines() const { return Lines(text()); }
    std::size_t offset(const Json& params) const { return lines().offset(position_of(params.at("position"))); }
    // The name at the `position` of a request; null: there is none.
    const lang::NameIndex::Entry* name_at(const Json& params) const;
    // The token that a byte is in or just behind; null: there is none.
    const syntax::Token* token_at(std::size_t offset) const;
    std::string_view text_of(const syntax::Token& token) const;
    // Whether a byte is in a comment or in a text in quotes.
    bool is_quiet(std::size_t offset) const;
    // Whether the other one has read the same texts.
    bool reads_like(const Analysis& other) const;
};

using AnalysisPtr = std::shared_ptr<const Analysis>;

// How a text is to be checked: what it extends is looked for in folders and in the texts that are open.
struct Surroundings {
    lang::Folders folders;
    std::function<std::optional<std::string>(const std::string& path)> open_text;
};

// Checks the text of a document. `asked`: a part of it where the index is to say which names can be used.
AnalysisPtr analyse(const Document& document, const Surroundings& surroundings, std::optional<Span> asked = {});

} // namespace zug::lsp
