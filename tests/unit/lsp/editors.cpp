#include "editors.hpp"

#include "grammar/lexer/token.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace zug::test {

namespace {

namespace fs = std::filesystem;
using Ordered = nlohmann::ordered_json;
using Words = std::vector<std::string>;

const Words constants = {"true", "false", "none", "me", "stuck"};
const Words operators = {"and", "or", "not", "implies", "div", "mod", "in", "is"};
const Words types = {"bool", "int", "real", "player", "site", "dir", "set", "map"};

bool is_one_of(const Words& words, const std::string& word) { return std::ranges::find(words, word) != words.end(); }

Words keywords(bool declarations) {
    Words words;
#define TOKEN(name, spelling)
#define KEYWORD(name, spelling)                                                                                        \
    if (syntax::starts_declaration(syntax::Tok::name) == declarations) words.emplace_back(spelling);
#include "grammar/lexer/tokens.def"
#undef TOKEN
#undef KEYWORD
    std::erase_if(words, [](const std::string& word) {
        return is_one_of(constants, word) || is_one_of(operators, word) || is_one_of(types, word);
    });
    return words;
}

// The words that are names elsewhere: what the grammar calls `word("...")`.
Words contextual_words() {
    static const std::regex call(R"re(\bword\("([a-z]+)"\))re");
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(ZUG_SOURCE_DIR "/grammar/rules")) {
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        const std::string source = text.str();
        for (auto at = std::sregex_iterator(source.begin(), source.end(), call); at != std::sregex_iterator(); ++at)
            found.insert((*at)[1]);
    }
    return {found.begin(), found.end()};
}

// The marks of tokens.def, the longest first.
Words marks() {
    Words found;
#define TOKEN(name, spelling) found.emplace_back(spelling);
#define KEYWORD(name, spelling)
#include "grammar/lexer/tokens.def"
#undef TOKEN
#undef KEYWORD
    std::erase_if(found, [](const std::string& spelling) { return spelling.find(' ') != spelling.npos; });
    std::ranges::stable_sort(found, std::greater(), &std::string::size);
    return found;
}

// A text as a regular expression that matches it, for each of the dialects. The characters between each other.
std::string quoted(const std::string& text, std::string_view special) {
    std::string result;
    for (const char c : text) {
        if (special.find(c) != special.npos) result += '\\';
        result += c;
    }
    return result;
}

std::string alternatives(const Words& texts, std::string_view special, std::string_view between) {
    Words parts;
    for (const std::string& text : texts) parts.push_back(quoted(text, special));
    return fmt::format("{}", fmt::join(parts, between));
}

} // namespace

const std::vector<WordKind>& word_kinds() {
    static const std::vector<WordKind> kinds = {
        {"storage.type", "zugDeclaration", "Statement", keywords(true)},
        {"keyword.control", "zugKeyword", "Keyword", keywords(false)},
        {"keyword.operator.word", "zugOperatorWord", "Operator", operators},
        {"constant.language", "zugConstant", "Constant", constants},
        {"support.type", "zugType", "Type", types},
        {"keyword.other", "zugWord", "Special", contextual_words()},
    };
    return kinds;
}

std::string textmate_grammar() {
    Ordered patterns = Ordered::array();
    const auto add = [&](const std::string& name, const std::string& match) {
        patterns.push_back({{"name", name + ".zug"}, {"match", match}});
    };
    add("comment.line.number-sign", "#.*$");
    add("string.quoted.double", R"("(?:[^"\\]|\\.)*"?)");
    add("constant.numeric", R"(\b[0-9](?:_?[0-9])*(?:\.[0-9](?:_?[0-9])*)?)");
    for (const WordKind& kind : word_kinds())
        add(std::string(kind.scope), R"(\b(?:)" + alternatives(kind.words, "", "|") + R"()\b)");
    add("variable.other", R"(\b[A-Za-z_][A-Za-z0-9_]*\b)");
    add("keyword.operator", alternatives(marks(), R"(\^$.*+?()[]{}|)", "|"));
    const Ordered grammar = {
        {"$schema", "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json"},
        {"comment", "Made from the grammar by tests/unit/lsp/editors_test.cpp: ZUG_RECORD=1 writes it anew."},
        {"name", "Zug"},
        {"scopeName", "source.zug"},
        {"fileTypes", {"zug"}},
        {"patterns", patterns}};
    return grammar.dump(2) + "\n";
}

std::string vim_syntax() {
    std::string text = "\" Vim syntax file: rule files of Zug.\n"
                       "\" Made from the grammar by tests/unit/lsp/editors_test.cpp: ZUG_RECORD=1 writes it anew.\n\n"
                       "if exists('b:current_syntax')\n  finish\nendif\n\n"
                       "syntax case match\n";
    text += fmt::format("syntax match zugOperator /{}/\n", alternatives(marks(), R"(\^$.*[]~/)", R"(\|)"));
    for (const WordKind& kind : word_kinds())
        text += fmt::format("syntax keyword {} {}\n", kind.group, fmt::join(kind.words, " "));
    text += R"(syntax match zugNumber /\<\d\%(_\?\d\)*\%(\.\d\%(_\?\d\)*\)\?/
syntax match zugEscape /\\./ contained
syntax region zugString start=/"/ skip=/\\./ end=/"/ oneline contains=zugEscape
syntax match zugComment /#.*$/ contains=@Spell

highlight default link zugOperator Operator
)";
    for (const WordKind& kind : word_kinds())
        text += fmt::format("highlight default link {} {}\n", kind.group, kind.like);
    return text + "highlight default link zugNumber Number\n"
                  "highlight default link zugEscape SpecialChar\n"
                  "highlight default link zugString String\n"
                  "highlight default link zugComment Comment\n\n"
                  "let b:current_syntax = 'zug'\n";
}

} // namespace zug::test
