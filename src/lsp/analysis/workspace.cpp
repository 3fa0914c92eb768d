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

// Whether a file could not be found that may be there now.
bool lacks_file(const Analysis& analysis) {
    return analysis.loaded.report.has_errors() &&
           std::ranges::any_of(analysis.loaded.report.sorted(), [](const diag::Diagnostic& item) {
               return item.message == diag::Message::CannotImport;
           });
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
        uses = uses || lacks_file(*open.analysis);
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

bool Workspace::is_current(const AnalysisPtr& analysis) const {
    const auto found = open_.find(analysis->uri);
    return found != open_.end() && found->second.analysis == analysis;
}

AnalysisPtr Workspace::analysis_with(const std::string& uri, const Texts& texts, std::optional<Span> asked) const {
    const auto found = open_.find(uri);
    if (found == open_.end()) return nullptr;
    Document document = found->second.document;
    if (const auto own = texts.find(uri); own != texts.end()) document.text = own->second;
    Surroundings other = surroundings_;
    other.open_text = [&](const std::string& path) {
        const std::string wanted = identity(path);
        for (const auto& [changed, text] : texts)
            if (identity(path_of(changed)) == wanted) return std::optional(text);
        return surroundings_.open_text(path);
    };
    return analyse(document, other, asked);
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
    const std::string wanted = identity(name);
    for (const auto& [uri, open] : open_)
        if (identity(open.document.path) == wanted) return uri; // spelt as the editor does
    std::error_code error;
    if (fs::exists(name, error)) return uri_of(name);
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
