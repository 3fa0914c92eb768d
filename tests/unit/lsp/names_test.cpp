// Where the games' names are used, as the checker notes it: whatever a file declares can have another name, and the
// file then means the same. ZUG_EDITS set to anything tries all files. Those that extend others are left out, since
// they declare anew what is declared there; and members of types, since the first letters of those may be their glyphs.

#include "../../library.hpp"
#include "client.hpp"
#include "lsp/analysis/outline.hpp"
#include "lsp/features/features.hpp"
#include "lsp/text/uri.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

using zug::Span;
using zug::lsp::own_file;

namespace {

std::string text_in(const zug::diag::Sources& sources, Span span) {
    return sources.text(span.file).substr(span.begin, span.end - span.begin);
}

void check_names(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    zug::lsp::Workspace workspace({zug::test::library_folder});
    const std::string uri = zug::lsp::uri_of(file.string());
    workspace.open({.uri = uri, .path = file.string(), .text = text.str()});
    const auto analysis = workspace.analysis(uri);
    const auto& sources = analysis->loaded.sources;
    const auto declarations = zug::lsp::all_declared(*analysis);
    const zug::lsp::Lines lines = analysis->lines();
    for (const auto& entry : analysis->names.all()) {
        const std::string name = text_in(sources, entry.name);
        const bool declared = entry.declaration.begin != entry.declaration.end;
        CHECK_MESSAGE((!declared || text_in(sources, entry.declaration) == name),
                      zug::diag::where(sources, entry.name));
        const auto* const declaration = zug::lsp::declared_at(declarations, entry.declaration);
        const bool member = declaration != nullptr && declaration->kind == zug::syntax::Kind::Name;
        if (entry.name != entry.declaration || entry.name.file != own_file || name == "_" || member ||
            sources.size() > 2) // itself and the vocabulary
            continue;
        const auto renamed = zug::lsp::rename(
            workspace, *analysis,
            {{"position", zug::lsp::to_json(lines.position(entry.name.begin))}, {"newName", name + "_other"}});
        const bool allowed = renamed || renamed.error().message.find("vocabulary") != std::string::npos;
        CHECK_MESSAGE(allowed, zug::diag::where(sources, entry.name));
    }
}

} // namespace

TEST_CASE("whatever a game declares can have another name") {
    for (const auto& file : zug::test::sample(zug::test::library(), 4)) {
        CAPTURE(file.filename().string());
        check_names(file);
    }
}
