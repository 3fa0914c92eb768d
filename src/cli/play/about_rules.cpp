#include "cli/play/about_rules.hpp"

#include "base/printable.hpp"
#include "grammar/parse.hpp"
#include "lsp/analysis/outline.hpp"
#include "protocols/session/end_clause.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>

namespace zug::cli {

namespace {

// The lines of a text before its first declaration, without their marks.
std::string leading_comment(const std::string& text) {
    std::string comment, line;
    for (std::istringstream in(text); std::getline(in, line);) {
        if (!line.starts_with('#')) break;
        comment += line.substr(line.starts_with("# ") ? 2 : 1) + '\n';
    }
    return comment;
}

// `state quiet: 0..quiet_limit   plies without capture or pawn move`: a line for each declaration with a comment.
std::string declarations_text(const diag::Sources& sources) {
    diag::Report repeated; // of what loading has told
    const std::string& text = sources.text(lsp::own_file);
    std::string out;
    for (const lsp::Declared& declared : lsp::outline(syntax::parse(sources, lsp::own_file, repeated), text)) {
        const bool is_rule = declared.kind != syntax::Kind::Game && declared.kind != syntax::Kind::Eval &&
                             declared.kind != syntax::Kind::Test;
        std::istringstream comment(is_rule ? lsp::comment_of(text, declared.span) : "");
        std::string line;
        for (std::string label = declared.name; std::getline(comment, line); label.clear())
            out += fmt::format("  {:12} {}\n", label, line);
    }
    return out;
}

std::string name_of(const diag::Sources& sources, FileId file) {
    return std::filesystem::path(sources.name(file)).filename().string();
}

std::string squeezed(std::string_view text) {
    std::istringstream in{std::string(text)};
    std::string out, word;
    while (in >> word) out += (out.empty() ? "" : " ") + word;
    return out;
}

} // namespace

std::string rules_text(const ir::Program& program, const diag::Sources& sources) {
    std::string out = leading_comment(sources.text(lsp::own_file));
    for (std::uint32_t i = 1; i < sources.size(); ++i) {
        const auto file = static_cast<FileId>(i);
        const std::string name = name_of(sources, file);
        if (std::ranges::any_of(program.extends, [&](const std::string& base) { return base == name; }))
            out += fmt::format("\nIt extends {}:\n{}", name, leading_comment(sources.text(file)));
    }
    if (out.empty()) out = "The file says nothing about its rules in words.\n";
    if (const std::string declared = declarations_text(sources); !declared.empty()) out += "\n" + declared;
    if (!program.params.empty()) {
        out += "\nParameters:";
        for (const ir::Param& param : program.params) out += fmt::format(" {} = {}", param.name, param.value);
        out += "\n";
    }
    return out;
}

std::string end_words(game::Game& game, const game::State& state, const diag::Sources& sources) {
    constexpr std::size_t most = 120; // bytes
    const auto span = protocols::end_clause(game, state);
    if (!span) return "";
    const std::string& text = sources.text(span->file);
    const std::string clause = squeezed(std::string_view(text).substr(span->begin, span->end - span->begin));
    return fmt::format("by the rule `{}` ({}:{})", shortened(clause, most), name_of(sources, span->file),
                       diag::location(text, span->begin).line);
}

} // namespace zug::cli
