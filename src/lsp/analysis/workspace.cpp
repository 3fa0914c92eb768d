#include "lsp/analysis/workspace.hpp"

#include "lsp/text/uri.hpp"

#include <algorithm>
#include <filesystem>

namespace zug::lsp {

namespace {

namespace fs = std::filesystem;

std::string identity(const std::string& path) {
    std::error_code error;
    const fs::path found = fs::weakly_canonical(path, error);
    return error ? path : found.string();
}

} // namespace

Workspace::Workspace(lang::Folders folders) {
    surroundings_.folders = std::move(folders);
    surroundings_.open_text = [this](const std::string& path) -> std::optional<std::string> {
        const std::string wanted = identity(path);
        for (const auto& [uri, open] : open_)
            if (identity(open.document.path) == wanted) return open.document.text;
        return std::nullopt;
    };
}

void Workspace::open(Document document) {
    const std::string path = document.path, uri = document.uri;
    open_[uri] = {.document = std::move(document), .analysis = nullptr};
    changed(path);
}

void Workspace::close(const std::string& uri) {
    const auto found = open_.find(uri);
    if (found == open_.end()) return;
    const std::string path = found->second.document.path;
    open_.erase(found);
    std::erase(changed_, uri);
    changed(path);
}

Document* Workspace::find(const std::string& uri) {
    const auto found = open_.find(uri);
    return found == open_.end() ? nullptr : &found->second.document;
}

void Workspace::changed(const std::string& path) {
    const std::string wanted = identity(path);
    for (auto& [uri, open] : open_) {
        bool uses = open.analysis == nullptr || identity(open.document.path) == wanted;
        // A file that could not be found may be there now.
        uses = uses || open.analysis->loaded.report.has_errors();
        for (std::size_t i = 1; !uses && i < open.analysis->loaded.sources.size(); ++i)
            uses = identity(open.analysis->loaded.sources.name(static_cast<FileId>(i))) == wanted;
        if (!uses) continue;
        open.analysis.reset();
        if (std::ranges::find(changed_, uri) == changed_.end()) changed_.push_back(uri);
    }
}

void Workspace::all_changed() {
    changed_.clear();
    for (auto& [uri, open] : open_) {
        open.analysis.reset();
        changed_.push_back(uri);
    }
}

AnalysisPtr Workspace::analysis(const std::string& uri) {
    const auto found = open_.find(uri);
    if (found == open_.end()) return nullptr;
    auto& [document, analysis] = found->second;
    if (!analysis) analysis = analyse(document, surroundings_);
    return analysis;
}

AnalysisPtr Workspace::analysis_with(const Document& document, std::string text, std::optional<Span> asked) const {
    Document other = document;
    other.text = std::move(text);
    return analyse(other, surroundings_, asked);
}

std::vector<AnalysisPtr> Workspace::analyses() {
    std::vector<AnalysisPtr> result;
    for (const auto& [uri, open] : open_) result.push_back(analysis(uri));
    return result;
}

std::vector<std::string> Workspace::take_changed() { return std::exchange(changed_, {}); }

std::string Workspace::uri(const Analysis& of, FileId file) const {
    if (file == own_file) return of.uri;
    const std::string& name = of.loaded.sources.name(file);
    std::error_code error;
    if (fs::exists(name, error)) {
        const std::string wanted = identity(name);
        for (const auto& [uri, open] : open_)
            if (identity(open.document.path) == wanted) return uri; // spelt as the editor does
        return uri_of(name);
    }
    const fs::path standard = surroundings_.folders.empty() ? "" : fs::path(surroundings_.folders.back()) / name;
    return fs::exists(standard, error) ? uri_of(standard.string()) : "";
}

Json Workspace::location(const Analysis& of, Span span) const {
    const std::string where = uri(of, span.file);
    if (where.empty()) return nullptr;
    const Lines lines(of.loaded.sources.text(span.file));
    return {{"uri", where}, {"range", range_json(lines, span.begin, span.end)}};
}

} // namespace zug::lsp
