#include "lsp/features/vocabulary.hpp"

#include "base/text.hpp"
#include "grammar/lexer/token.hpp"

#include <map>

namespace zug::lsp {

namespace {

struct Word {
    std::string_view word, meaning;
};
constexpr Word keywords[] = {
#define WORD(word, meaning) {word, meaning},
#include "lsp/features/words.def"
#undef WORD
};

// The cells of a row of a table in Markdown. A bar with `\` before it belongs to a cell.
std::vector<std::string> cells(std::string_view line) {
    std::vector<std::string> result(1);
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '|' && line[i - 1] != '\\')
            result.emplace_back();
        else if (line[i] != '\\' || i + 1 == line.size() || line[i + 1] != '|')
            result.back() += line[i];
    }
    return result;
}

// The names that stand in backquotes at their beginnings: of `row(k)`, `col(k)` these are row and col.
std::vector<std::string> names_in(std::string_view cell) {
    std::vector<std::string> result;
    bool code = false;
    for (std::size_t i = 0; i < cell.size(); ++i) {
        if (cell[i] != '`') continue;
        code = !code;
        std::size_t end = i + 1;
        while (code && end < cell.size() && is_word_character(cell[end])) ++end;
        if (end > i + 1 && !(cell[i + 1] >= '0' && cell[i + 1] <= '9'))
            result.emplace_back(cell.substr(i + 1, end - i - 1));
    }
    return result;
}

using Table = std::map<std::string, std::string>;

struct Tables {
    Table names;    // that can stand in many places
    Table pictures; // that mean something in `look` only
};

// Rows of the sections about what there is, not of those about how to say something.
Tables read_tables() {
    Tables tables;
    Table* table = &tables.names;
    std::string_view rest = reference_text();
    bool wanted = false;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        if (line.starts_with("## "))
            wanted = line == "## What is built in" || line == "## Types" || line == "## Declarations";
        if (line.starts_with("### ")) {
            table = line == "### Pictures" ? &tables.pictures : &tables.names;
            wanted = line == "### The standard vocabulary" || line == "### Paths" || line == "### Boards" ||
                     line == "### Pictures";
        }
        if (!wanted || !line.starts_with("| ")) continue;
        const auto row = cells(line);
        if (row.size() < 2) continue;
        for (const std::string& name : names_in(row[0])) table->emplace(name, row[0] + ":" + row[1]);
    }
    return tables;
}

// Sites, directions and types, such as a1, N and T, stand for all of their kind: not every board has these.
bool is_example(const std::string& name) {
    return (name[0] >= 'A' && name[0] <= 'Z') || name.find_first_of("0123456789") != name.npos;
}

const Tables& tables() {
    static const Tables all = read_tables();
    return all;
}

std::vector<std::string> names_of(const Table& table) {
    std::vector<std::string> result;
    for (const auto& [name, text] : table)
        if (syntax::keyword(name) == syntax::Tok::Name && !is_example(name)) result.push_back(name);
    return result;
}

} // namespace

std::string documentation(const std::string& word) {
    for (const Word& keyword : keywords)
        if (keyword.word == word) return "`" + word + "`: " + std::string(keyword.meaning);
    for (const Table* const table : {&tables().names, &tables().pictures})
        if (const auto found = table->find(word); found != table->end()) return found->second;
    return "";
}

std::vector<std::string> documented_names() { return names_of(tables().names); }

std::vector<std::string> picture_words() { return names_of(tables().pictures); }

} // namespace zug::lsp
