#include "lsp/analysis/analysis.hpp"

#include "grammar/parse.hpp"

#include <algorithm>
#include <filesystem>

namespace zug::lsp {

const lang::NameIndex::Entry* Analysis::name_at(const Json& params) const {
    return names.find(own_file, static_cast<std::uint32_t>(offset(params)));
}

const syntax::Token* Analysis::token_at(std::size_t offset) const {
    const auto behind = std::ranges::upper_bound(lexed.tokens, offset, {}, &syntax::Token::begin);
    if (behind == lexed.tokens.begin()) return nullptr;
    const syntax::Token& token = *std::prev(behind);
    return offset <= token.end && token.end > token.begin ? &token : nullptr;
}

std::string_view Analysis::text_of(const syntax::Token& token) const {
    return std::string_view(text()).substr(token.begin, token.end - token.begin);
}

bool Analysis::is_quiet(std::size_t offset) const {
    const auto inside = [&](const auto& part) { return part.begin < offset && offset < part.end; };
    const bool commented = std::ranges::any_of(
        lexed.comments, [&](const syntax::Comment& part) { return part.begin < offset && offset <= part.end; });
    return commented || std::ranges::any_of(lexed.tokens, [&](const syntax::Token& token) {
               return token.kind == syntax::Tok::String && inside(token);
           });
}

bool Analysis::reads_like(const Analysis& other) const {
    const diag::Sources &these = loaded.sources, &those = other.loaded.sources;
    if (these.size() != those.size()) return false;
    for (std::uint32_t i = 0; i < these.size(); ++i) {
        const auto file = static_cast<FileId>(i);
        if (these.name(file) != those.name(file) || these.text(file) != those.text(file)) return false;
    }
    return true;
}

AnalysisPtr analyse(const Document& document, const Surroundings& surroundings, std::optional<Span> asked) {
    auto made = std::make_shared<Analysis>();
    made->uri = document.uri;
    made->path = document.path;
    made->version = document.version;
    if (asked) made->names.ask_about(*asked);
    const lang::Editor editor{.open_text = surroundings.open_text, .index = &made->names};
    made->loaded = lang::load_text(document.path, document.text, {}, surroundings.folders, editor);
    if (syntax::beginning(made->text()) == syntax::Beginning::Other) { // as for a file, whatever else is in it
        made->loaded.report = {};
        made->loaded.report.add(diag::Message::NotRules, {.file = own_file}, {document.path});
    }
    diag::Report repeated; // the load has reported the same
    made->tree = syntax::parse(made->loaded.sources, own_file, repeated);
    // What all files have is no game by itself, and its names are those of the games.
    if (std::filesystem::path(document.path).filename() == "prelude.zug") made->loaded.report = repeated;
    const std::string& text = made->text();
    made->lexed = syntax::lex(text, own_file, 0, static_cast<std::uint32_t>(text.size()), repeated);
    return made;
}

} // namespace zug::lsp
