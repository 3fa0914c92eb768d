#include "lsp/features/features.hpp"

#include "lsp/analysis/outline.hpp"
#include "lsp/features/vocabulary.hpp"

namespace zug::lsp {

namespace {

constexpr std::size_t shown_lines = 6; // of the source of a declaration

std::string about_declaration(const Analysis& analysis, const lang::NameIndex::Entry& entry, const std::string& name) {
    std::string text;
    if (entry.local) return "```zug\n" + name + "\n```\n";
    const auto all = all_declared(analysis);
    const Declared* const declared = declared_at(all, entry.declaration);
    const std::string& source = analysis.loaded.sources.text(entry.declaration.file);
    const Span span = declared != nullptr ? declared->span : entry.declaration;
    text += "```zug\n" + source_of(source, span, shown_lines) + "```\n";
    if (const std::string comment = comment_of(source, span); !comment.empty()) text += comment;
    const bool own = entry.declaration.file == own_file;
    if (const std::string more = own ? "" : documentation(name); !more.empty()) text += "\n" + more + "\n";
    if (!own) text += "\nFrom `" + analysis.loaded.sources.name(entry.declaration.file) + "`.\n";
    return text;
}

} // namespace

Json hover(const Analysis& analysis, const Json& params) {
    const std::size_t offset = analysis.offset(params);
    const syntax::Token* const token = analysis.token_at(offset);
    const auto* const entry = analysis.names.find(own_file, static_cast<std::uint32_t>(offset));
    std::string text;
    Span at;
    if (entry != nullptr) {
        at = entry->name;
        const std::string name = analysis.text().substr(at.begin, at.end - at.begin);
        const bool declared = entry->declaration.begin != entry->declaration.end;
        text = declared ? about_declaration(analysis, *entry, name) : documentation(name);
        if (!entry->type.empty()) text = "`" + name + "` is " + entry->type + ".\n\n" + text;
    } else if (token != nullptr) {
        at = {own_file, token->begin, token->end};
        const bool word = token->kind == syntax::Tok::Name || syntax::is_keyword(token->kind);
        if (word) text = documentation(std::string(analysis.text_of(*token)));
    }
    if (text.empty()) return nullptr;
    return {{"contents", {{"kind", "markdown"}, {"value", text}}},
            {"range", range_json(analysis.lines(), at.begin, at.end)}};
}

} // namespace zug::lsp
