#pragma once
// Where names are declared and used, and of which type they are: filled by the checker while it resolves them, for
// editors, which ask about one place in a text. Each name stands once, by its first byte, however often its definition
// is read; the type is that of the first reading.

#include "diag/span.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace zug::lang {

class NameIndex {
public:
    struct Entry {
        Span name;
        Span declaration;   // of the name; equal to it where it is declared, empty if the language has it built in
        std::string type;   // as messages say it, `a number of 1..6`; empty: it has none, or is wrong
        bool local = false; // of a parameter, binder, `let` or pattern
    };
    struct Visible {
        std::string name, type;
        bool local = false;
    };

    void add_use(Span name, Span declaration);
    void add_local(Span name, std::string type);
    void add_type(Span name, const std::string& type);

    // The entry of the name that a byte is in, or just behind; null: there is none.
    const Entry* find(FileId file, std::uint32_t offset) const;
    // All names that mean this declaration, itself included, in the order of files and bytes.
    std::vector<Entry> uses_of(Span declaration) const;
    std::vector<Entry> in(Span part) const; // all names in a part of a file
    std::vector<Entry> all() const;         // of all files

    // Asks which names can be used where the name of this span stands. Before the check.
    void ask_about(Span name) { asked_ = name; }
    bool is_asked_about(Span name) const { return asked_ == name; }
    void answer(std::vector<Visible> visible) { visible_ = std::move(visible); }
    const std::optional<std::vector<Visible>>& visible() const { return visible_; } // empty: no such name was read

private:
    using Key = std::pair<FileId, std::uint32_t>;
    Entry& entry(Span name);

    std::map<Key, Entry> entries_;
    std::optional<Span> asked_;
    std::optional<std::vector<Visible>> visible_;
};

} // namespace zug::lang
