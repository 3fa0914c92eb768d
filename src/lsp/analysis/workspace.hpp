#pragma once
// The texts that are open in the editor, and what is known of them. A text is checked when somebody asks about it for
// the first time after a change of it or of a file that it extends or imports.

#include "lsp/analysis/analysis.hpp"

#include <map>
#include <string>
#include <vector>

namespace zug::lsp {

using Texts = std::map<std::string, std::string>; // by URI

class Workspace {
public:
    // `folders`: where files that others extend are looked for besides the folder of the text itself; the last is that
    // of the rules that come with Zug, with the standard vocabulary.
    explicit Workspace(lang::Folders folders);
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    void open(Document document);
    void close(const std::string& uri);
    Document* find(const std::string& uri); // null: it is not open
    // A text has changed, or a file on disk.
    void changed(const std::string& path);
    void all_changed();

    AnalysisPtr analysis(const std::string& uri); // null: it is not open
    // Whether neither the text of an analysis nor those that it read have changed since.
    bool is_current(const AnalysisPtr& analysis) const;
    // What would be known of an open text if these were the texts, by their URIs. Null: it is not open.
    AnalysisPtr analysis_with(const std::string& uri, const Texts& texts, std::optional<Span> asked = {}) const;
    std::vector<AnalysisPtr> analyses(); // of all that is open
    // The texts whose diagnostics have to be told anew: those that have changed since the last call.
    std::vector<std::string> take_changed();

    // Where a part of a load is to the editor: `{uri, range}`. Null for what is in no file.
    Json location(const Analysis& of, Span span) const;
    // The same for the URI alone; empty for what is in no file.
    std::string uri(const Analysis& of, FileId file) const;
    const lang::Folders& folders() const { return surroundings_.folders; }

private:
    struct Open {
        Document document;
        AnalysisPtr analysis; // null: to be made
    };

    std::map<std::string, Open> open_; // by URI
    std::vector<std::string> changed_;
    Surroundings surroundings_;
};

} // namespace zug::lsp
