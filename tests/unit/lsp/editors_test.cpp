// The files in grammar/editors against the grammar, and against the games: what they colour as what.

#include "editors.hpp"

#include "../../library.hpp"
#include "grammar/lexer/lexer.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using zug::lsp::Json;
using zug::syntax::Tok;

namespace {

const std::string editors = ZUG_SOURCE_DIR "/grammar/editors/";

std::string content(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

// ZUG_RECORD=1 writes the file instead.
void check_made(const std::string& file, const std::string& made) {
    CAPTURE(file);
    if (std::getenv("ZUG_RECORD") != nullptr) std::ofstream(editors + file) << made;
    CHECK_MESSAGE(content(editors + file) == made, "ZUG_RECORD=1 writes it anew");
}

// A TextMate grammar of plain patterns, as editors apply it.
class Colours {
public:
    explicit Colours(const Json& grammar) {
        for (const Json& pattern : grammar.at("patterns"))
            patterns_.emplace_back(pattern.at("name"), std::regex(pattern.at("match").get<std::string>()));
    }

    // What begins at each offset of a line, and where it ends.
    std::map<std::size_t, std::pair<std::size_t, std::string>> of(const std::string& line) const {
        std::map<std::size_t, std::pair<std::size_t, std::string>> found;
        for (std::size_t at = 0; at < line.size();) {
            const auto [end, name] = first_at(line, at);
            if (end > at) found[at] = {end, name};
            at = std::max(end, at + 1);
        }
        return found;
    }

private:
    std::pair<std::size_t, std::string> first_at(const std::string& line, std::size_t at) const {
        auto flags = std::regex_constants::match_continuous;
        if (at > 0) flags |= std::regex_constants::match_prev_avail;
        std::smatch match;
        const auto begin = line.begin() + static_cast<std::ptrdiff_t>(at);
        for (const auto& [name, pattern] : patterns_)
            if (line[at] != ' ' && std::regex_search(begin, line.end(), match, pattern, flags))
                return {at + static_cast<std::size_t>(match.length()), name};
        return {at, ""};
    }

    std::vector<std::pair<std::string, std::regex>> patterns_;
};

std::string scope_of(const zug::syntax::Token& token, const std::string& spelled) {
    if (token.kind == Tok::String) return "string.quoted.double.zug";
    if (token.kind == Tok::Number) return "constant.numeric.zug";
    for (const auto& kind : zug::test::word_kinds())
        if (std::ranges::find(kind.words, spelled) != kind.words.end()) return std::string(kind.scope) + ".zug";
    return token.kind == Tok::Name ? "variable.other.zug" : "keyword.operator.zug";
}

void check_colours(const Colours& colours, const std::string& text) {
    zug::diag::Report report;
    const auto lexed = zug::syntax::lex(text, zug::FileId{0}, 0, static_cast<std::uint32_t>(text.size()), report);
    std::map<std::size_t, std::pair<std::size_t, std::string>> expected, found;
    for (const auto& token : lexed.tokens)
        if (token.kind != Tok::End)
            expected[token.begin] = {token.end, scope_of(token, text.substr(token.begin, token.end - token.begin))};
    for (const auto& comment : lexed.comments) expected[comment.begin] = {comment.end, "comment.line.number-sign.zug"};
    std::istringstream lines(text);
    std::size_t begin = 0;
    for (std::string line; std::getline(lines, line); begin += line.size() + 1)
        for (const auto& [at, what] : colours.of(line)) found[begin + at] = {begin + what.first, what.second};
    for (const auto& [at, what] : expected) {
        const bool same = found.contains(at) && found[at] == what;
        CHECK_MESSAGE(same, text.substr(at, what.first - at), " is ", what.second, ", coloured as ", found[at].second);
    }
    CHECK(found.size() == expected.size());
}

} // namespace

TEST_CASE("every keyword has one colour") {
    std::set<std::string> words;
    for (const auto& kind : zug::test::word_kinds())
        for (const std::string& word : kind.words) CHECK_MESSAGE(words.insert(word).second, word);
#define TOKEN(name, spelling)
#define KEYWORD(name, spelling) CHECK_MESSAGE(words.contains(spelling), spelling);
#include "grammar/lexer/tokens.def"
#undef TOKEN
#undef KEYWORD
}

TEST_CASE("the files for editors are made from the grammar") {
    check_made("vscode/zug.tmLanguage.json", zug::test::textmate_grammar());
    check_made("vim/syntax/zug.vim", zug::test::vim_syntax());
}

TEST_CASE("editors colour the games as the lexer reads them") {
    const Colours colours(Json::parse(content(editors + "vscode/zug.tmLanguage.json")));
    auto files = zug::test::library();
    for (std::size_t i = 0; i < files.size(); i += 4) {
        CAPTURE(files[i].filename().string());
        check_colours(colours, content(files[i]));
    }
    check_colours(colours, "x1 := 1_000.5 .. 2..3 \"a\\\"#\" # \"\n\"not closed\n_a^*(b)\n");
}

TEST_CASE("what the extension for VS Code says of itself is so") {
    const Json package = Json::parse(content(editors + "vscode/package.json"));
    CHECK(package.at("contributes").at("languages").at(0).at("extensions") == Json{".zug"});
    CHECK(package.at("contributes").at("grammars").at(0).at("scopeName") ==
          Json::parse(content(editors + "vscode/zug.tmLanguage.json")).at("scopeName"));
    for (const std::string& file :
         {package.at("main").get<std::string>(),
          package.at("contributes").at("grammars").at(0).at("path").get<std::string>(),
          package.at("contributes").at("languages").at(0).at("configuration").get<std::string>()})
        CHECK_MESSAGE(std::filesystem::exists(editors + "vscode/" + file), file);
    CHECK(Json::parse(content(editors + "vscode/language-configuration.json")).at("comments").at("lineComment") == "#");
}
