#include "lsp/features/features.hpp"

#include "lang/core/name_index.hpp"
#include "lsp/text/uri.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace zug::lsp {

namespace {

// The file that an `extends` or `import` at this place names; none: nothing stands there, or it can't be read.
std::optional<FileId> named_file(const Analysis& analysis, std::size_t offset) {
    const syntax::Tree& tree = analysis.tree;
    if (!valid(tree.root)) return std::nullopt;
    for (const auto child : tree.children(tree.root)) {
        if (!valid(child)) continue;
        const auto& node = tree[child];
        const bool names = node.kind == syntax::Kind::Extends || node.kind == syntax::Kind::Import;
        if (!names || offset < node.span.begin || offset > node.span.end) continue;
        const std::string stem = std::filesystem::path(node.text).stem().string();
        for (std::uint32_t i = 1; i < analysis.loaded.sources.size(); ++i)
            if (std::filesystem::path(analysis.loaded.sources.name(static_cast<FileId>(i))).stem() == stem)
                return static_cast<FileId>(i);
    }
    return std::nullopt;
}

// A declaration as all loads that read its file know it.
struct Site {
    std::string uri;
    std::uint32_t begin = 0, end = 0;

    auto operator<=>(const Site&) const = default;
};

Site site_of(const Workspace& workspace, const Analysis& analysis, Span span) {
    return {workspace.uri(analysis, span.file), span.begin, span.end};
}

// The uses of a declaration in all texts that are open and the files that they read, with the load that each was found
// in.
using Uses = std::map<Site, std::pair<AnalysisPtr, Span>>;

Uses all_uses(Workspace& workspace, const Site& declaration) {
    Uses result;
    for (const AnalysisPtr& analysis : workspace.analyses())
        for (std::uint32_t i = 0; i < analysis->loaded.sources.size(); ++i) {
            const auto file = static_cast<FileId>(i);
            if (workspace.uri(*analysis, file) != declaration.uri) continue;
            for (const auto& use : analysis->names.uses_of({file, declaration.begin, declaration.end}))
                result.emplace(site_of(workspace, *analysis, use.name), std::pair(analysis, use.name));
        }
    return result;
}

bool is_declared(const lang::NameIndex::Entry* entry) {
    return entry != nullptr && entry->declaration.begin != entry->declaration.end;
}

bool is_vocabulary(const Analysis& analysis, Span declaration) {
    return declaration.file != own_file &&
           std::filesystem::path(analysis.loaded.sources.name(declaration.file)).filename() == "prelude.zug";
}

// Whether a text is one token that may be a name.
bool is_valid_name(const std::string& text) {
    diag::Report report;
    const auto lexed = syntax::lex(text, own_file, 0, static_cast<std::uint32_t>(text.size()), report);
    return !report.has_errors() && lexed.comments.empty() && lexed.tokens.size() == 2 && text != "_" &&
           lexed.tokens[0].kind == syntax::Tok::Name && lexed.tokens[0].end == text.size() &&
           lexed.tokens[0].begin == 0;
}

// The texts in which a name is used, with another name.
Texts renamed_texts(const Uses& uses, const std::string& name) {
    Texts texts;
    for (auto use = uses.rbegin(); use != uses.rend(); ++use) { // the last first, so that the others keep their places
        const auto& [place, found] = *use;
        const auto [text, added] = texts.try_emplace(place.uri, found.first->loaded.sources.text(found.second.file));
        text->second.replace(place.begin, place.end - place.begin, name);
    }
    return texts;
}

// Which name means which, in all files of a load, by their numbers: the same before and after names have changed their
// lengths.
std::vector<std::size_t> meanings(const Analysis& analysis) {
    constexpr std::size_t built_in = 0, first = 1;
    std::map<std::pair<FileId, std::uint32_t>, std::size_t> numbers;
    const auto entries = analysis.names.all();
    for (const auto& entry : entries) numbers.emplace(std::pair(entry.name.file, entry.name.begin), numbers.size());
    std::vector<std::size_t> result;
    for (const auto& entry : entries) {
        const auto known = numbers.find({entry.declaration.file, entry.declaration.begin});
        result.push_back(is_declared(&entry) && known != numbers.end() ? known->second + first : built_in);
    }
    return result;
}

bool reads_any(const Workspace& workspace, const Analysis& analysis, const Texts& texts) {
    for (std::uint32_t i = 0; i < analysis.loaded.sources.size(); ++i)
        if (texts.contains(workspace.uri(analysis, static_cast<FileId>(i)))) return true;
    return false;
}

// Whether all names mean what they did, in every text that is open, once these are the texts.
bool keep_meanings(Workspace& workspace, const Texts& texts) {
    return std::ranges::all_of(workspace.analyses(), [&](const AnalysisPtr& before) {
        if (!reads_any(workspace, *before, texts)) return true;
        const AnalysisPtr after = workspace.analysis_with(before->uri, texts);
        return after->loaded.report.error_count() == before->loaded.report.error_count() &&
               meanings(*after) == meanings(*before);
    });
}

} // namespace

Json definition(const Workspace& workspace, const Analysis& analysis, const Json& params) {
    if (const auto file = named_file(analysis, analysis.offset(params))) {
        const std::string uri = workspace.uri(analysis, *file);
        const Json start = to_json(Position{});
        return uri.empty() ? Json() : Json{{"uri", uri}, {"range", {{"start", start}, {"end", start}}}};
    }
    const auto* const entry = analysis.name_at(params);
    return is_declared(entry) ? workspace.location(analysis, entry->declaration) : Json();
}

Json references(Workspace& workspace, const Analysis& analysis, const Json& params) {
    Json list = Json::array();
    const auto* const entry = analysis.name_at(params);
    if (!is_declared(entry)) return list;
    const Json context = params.value("context", Json::object());
    const bool with_declaration = context.value("includeDeclaration", true);
    const Site declaration = site_of(workspace, analysis, entry->declaration);
    for (const auto& [place, use] : all_uses(workspace, declaration)) {
        if (place == declaration && !with_declaration) continue;
        if (const Json location = workspace.location(*use.first, use.second); !location.is_null())
            list.push_back(location);
    }
    return list;
}

Json highlights(const Analysis& analysis, const Json& params) {
    constexpr int text_kind = 1, read_kind = 2, write_kind = 3;
    Json list = Json::array();
    const auto* const entry = analysis.name_at(params);
    if (entry == nullptr) return list;
    const Lines lines = analysis.lines();
    if (!is_declared(entry)) {
        list.push_back({{"range", range_json(lines, entry->name.begin, entry->name.end)}, {"kind", text_kind}});
        return list;
    }
    for (const auto& use : analysis.names.uses_of(entry->declaration))
        if (use.name.file == own_file)
            list.push_back({{"range", range_json(lines, use.name.begin, use.name.end)},
                            {"kind", use.name == use.declaration ? write_kind : read_kind}});
    return list;
}

Answer prepare_rename(const Workspace& workspace, const Analysis& analysis, const Json& params) {
    const auto* const entry = analysis.name_at(params);
    if (entry == nullptr) return Json();
    const std::string name = analysis.text().substr(entry->name.begin, entry->name.end - entry->name.begin);
    if (!is_declared(entry) || is_vocabulary(analysis, entry->declaration) ||
        workspace.uri(analysis, entry->declaration.file).empty())
        return refuse(ErrorCode::RequestFailed, "`" + name + "` belongs to the language, and keeps its name");
    return Json{{"range", range_json(analysis.lines(), entry->name.begin, entry->name.end)}, {"placeholder", name}};
}

Answer rename(Workspace& workspace, const Analysis& analysis, const Json& params) {
    const auto& name = params.at("newName").get_ref<const std::string&>();
    const Answer prepared = prepare_rename(workspace, analysis, params);
    if (!prepared || prepared->is_null()) return prepared;
    if (!is_valid_name(name)) return refuse(ErrorCode::InvalidParams, "`" + name + "` is no name");
    const auto* const entry = analysis.name_at(params);
    const Uses uses = all_uses(workspace, site_of(workspace, analysis, entry->declaration));
    const bool by_vocabulary =
        std::ranges::any_of(uses, [](const auto& use) { return is_vocabulary(*use.second.first, use.second.second); });
    if (by_vocabulary)
        return refuse(ErrorCode::RequestFailed, "the standard vocabulary, which is in use here, counts on this name");
    if (!keep_meanings(workspace, renamed_texts(uses, name)))
        return refuse(ErrorCode::RequestFailed,
                      "with `" + name + "` the rules would be wrong or mean something else: the name is in use");
    Json changes = Json::object();
    for (const auto& [place, use] : uses) {
        const Lines lines(use.first->loaded.sources.text(use.second.file));
        changes[place.uri].push_back(
            {{"range", range_json(lines, use.second.begin, use.second.end)}, {"newText", name}});
    }
    return Json{{"changes", changes}};
}

} // namespace zug::lsp
