#include "lsp/features/features.hpp"

#include "lsp/analysis/outline.hpp"
#include "lsp/features/vocabulary.hpp"

namespace zug::lsp {

namespace {

constexpr std::size_t shown_lines = 6; // of the source of a declaration

// The source of a declaration and what is written about it; of a local name, the line that declares it.
std::string about_declaration(const Analysis& analysis, Span name) {
    const auto all = all_declared(analysis);
    const Declared* const declared = declared_at(all, name);
    const std::string& source = analysis.loaded.sources.text(name.file);
    const Span span = declared != nullptr ? declared->span : name;
    std::string text = "```zug\n" + source_of(source, span, shown_lines) + "```\n";
    if (declared != nullptr) text += comment_of(source, span);
    if (name.file == own_file) return text;
    if (const std::string more = documentation(source.substr(name.begin, name.end - name.begin)); !more.empty())
        text += "\n" + more + "\n";
    return text + "\nFrom `" + analysis.loaded.sources.name(name.file) + "`.\n";
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
        text = declared ? about_declaration(analysis, entry->declaration) : documentation(name);
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
