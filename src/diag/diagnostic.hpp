#pragma once
// Diagnostics: what is wrong with a rule file, where, and how to fix it.
//
// Each message is a row of diagnostics.def: an id, a severity, a slug and a text with {0}, {1}, ... for its arguments.
// A Report collects them in any order; sorted() returns them by file and location, without duplicates. Of an unknown
// name it returns the first use, since declaring the name mends all. A report holds
// at most `limit` errors and as many warnings, so a hostile file can't make it grow without bound; add() tells its
// caller when a diagnostic has been dropped, so that it can stop looking for more.

#include "diag/span.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zug::diag {

enum class Severity : std::uint8_t { Error, Warning };

enum class Message : std::uint16_t {
#define DIAG(name, severity, slug, text) name,
#include "diag/diagnostics.def"
#undef DIAG
};

struct MessageInfo {
    Severity severity;
    std::string_view slug; // shown in brackets after the text, and used by tests: `unknown-name`
    std::string_view text; // fmt pattern with {0}, {1}, ...
};
const MessageInfo& info(Message message);
std::size_t message_count();

struct Diagnostic {
    Message message;
    Span span;
    std::string text;       // the pattern with its arguments filled in
    std::string fix;        // a likely fix as a sentence or phrase, or empty: "did you mean `stones`?"
    std::string cause = {}; // of those that go away together, the first is enough; empty: it stands for itself
};

// The texts of the files of one load. Offsets of a Span count bytes in text(file).
class Sources {
public:
    FileId add(std::string name, std::string text);
    const std::string& name(FileId file) const;
    const std::string& text(FileId file) const;
    std::size_t size() const { return files_.size(); }

private:
    struct File {
        std::string name;
        std::string text;
    };
    std::vector<File> files_;
};

class Report {
public:
    // Adds a diagnostic. `arguments` fill {0}, {1}, ... of the text of the message. False: it was dropped, because
    // there are `limit` of its severity already.
    bool add(Message message, Span span, const std::vector<std::string>& arguments = {}, std::string fix = {});
    bool has_errors() const { return errors_ > 0; }
    std::size_t error_count() const { return errors_; }
    bool has_more() const { return has_more_; } // some diagnostics were dropped
    std::vector<Diagnostic> sorted() const;

    static constexpr std::size_t limit = 100;

private:
    std::vector<Diagnostic> items_;
    std::size_t errors_ = 0;
    std::size_t warnings_ = 0;
    bool has_more_ = false;
};

// Line and column, counted from 1; a column is a character, whatever its width on the screen.
struct Location {
    std::size_t line = 1;
    std::size_t column = 1;
};
// Of a byte offset; offsets beyond the end of the text count as its end. Linear in the offset.
Location location(const std::string& text, std::size_t offset);

// One diagnostic as text: `file:line:column: error: text [slug]`, the source line, a caret range, the fix. Lines longer
// than a terminal are truncated around the range; tabs and invalid bytes are replaced so that the carets line up. Of a
// range of several lines the first is shown.
std::string render(const Sources& sources, const Diagnostic& diagnostic);
// Its parts, for spans without a diagnostic: `file:line:column`, and the two lines with the carets.
std::string where(const Sources& sources, const Span& span);
std::string excerpt(const Sources& sources, const Span& span);
std::string render(const Sources& sources, const Report& report);

} // namespace zug::diag
