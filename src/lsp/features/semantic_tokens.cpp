#include "lsp/analysis/outline.hpp"
#include "lsp/features/features.hpp"
#include "lsp/features/kinds.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace zug::lsp {

namespace {

// Those of kinds.hpp.
constexpr std::array token_types = {"namespace", "type",     "class",    "enum",   "enumMember", "parameter",
                                    "variable",  "property", "function", "method", "event"};

std::size_t type_number(std::string_view name) {
    const auto found = std::ranges::find(token_types, name);
    return static_cast<std::size_t>(found - token_types.begin());
}

} // namespace

Json semantic_legend() { return {{"tokenTypes", token_types}, {"tokenModifiers", {"declaration", "defaultLibrary"}}}; }

// Names only: what else a text has, the grammars of editors colour at once.
Json semantic_tokens(const Analysis& analysis) {
    constexpr int declaration = 1, library = 2;
    std::map<std::pair<FileId, std::uint32_t>, std::string_view> kinds;
    for (const Declared& one : all_declared(analysis))
        kinds.emplace(std::pair(one.name_span.file, one.name_span.begin), numbers_of(one.kind).token);
    const Lines lines = analysis.lines();
    Json data = Json::array();
    Position before;
    for (const auto& entry : analysis.names.in({own_file, 0, static_cast<std::uint32_t>(analysis.text().size())})) {
        const auto known = kinds.find({entry.declaration.file, entry.declaration.begin});
        const bool declared = entry.declaration.begin != entry.declaration.end;
        std::string_view type = "variable";
        if (declared && entry.declaration.file == own_file && known == kinds.end()) type = "parameter";
        if (declared && known != kinds.end()) type = known->second;
        int modifiers = entry.name == entry.declaration ? declaration : 0;
        if (!declared || (entry.declaration.file != own_file && known == kinds.end())) modifiers |= library;
        const Position at = lines.position(entry.name.begin);
        const Position end = lines.position(entry.name.end);
        if (end.line != at.line) continue;
        data.push_back(at.line - before.line);
        data.push_back(at.line == before.line ? at.character - before.character : at.character);
        data.push_back(end.character - at.character);
        data.push_back(type_number(type));
        data.push_back(modifiers);
        before = at;
    }
    return {{"data", data}};
}

} // namespace zug::lsp
