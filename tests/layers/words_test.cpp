// Standard terms instead of home-made ones: words.tsv lists those that must not come back.

#include "sources.hpp"
#include "tokens.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::vector<std::string> split(const std::string& text, char mark) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, mark);) parts.push_back(part);
    return parts;
}

struct Rule {
    std::string kind, term, instead;
    std::vector<std::vector<std::string>> words; // of the term, one after the other: each in any of these forms
    std::vector<std::string> folders, except;    // paths from the top of the clone, also of files

    bool applies_to(const std::string& path) const {
        const auto is_below = [&](const std::string& folder) { return path.starts_with(folder); };
        return (folders.empty() || std::ranges::any_of(folders, is_below)) && std::ranges::none_of(except, is_below);
    }
};

// The rows of words.tsv.
std::vector<Rule> rules() {
    std::vector<Rule> found;
    std::ifstream file(root / "tests/layers/words.tsv");
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        const auto cells = split(line, '\t');
        REQUIRE_MESSAGE(cells.size() == 5, line);
        Rule rule{.kind = cells[0], .term = cells[1], .instead = cells[2], .words = {}, .folders = {}, .except = {}};
        CHECK_MESSAGE((rule.kind == "words" || rule.kind == "name"), line);
        for (const auto& word : split(rule.term, ' ')) rule.words.push_back(split(word, '/'));
        if (cells[3] != "-") rule.folders = split(cells[3], ' ');
        if (cells[4] != "-") rule.except = split(cells[4], ' ');
        found.push_back(std::move(rule));
    }
    return found;
}

struct Word {
    std::string text; // in lower case; empty: a mark that no term goes across
    int line = 0;
};

// The words of prose and of identifiers, whose parts are words of their own: 'PutOff', 'put_off' and 'put off' are the
// same two. A term goes on across the end of a line and the `//` of the next.
std::vector<Word> words_of(const std::string& text) {
    std::vector<Word> words;
    int line = 1;
    char last = ' ';
    for (const char c : text) {
        const auto letter = static_cast<unsigned char>(c);
        if (std::isalpha(letter) != 0) {
            const bool is_hump = std::isupper(letter) != 0 && std::islower(static_cast<unsigned char>(last)) != 0;
            if (is_hump || std::isalpha(static_cast<unsigned char>(last)) == 0) words.push_back({"", line});
            words.back().text += static_cast<char>(std::tolower(letter));
        } else if (std::isspace(letter) == 0 && c != '_' && c != '/') {
            words.push_back({"", line});
        }
        if (c == '\n') ++line;
        last = c;
    }
    return words;
}

bool matches(const Rule& rule, const std::vector<Word>& words, std::size_t at) {
    if (words.size() - at < rule.words.size()) return false;
    for (std::size_t i = 0; i < rule.words.size(); ++i)
        if (std::ranges::find(rule.words[i], words[at + i].text) == rule.words[i].end()) return false;
    return true;
}

// "path:line: term" for each use of a rule's term.
std::vector<std::string> uses(const std::vector<Rule>& rules, const std::string& path, const std::string& text) {
    std::vector<std::string> found;
    const auto note = [&](const Rule& rule, int line) {
        found.push_back(path + ":" + std::to_string(line) + ": '" + rule.term + "', say " + rule.instead);
    };
    const auto words = words_of(text);
    const auto tokens = path.ends_with(".md") ? std::vector<zug::test::Token>() : zug::test::tokens_of(text);
    for (const auto& rule : rules) {
        if (!rule.applies_to(path)) continue;
        if (rule.kind == "words")
            for (std::size_t at = 0; at < words.size(); ++at)
                if (matches(rule, words, at)) note(rule, words[at].line);
        if (rule.kind == "name")
            for (const auto& token : tokens)
                if (token.text == rule.term) note(rule, token.line);
    }
    return found;
}

std::vector<fs::path> texts() {
    std::vector<fs::path> found = {root / "README.md"};
    for (const auto* top : {"src", "grammar", "tests"})
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string extension = entry.path().extension().string();
            const bool is_text = extension == ".md" || extension == ".txt" || extension == ".cmake";
            if (is_text || extension == ".cpp" || extension == ".hpp" || extension == ".def")
                found.push_back(entry.path());
        }
    return found;
}

} // namespace

TEST_CASE("home-made words do not come back") {
    const auto all = rules();
    REQUIRE(all.size() > 10);
    for (const auto& path : texts())
        for (const auto& use : uses(all, fs::relative(path, root).string(), read(path))) CHECK_MESSAGE(false, use);
}

TEST_CASE("a term is found in names and in prose") {
    const std::vector<Rule> some = {{"words", "put off/aside", "sink", {{"put"}, {"off", "aside"}}, {}, {"b.cpp"}},
                                    {"name", "later", "successor tiers", {{"later"}}, {"src"}, {}}};
    const auto count = [&](const std::string& path, const std::string& text) { return uses(some, path, text).size(); };
    CHECK(count("a.cpp", "PutOff put_off put_aside; // Put\n  // off") == 4);
    CHECK(count("a.cpp", "output off, put. Off, putoff, put offer") == 0);
    CHECK(count("b.cpp", "put_off") == 0);
    CHECK(count("src/a.cpp", "int later = 1; // later\nlater_ = '1';") == 1);
    CHECK(count("a.cpp", "later") == 0);
}
