// The text as a whole: symbols, folding, formatting.

#include "grammar/format/format.hpp"
#include "grammar/parse.hpp"
#include "lsp/analysis/outline.hpp"
#include "lsp/features/features.hpp"
#include "lsp/features/kinds.hpp"

#include <algorithm>

namespace zug::lsp {

namespace {

Json symbol(const Lines& lines, const Declared& one) {
    const bool inside = one.name_span.begin >= one.span.begin && one.name_span.end <= one.span.end;
    const Span name = inside ? one.name_span : Span{one.span.file, one.span.begin, one.span.begin};
    Json json = {{"name", one.name.empty() ? std::string(syntax::kind_name(one.kind)) : one.name},
                 {"kind", numbers_of(one.kind).symbol},
                 {"range", range_json(lines, one.span.begin, one.span.end)},
                 {"selectionRange", range_json(lines, name.begin, name.end)}};
    for (const Declared& inner : one.inner) json["children"].push_back(symbol(lines, inner));
    return json;
}

void add_fold(Json& list, std::uint32_t first, std::uint32_t last, const char* kind) {
    if (last <= first) return;
    Json json = {{"startLine", first}, {"endLine", last}};
    if (kind != nullptr) json["kind"] = kind;
    list.push_back(std::move(json));
}

} // namespace

Json document_symbols(const Analysis& analysis) {
    const Lines lines = analysis.lines();
    Json list = Json::array();
    for (const Declared& one : outline(analysis.tree, analysis.text())) list.push_back(symbol(lines, one));
    return list;
}

Json folding_ranges(const Analysis& analysis) {
    const Lines lines = analysis.lines();
    Json list = Json::array();
    const auto line = [&](std::size_t offset) { return lines.position(offset).line; };
    const syntax::Tree& tree = analysis.tree;
    if (valid(tree.root))
        for (const auto child : tree.children(tree.root))
            if (valid(child)) add_fold(list, line(tree[child].span.begin), line(tree[child].span.end), nullptr);
    std::optional<std::uint32_t> first;
    std::uint32_t last = 0;
    for (const syntax::Comment& comment : analysis.lexed.comments) {
        if (!comment.own_line) continue;
        const std::uint32_t here = line(comment.begin);
        if (first && here != last + 1) {
            add_fold(list, *first, last, "comment");
            first.reset();
        }
        if (!first) first = here;
        last = here;
    }
    if (first) add_fold(list, *first, last, "comment");
    return list;
}

Json formatting(const Analysis& analysis) {
    diag::Sources sources;
    diag::Report report;
    const FileId id = sources.add(analysis.path, analysis.text());
    const syntax::Tree tree = syntax::parse(sources, id, report);
    Json edits = Json::array();
    if (report.has_errors()) return edits;
    const std::string formatted = syntax::format(sources, id, tree);
    const std::string& text = analysis.text();
    if (formatted == text) return edits;
    // Only the lines that differ, so that the editor keeps its place.
    const Lines lines(text);
    auto same = static_cast<std::size_t>(std::ranges::mismatch(text, formatted).in1 - text.begin());
    while (same > 0 && text[same - 1] != '\n') --same;
    std::size_t behind = 0;
    const std::size_t most = std::min(text.size(), formatted.size()) - same;
    while (behind < most && text[text.size() - 1 - behind] == formatted[formatted.size() - 1 - behind]) ++behind;
    while (behind > 0 && text[text.size() - behind - 1] != '\n') --behind;
    edits.push_back({{"range", range_json(lines, same, text.size() - behind)},
                     {"newText", formatted.substr(same, formatted.size() - behind - same)}});
    return edits;
}

} // namespace zug::lsp
