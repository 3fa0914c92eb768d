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

// Rows of the sections about what there is, not of those about how to say something.
Table read_tables() {
    Table table;
    std::string_view rest = reference_text();
    bool wanted = false;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        if (line.starts_with("## "))
            wanted = line == "## What is built in" || line == "## Types" || line == "## Declarations";
        if (line.starts_with("### "))
            wanted = line == "### The standard vocabulary" || line == "### Paths" || line == "### Boards";
        if (!wanted || !line.starts_with("| ")) continue;
        const auto row = cells(line);
        if (row.size() < 2) continue;
        for (const std::string& name : names_in(row[0])) table.emplace(name, row[0] + ":" + row[1]);
    }
    return table;
}

// Sites, directions and types, such as a1, N and T, stand for all of their kind: not every board has these.
bool is_example(const std::string& name) {
    return (name[0] >= 'A' && name[0] <= 'Z') || name.find_first_of("0123456789") != name.npos;
}

const Table& tables() {
    static const Table table = read_tables();
    return table;
}

} // namespace

std::string documentation(const std::string& word) {
    for (const Word& keyword : keywords)
        if (keyword.word == word) return "`" + word + "`: " + std::string(keyword.meaning);
    const auto found = tables().find(word);
    return found == tables().end() ? "" : found->second;
}

std::vector<std::string> documented_names() {
    std::vector<std::string> result;
    for (const auto& [name, text] : tables())
        if (syntax::keyword(name) == syntax::Tok::Name && !is_example(name)) result.push_back(name);
    return result;
}

} // namespace zug::lsp
