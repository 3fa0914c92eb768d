#include "lsp/analysis/outline.hpp"

#include "base/text.hpp"
#include "grammar/parse.hpp"

#include <algorithm>

namespace zug::lsp {

namespace {

using syntax::Kind;
using syntax::NodeId;

// The name of a declaration within it: an empty span at its beginning if it has none.
Span name_in(const std::string& text, Span part, const std::string& name) {
    const std::size_t found = find_word(std::string_view(text).substr(0, part.end), name, part.begin);
    if (found == text.npos) return {part.file, part.begin, part.begin};
    const auto at = static_cast<std::uint32_t>(found);
    return {part.file, at, at + static_cast<std::uint32_t>(name.size())};
}

bool is_listed(Kind kind) {
    static constexpr Kind listed[] = {Kind::Game,  Kind::Param,  Kind::TypeAlias, Kind::TypeEnum, Kind::Players,
                                      Kind::Board, Kind::State,  Kind::Local,     Kind::Def,      Kind::PathDef,
                                      Kind::Move,  Kind::Chance, Kind::EffectDef, Kind::MoveAlso, Kind::ChanceAlso,
                                      Kind::Phase, Kind::Turn,   Kind::End,       Kind::Eval,     Kind::Test};
    return std::ranges::find(listed, kind) != std::end(listed);
}

// Those that have no name of their own are called by their keyword.
std::string title_of(Kind kind, const std::string& text) {
    switch (kind) {
    case Kind::Players: return "players";
    case Kind::Turn: return "turn";
    case Kind::End: return "end";
    case Kind::Eval: return "eval"; // whose text is the name of its player
    default: return text;
    }
}

Declared declared(const syntax::Tree& tree, NodeId id, const std::string& text) {
    const auto& node = tree[id];
    Declared made{.name = title_of(node.kind, node.text), .kind = node.kind, .span = node.span};
    made.name_span = name_in(text, node.span, made.name);
    const bool holds = node.kind == Kind::Phase || node.kind == Kind::TypeEnum || node.kind == Kind::Players ||
                       node.kind == Kind::Board;
    if (!holds) return made;
    for (const NodeId child : tree.children(id)) {
        if (!valid(child)) continue;
        const Kind kind = tree[child].kind;
        const bool rule = node.kind == Kind::Phase && is_listed(kind);
        const bool named = node.kind != Kind::Board && node.kind != Kind::Phase && kind == Kind::Name;
        if (rule || named || kind == Kind::Group) made.inner.push_back(declared(tree, child, text));
    }
    return made;
}

std::string without_comment(std::string line) {
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) quoted = !quoted;
        if (line[i] == '#' && !quoted) line.resize(i);
    }
    line.resize(line.find_last_not_of(blanks) + 1);
    return line;
}

std::string comment_in(const std::string& line) {
    std::string_view rest = std::string_view(line).substr(without_comment(line).size());
    rest.remove_prefix(std::min(rest.find_first_not_of("# \t"), rest.size()));
    return std::string(trimmed(rest));
}

std::string_view line_at(const std::string& text, std::size_t begin) {
    return std::string_view(text).substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

// Nobody reads more of a line that is only to be shown.
std::string shortened(std::string_view line) {
    constexpr std::size_t most = 200; // bytes
    if (line.size() <= most) return std::string(line);
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end; // within a character
    return std::string(line.substr(0, end)) + " ...";
}

std::size_t line_begin(const std::string& text, std::size_t at) {
    const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    return before == std::string::npos ? 0 : before + 1;
}

} // namespace

std::vector<Declared> outline(const syntax::Tree& tree, const std::string& text) {
    std::vector<Declared> result;
    if (!valid(tree.root)) return result;
    for (const NodeId child : tree.children(tree.root))
        if (valid(child) && is_listed(tree[child].kind)) result.push_back(declared(tree, child, text));
    return result;
}

std::vector<Declared> all_declared(const Analysis& analysis) {
    std::vector<Declared> result;
    const auto add = [&](const auto& self, const std::vector<Declared>& some) -> void {
        for (const Declared& one : some) {
            result.push_back(one);
            self(self, one.inner);
        }
    };
    const diag::Sources& sources = analysis.loaded.sources;
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
        const auto file = static_cast<FileId>(i);
        if (file == own_file) {
            add(add, outline(analysis.tree, analysis.text()));
            continue;
        }
        diag::Report repeated;
        add(add, outline(syntax::parse(sources, file, repeated), sources.text(file)));
    }
    return result;
}

const Declared* declared_at(const std::vector<Declared>& all, Span name) {
    const auto found = std::ranges::find_if(
        all, [&](const Declared& one) { return one.name_span.file == name.file && one.name_span.begin == name.begin; });
    return found == all.end() ? nullptr : &*found;
}

std::string source_of(const std::string& text, Span span, std::size_t lines) {
    std::string result;
    std::size_t at = line_begin(text, span.begin);
    for (; lines > 0 && at < span.end; --lines) {
        const std::string_view line = line_at(text, at);
        if (const std::string code = without_comment(shortened(line)); !code.empty()) result += code + "\n";
        at += line.size() + 1;
    }
    if (at < span.end) result += "  ...\n";
    return result;
}

std::string comment_of(const std::string& text, Span span) {
    std::vector<std::string> lines;
    const std::size_t first = line_begin(text, span.begin);
    for (std::size_t at = first; at > 0;) {
        at = line_begin(text, at - 1);
        const std::string line = shortened(line_at(text, at));
        if (!without_comment(line).empty() || line.find('#') == std::string::npos || lines.size() > 20) break;
        lines.insert(lines.begin(), comment_in(line));
    }
    if (const std::string behind = comment_in(shortened(line_at(text, first))); !behind.empty())
        lines.push_back(behind);
    std::string result;
    for (const std::string& line : lines) result += line + "\n";
    return result;
}

} // namespace zug::lsp
