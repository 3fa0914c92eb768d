#include "lsp/features/features.hpp"

#include <algorithm>

namespace zug::lsp {

namespace {

constexpr int error_severity = 1, warning_severity = 2;

// Where a file names the one that it extends or imports; else its first line.
Span naming_place(const Analysis& analysis) {
    const syntax::Tree& tree = analysis.tree;
    if (valid(tree.root))
        for (const auto child : tree.children(tree.root))
            if (valid(child) && (tree[child].kind == syntax::Kind::Extends || tree[child].kind == syntax::Kind::Import))
                return tree[child].span;
    return {own_file, 0, 0};
}

Json diagnostic_json(const Workspace& workspace, const Analysis& analysis, const diag::Diagnostic& item) {
    const auto& info = diag::info(item.message);
    const bool own = item.span.file == own_file;
    const Span at = own ? item.span : naming_place(analysis);
    std::string text = item.text;
    if (!own) text = analysis.loaded.sources.name(item.span.file) + ": " + text;
    if (!item.fix.empty()) text += "\n" + item.fix;
    Json json = {{"range", range_json(analysis.lines(), at.begin, at.end)},
                 {"severity", info.severity == diag::Severity::Error ? error_severity : warning_severity},
                 {"code", info.slug},
                 {"source", "zug"},
                 {"message", text}};
    if (item.message == diag::Message::UnusedName) json["tags"] = {1}; // unnecessary
    const Json elsewhere = own ? Json() : workspace.location(analysis, item.span);
    if (!elsewhere.is_null()) json["relatedInformation"] = {{{"location", elsewhere}, {"message", item.text}}};
    return json;
}

// What a fix says to write in place of the span: the text in `did you mean ...?`.
std::string replacement(const diag::Diagnostic& item, std::string_view there) {
    constexpr std::string_view question = "did you mean `";
    if (item.fix.starts_with(question) && item.fix.ends_with("`?"))
        return item.fix.substr(question.size(), item.fix.size() - question.size() - 2);
    if (item.message == diag::Message::UnusedName) return "_" + std::string(there);
    return {};
}

bool overlaps(const diag::Diagnostic& item, std::size_t begin, std::size_t end) {
    return item.span.file == own_file && item.span.begin <= end && begin <= item.span.end;
}

} // namespace

Json diagnostics(const Workspace& workspace, const Analysis& analysis) {
    Json list = Json::array();
    for (const auto& item : analysis.loaded.report.sorted()) list.push_back(diagnostic_json(workspace, analysis, item));
    return list;
}

Json code_actions(const Analysis& analysis, const Json& params) {
    const Lines lines = analysis.lines();
    const Json& range = params.at("range");
    const std::size_t begin = lines.offset(position_of(range.at("start")));
    const std::size_t end = lines.offset(position_of(range.at("end")));
    Json list = Json::array();
    for (const auto& item : analysis.loaded.report.sorted()) {
        if (!overlaps(item, begin, end)) continue;
        Span at = item.span;
        const syntax::Token* const token = analysis.token_at(at.begin + 1);
        if (token != nullptr && token->begin == at.begin) at.end = std::min(at.end, token->end);
        const std::string_view there = std::string_view(analysis.text()).substr(at.begin, at.end - at.begin);
        const std::string text = replacement(item, there);
        // Only locals may be unused on purpose.
        const auto* const name = analysis.names.find(own_file, at.begin);
        if (item.message == diag::Message::UnusedName && (name == nullptr || !name->local)) continue;
        if (text.empty() || there.empty()) continue;
        const Json edit = {{"range", range_json(lines, at.begin, at.end)}, {"newText", text}};
        list.push_back({{"title", "Replace `" + std::string(there) + "` by `" + text + "`"},
                        {"kind", "quickfix"},
                        {"edit", {{"changes", {{analysis.uri, {edit}}}}}}});
    }
    return list;
}

} // namespace zug::lsp
