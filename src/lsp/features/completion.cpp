// Completion. Which names can be used at a place the checker knows best: the word at the cursor is replaced by one that
// nothing declares, the text is checked, and the checker tells what it could have been.

#include "base/file.hpp"
#include "grammar/lexer/token.hpp"
#include "lsp/analysis/outline.hpp"
#include "lsp/features/features.hpp"
#include "lsp/features/kinds.hpp"
#include "lsp/features/vocabulary.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

namespace zug::lsp {

namespace {

using syntax::Kind;
using syntax::Tok;

constexpr int keyword_kind = 14, variable_kind = 6, constant_kind = 21, file_kind = 17, type_kind = 25;
constexpr std::size_t most_items = 1000; // the editor asks again as more is typed
constexpr std::string_view placeholder = "zug_completes_this";

class Items {
public:
    void add(const std::string& label, int kind, const std::string& detail, const std::string& rank) {
        if (label.empty() || list_.size() >= most_items || !seen_.insert(label).second) return;
        Json item = {{"label", label}, {"kind", kind}, {"sortText", rank + label}};
        if (!detail.empty()) item["detail"] = detail;
        if (const std::string text = documentation(label); !text.empty())
            item["documentation"] = {{"kind", "markdown"}, {"value", text}};
        list_.push_back(std::move(item));
    }
    void add(const Declared& one, const Analysis& analysis, const std::string& rank) {
        std::string detail = source_of(analysis.loaded.sources.text(one.span.file), one.span, 1);
        detail.resize(std::min(detail.find('\n'), detail.size()));
        add(one.name, numbers_of(one.kind).completion, detail, rank);
    }
    Json take() {
        const bool incomplete = list_.size() >= most_items;
        return {{"isIncomplete", incomplete}, {"items", std::move(list_)}};
    }

private:
    Json list_ = Json::array();
    std::set<std::string> seen_;
};

// The place of a completion: the word under way, and the tokens before it.
struct Place {
    std::uint32_t begin = 0, end = 0; // of the word
    const syntax::Token* before = nullptr;
    const syntax::Token* before_that = nullptr;
    bool begins_line = false;
    bool in_look = false; // in a `look`, behind its name
};

Place place_at(const Analysis& analysis, std::size_t offset) {
    Place place{.begin = static_cast<std::uint32_t>(offset), .end = static_cast<std::uint32_t>(offset)};
    const syntax::Token* const token = analysis.token_at(offset);
    if (token != nullptr && (token->kind == Tok::Name || syntax::is_keyword(token->kind))) {
        place.begin = token->begin;
        place.end = token->end;
    }
    for (const auto& other : analysis.lexed.tokens) {
        if (other.kind == Tok::End || other.end > place.begin) break;
        place.before_that = place.before;
        place.before = &other;
        if (syntax::starts_declaration(other.kind)) place.in_look = other.kind == Tok::Look;
    }
    place.in_look &= place.before != nullptr && place.before->kind != Tok::Look;
    const std::string& text = analysis.text();
    place.begins_line = place.begin == 0 || text[place.begin - 1] == '\n';
    return place;
}

bool is_value(Kind kind) {
    static constexpr Kind others[] = {Kind::Game,   Kind::Players,    Kind::Move,  Kind::MoveAlso,
                                      Kind::Chance, Kind::ChanceAlso, Kind::Phase, Kind::Turn,
                                      Kind::End,    Kind::Eval,       Kind::Test};
    return std::ranges::find(others, kind) == std::end(others);
}

bool is_rule(Kind kind) { return kind == Kind::Move || kind == Kind::Chance; }

void add_declaration_words(Items& items) {
#define TOKEN(name, spelling)
#define KEYWORD(name, spelling)                                                                                        \
    if (syntax::starts_declaration(Tok::name)) items.add(spelling, keyword_kind, "", "0");
#include "grammar/lexer/tokens.def"
#undef TOKEN
#undef KEYWORD
}

void add_expression_words(Items& items) {
#define TOKEN(name, spelling)
#define KEYWORD(name, spelling)                                                                                        \
    if (!syntax::starts_declaration(Tok::name) || Tok::name == Tok::Stuck) items.add(spelling, keyword_kind, "", "4");
#include "grammar/lexer/tokens.def"
#undef TOKEN
#undef KEYWORD
}

void add_types(Items& items, const Analysis& analysis, const std::vector<Declared>& all) {
    for (const Declared& one : all)
        if (one.kind == Kind::TypeEnum || one.kind == Kind::TypeAlias || one.kind == Kind::Board)
            items.add(one, analysis, "0");
    for (const char* word : {"bool", "player", "site", "dir", "set", "map", "int", "real", "path"})
        items.add(word, type_kind, "", "1");
}

// After a state map and a dot: values that it may have; after sites: where paths lead.
void add_members(Items& items, const Analysis& analysis, const Place& place, const std::vector<Declared>& all) {
    const bool map = place.before_that != nullptr && std::ranges::any_of(all, [&](const Declared& one) {
                         return (one.kind == Kind::State || one.kind == Kind::Local) &&
                                one.name == analysis.text_of(*place.before_that);
                     });
    for (const Declared& one : all) {
        if (one.kind == Kind::PathDef && !map) items.add(one, analysis, "0");
        if (one.kind == Kind::Name && map) items.add(one, analysis, "0");
    }
    if (map)
        for (const char* word : {"me", "none", "foe"}) items.add(word, constant_kind, "", "1");
}

void add_names(Items& items, const Analysis& analysis, const Analysis& probed, const Place& place) {
    const auto all = all_declared(analysis);
    const bool after_dot = place.before != nullptr && place.before->kind == Tok::Dot;
    if (after_dot) add_members(items, analysis, place, all);
    const auto& visible = probed.names.visible();
    if (visible)
        for (const auto& name : *visible)
            if (name.local) items.add(name.name, variable_kind, name.type, "0");
    // Where the declaration could not be read, the names in it are those that could once be.
    for (const Declared& one : outline(analysis.tree, analysis.text()))
        if (!visible && one.span.begin <= place.begin && place.begin <= one.span.end)
            for (const auto& entry : analysis.names.in({own_file, one.span.begin, place.begin}))
                if (entry.local && entry.name == entry.declaration)
                    items.add(analysis.text().substr(entry.name.begin, entry.name.end - entry.name.begin),
                              variable_kind, entry.type, "0");
    for (const Declared& one : all)
        if (is_value(one.kind)) items.add(one, analysis, one.span.file == own_file ? "1" : "2");
    // Directions and other names that the board has; with them the words that are documented.
    if (visible)
        for (const auto& name : *visible)
            if (syntax::keyword(name.name) == Tok::Name)
                items.add(name.name, constant_kind, name.type, after_dot ? "0" : "3");
    if (place.in_look)
        for (const std::string& word : picture_words()) items.add(word, constant_kind, "", "0");
    for (const std::string& name : documented_names()) items.add(name, constant_kind, "", "3");
    if (!after_dot) add_expression_words(items);
}

// The text in which a file is being named: after `extends` or `import`, perhaps without its second quote.
std::optional<Span> file_name_at(const Analysis& analysis, std::size_t offset) {
    for (std::size_t i = 1; i < analysis.lexed.tokens.size(); ++i) {
        const syntax::Token& token = analysis.lexed.tokens[i];
        if (token.kind != Tok::String || offset <= token.begin || offset > token.end) continue;
        const Tok before = analysis.lexed.tokens[i - 1].kind;
        if (before != Tok::Extends && before != Tok::Import) break;
        const bool closed = token.end > token.begin + 1 && analysis.text()[token.end - 1] == '"';
        return Span{own_file, token.begin + 1, closed ? token.end - 1 : token.end};
    }
    return std::nullopt;
}

Json file_names(const Workspace& workspace, const Analysis& analysis, Span inside) {
    Json items = Json::array();
    std::set<std::string> names;
    lang::Folders folders = workspace.folders();
    folders.push_back(std::filesystem::path(analysis.path).parent_path().string());
    for (const std::string& folder : folders) {
        const auto files = list_folder(folder.empty() ? "." : folder);
        if (!files) continue;
        for (const auto& file : *files)
            if (file.extension() == ".zug" && file.filename() != "prelude.zug") names.insert(file.filename().string());
    }
    const Json range = range_json(analysis.lines(), inside.begin, inside.end);
    for (const std::string& name : names)
        items.push_back({{"label", name}, {"kind", file_kind}, {"textEdit", {{"range", range}, {"newText", name}}}});
    return {{"isIncomplete", false}, {"items", std::move(items)}};
}

} // namespace

Json completion(const Workspace& workspace, const Analysis& analysis, const Document& document, const Json& params) {
    const std::size_t offset = analysis.offset(params);
    if (const auto inside = file_name_at(analysis, offset)) return file_names(workspace, analysis, *inside);
    const Place place = place_at(analysis, offset);
    Items items;
    if (analysis.is_quiet(offset)) return items.take();
    if (place.begins_line) {
        add_declaration_words(items);
        return items.take();
    }
    if (place.before != nullptr && place.before->kind == Tok::Can) {
        for (const Declared& one : all_declared(analysis))
            if (is_rule(one.kind)) items.add(one, analysis, "0");
        return items.take();
    }
    const bool type = place.before != nullptr && (place.before->kind == Tok::Colon || place.before->kind == Tok::Arrow);
    if (type) add_types(items, analysis, all_declared(analysis));
    std::string text = document.text;
    text.replace(place.begin, place.end - place.begin, placeholder);
    const Span asked{own_file, place.begin, place.begin + static_cast<std::uint32_t>(placeholder.size())};
    const AnalysisPtr probed = workspace.analysis_with(document.uri, {{document.uri, std::move(text)}}, asked);
    add_names(items, analysis, *probed, place);
    return items.take();
}

} // namespace zug::lsp
